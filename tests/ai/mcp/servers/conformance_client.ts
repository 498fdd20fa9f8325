/**
 * A client that does what the official conformance suite asks for:
 *
 * `deno run -A npm:@modelcontextprotocol/conformance@0.2.0-alpha.12 client --requirements 2026-07-28
 * --command "deno run -A tests/ai/mcp/servers/conformance_client.ts"`
 */
import { isJsonObject } from "../../../../ai/json.ts";
import { dial, http, type RemoteTool } from "../../../../ai/mcp/mod.ts";
import type { JsonSchema } from "../../../../mod.ts";

const [url = ""] = Deno.args;
const scenario = Deno.env.get("MCP_CONFORMANCE_SCENARIO") ?? "";
const context = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}");

/** Returns a value that a schema takes: its default, or one of its type. */
function valueOf({ default: preset, type, properties = {}, required }: JsonSchema): unknown {
  if (preset !== undefined) return preset;
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(properties)
          .filter(([name, each]) => required?.includes(name) || each.default !== undefined)
          .map(([name, each]) => [name, valueOf(each)]),
      );
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    default:
      return "text";
  }
}

async function callTools(client: Awaited<ReturnType<typeof dial>>): Promise<void> {
  const tools = await client.tools();
  const first = tools[0];
  const calls: { name: string; arguments: Record<string, unknown> }[] = context.toolCalls ??
    tools.map(({ remoteName: name, inputSchema }: RemoteTool) => {
      const args = valueOf(inputSchema);
      // The suite compares the schema that it gets back with the one that it sent.
      const echoed = inputSchema.properties?.schema === undefined
        ? {}
        : { schema: first?.inputSchema };
      return { name, arguments: { ...(isJsonObject(args) ? args : {}), ...echoed } };
    });
  await Promise.all(calls.map((call) => client.callTool(call.name, call.arguments)));
}

/** Follows what a server offers: tools, resources and prompts. */
async function useAll(): Promise<void> {
  await using client = await dial(http(url), {
    onElicit: ({ schema }) => ({
      action: "accept",
      content: valueOf({ ...schema, type: "object" }) as Record<string, unknown>,
    }),
    onWarning: (message) => console.error(message),
  });
  // A tool whose schema leads elsewhere is listed there, and cannot be called.
  if (scenario === "json-schema-ref-no-deref") return void await client.tools();
  if (client.capabilities.tools !== undefined) await callTools(client);
  if (client.capabilities.resources !== undefined) {
    for (const { uri } of await client.resources()) await client.readResource(uri);
  }
  if (client.capabilities.prompts !== undefined) {
    for (const { name } of await client.prompts()) await client.prompt(name);
  }
}

await useAll();
