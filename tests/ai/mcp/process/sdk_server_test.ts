/** Our client against the official servers: every era, HTTP and stdio. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import * as v2 from "npm:@modelcontextprotocol/server@2.4.0";
import * as v1 from "npm:@modelcontextprotocol/sdk@1.32.2/server/mcp.js";
import { WebStandardStreamableHTTPServerTransport } from "npm:@modelcontextprotocol/sdk@1.32.2/server/webStandardStreamableHttp.js";
import { dial, http, McpError, stdio } from "../../../../ai/mcp/mod.ts";
import type { McpChange, McpTransport } from "../../../../ai/mcp/mod.ts";
import { buildOfficial } from "../servers/official.mjs";
import { program } from "../support.ts";
import { until } from "../../../until.ts";
import { serveLocal } from "../../../serve_local.ts";

interface Running {
  readonly transport: McpTransport;
  stop(): Promise<void>;
}

function serveFetch(
  fetch: (request: Request) => Response | Promise<Response>,
  close: () => unknown,
): Running {
  const listener = serveLocal(fetch);
  return {
    transport: http(`${listener.origin}/mcp`),
    stop: async () => {
      await close();
      await listener.shutdown();
    },
  };
}

function officialSessions(): Running {
  const open = new Map<string, WebStandardStreamableHTTPServerTransport>();
  return serveFetch(async (request) => {
    const id = request.headers.get("mcp-session-id");
    const known = id === null ? undefined : open.get(id);
    if (known !== undefined) return await known.handleRequest(request);
    const transport: WebStandardStreamableHTTPServerTransport =
      new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => crypto.randomUUID(),
        onsessioninitialized: (id: string) => void open.set(id, transport),
      });
    // deno-lint-ignore no-explicit-any -- the types of the package contradict each other
    await buildOfficial(v1 as any).connect(transport);
    return await transport.handleRequest(request);
  }, () => Promise.all([...open.values()].map((each) => each.close())));
}

function officialStateless(): Running {
  // deno-lint-ignore no-explicit-any -- the program is plain JavaScript
  const handler = v2.createMcpHandler(() => buildOfficial(v2 as any), { legacy: "reject" });
  return serveFetch((request) => handler.fetch(request), () => handler.close());
}

function child(name: string): Running {
  const transport = stdio(Deno.execPath(), program(name), {
    // A cache in another folder already has the packages.
    env: { ...Deno.env.toObject() },
    probeMs: 20_000,
  });
  return { transport, stop: () => Promise.resolve() };
}

const servers: [name: string, revision: string, start: () => Running][] = [
  ["the official server with sessions over HTTP", "2025-11-25", officialSessions],
  ["the official stateless server over HTTP", "2026-07-28", officialStateless],
  ["the official server with sessions over stdio", "2025-11-25", () => child("session_stdio.mjs")],
  ["the official stateless server over stdio", "2026-07-28", () => child("stateless_stdio.mjs")],
];

for (const [name, revision, start] of servers) {
  Deno.test(`dial: ${name}`, async (t) => {
    const running = start();
    const changes: McpChange[] = [];
    const client = await dial(running.transport, {
      onElicit: () => ({ action: "accept", content: { name: "Ada" } }),
      onChange: (change) => changes.push(change),
    });
    const call = async (tool: string, args: Record<string, unknown> = {}): Promise<unknown> =>
      (await client.callTool(tool, args)).content.map((each) =>
        each.type === "text" ? each.text : each
      )[0];

    await t.step("facts", () => {
      assertEquals([client.revision, client.server?.name], [revision, "official"]);
      assertEquals(client.instructions, "Be kind.");
      assert(client.capabilities.tools !== undefined);
    });
    await t.step("tools as values for agents", async () => {
      const tools = await client.tools();
      const { signal } = new AbortController();
      const echo = tools.find((tool) => tool.name === "echo");
      assertEquals(await echo?.call({ text: "Olá" }, { signal }), "Olá");
      assertEquals(echo?.inputSchema.required, ["text"]);
      const fail = tools.find((tool) => tool.name === "fail");
      const error = await assertRejects(() => Promise.resolve(fail?.call({}, { signal })), Error);
      assert(/no luck/.test(error.message));
    });
    await t.step("structured content", async () => {
      assertEquals((await client.callTool("add", { a: 1, b: 2 })).structured, { sum: 3 });
    });
    await t.step("an unknown tool", async () => {
      // The older official server responds with a result.
      const failed = await client.callTool("nobody").then(
        ({ isError }) => isError,
        (error) => error instanceof McpError,
      );
      assert(failed);
    });
    await t.step("progress", async () => {
      const reports: number[] = [];
      await client.callTool("progress", { steps: 3 }, {
        onProgress: ({ progress }) => reports.push(progress),
      });
      assertEquals(reports, [1, 2, 3]);
    });
    await t.step("input for a call", async () => {
      assertEquals(await call("greet"), "Hi Ada");
    });
    await t.step("cancellation", async () => {
      const controller = new AbortController();
      const cancel = (): void => controller.abort(new Error("enough"));
      setTimeout(cancel, 50);
      const { signal } = controller;
      await assertRejects(() => client.callTool("wait", {}, { signal }), Error, "enough");
      assertEquals(await call("echo", { text: "still here" }), "still here");
    });
    await t.step("resources", async () => {
      assertEquals((await client.resources())[0]?.uri, "note://1");
      assertEquals((await client.resourceTemplates())[0]?.uriTemplate, "event://{id}");
      const [note] = await client.readResource("note://1");
      assert(note?.text?.includes("Milk"));
      const [event] = await client.readResource("event://7");
      assert(event?.text?.includes("7"));
    });
    await t.step("prompts", async () => {
      assertEquals((await client.prompts())[0]?.name, "review");
      const { messages } = await client.prompt("review", { code: "1+1" });
      assert(JSON.stringify(messages).includes("1+1"));
    });
    await t.step("100 calls at once", async () => {
      const calls = Array.from({ length: 100 }, (_, number) => call("echo", { text: `${number}` }));
      assertEquals(await Promise.all(calls), Array.from({ length: 100 }, (_, n) => `${n}`));
    });
    if (revision === "2025-11-25") {
      await t.step("a list that changes", async () => {
        assertEquals(await call("unlock"), "unlocked");
        await until(() => changes.some(({ kind }) => kind === "tools"), "the change");
        assertEquals(await call("secret"), "open");
      });
    }
    await client.close();
    await assertRejects(() => client.callTool("echo"), Error, "closed");
    await running.stop();
  });
}
