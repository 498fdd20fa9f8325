/**
 * Edge cases of tool results and definitions: records that resemble content, names from several
 * servers.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { toOutcome } from "../../../ai/mcp/server/offers/tools.ts";
import { dial, http, McpError, mcpServer, mcpTool, toolResult } from "../../../ai/mcp/mod.ts";
import type { ToolResultParts } from "../../../ai/mcp/mod.ts";
import { appOf, endpointOf } from "./endpoint.ts";
import { kitchen } from "./kitchen.ts";
import { asFetch } from "./support.ts";

const values: [name: string, value: unknown, isContent: boolean][] = [
  ["text", { type: "text", text: "Hi" }, true],
  ["text with hints", { type: "text", text: "Hi", annotations: {} }, true],
  ["a record of the application", { type: "text", text: "Hi", price: 5 }, false],
  ["an image with a place", { type: "image", data: "", mimeType: "image/png", room: 1 }, false],
  ["a record with the name of an inherited member", { type: "constructor", text: "Hi" }, false],
];

for (const [name, value, isContent] of values) {
  Deno.test(`toOutcome: ${name} is ${isContent ? "content" : "a structured value"}`, () => {
    const hasOutput = false;
    const { structuredContent: structured, content } = toOutcome(value, hasOutput);
    assertEquals(
      [structured, content[0]],
      isContent ? [undefined, value] : [value, { type: "text", text: JSON.stringify(value) }],
    );
  });
}

Deno.test("client.tools prefixes names, shortens descriptions and requires approvals", async () => {
  const long = mcpTool({ name: "long", description: "x".repeat(100_000) }, () => "");
  const app = appOf(kitchen({ tools: [long] }));
  await using client = await dial(http("http://localhost/mcp", { fetch: asFetch(app.fetch) }));
  const [tool] = await client.tools({ prefix: "kitchen.", needsApproval: true });
  assertEquals([tool?.name, tool?.remoteName, tool?.needsApproval], ["kitchen_long", "long", true]);
  assertEquals(tool?.description.length, 8_193);
  const needsApproval = ({ remoteName }: { remoteName: string }): boolean => remoteName !== "long";
  assertEquals((await client.tools({ needsApproval }))[0]?.needsApproval, undefined);
});

Deno.test("mcpServer: identify may be asynchronous", async () => {
  const seen: unknown[] = [];
  const who = mcpTool({ name: "who", description: "" }, () => "");
  const server = mcpServer({
    name: "s",
    version: "1",
    tools: [who],
    identify: async (c) => {
      await Promise.resolve();
      seen.push(c.pattern);
      return "ada";
    },
  });
  const app = appOf(server);
  await using client = await dial(http("http://localhost/mcp", { fetch: asFetch(app.fetch) }));
  await client.callTool("who");
  assertEquals(seen.length >= 2, true as boolean);
});

const endless: Record<string, unknown> = {};
endless.self = endless;

const unsendable: [name: string, parts: ToolResultParts | McpError, wanted: string][] = [
  ["a large integer for the client", { content: "", meta: { id: 10n } }, '"id":10'],
  ["content that contains itself", { content: [endless as never] }, '"code":-32603'],
  ["error details that hold themselves", new McpError(-5, "", { data: endless }), '"code":-32603'],
];

for (const [name, parts, wanted] of unsendable) {
  for (const pauseMs of [0, 150]) {
    Deno.test(`mcpServer sends ${name}, after ${pauseMs} ms`, async () => {
      const tool = mcpTool({ name: "odd", description: "" }, async () => {
        if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
        if (parts instanceof McpError) throw parts;
        return toolResult(parts);
      });
      const app = appOf(mcpServer({ name: "s", version: "1", tools: [tool] }));
      const response = await endpointOf(app).call("odd");
      assertStringIncludes(await response.text(), wanted);
    });
  }
}
