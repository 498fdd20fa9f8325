/**
 * Sessions that the server forgets while several calls are under way.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { dial, http, mcpServer, mcpTool } from "../../../ai/mcp/mod.ts";
import { App } from "../../../mod.ts";
import { quiet } from "./support.ts";

type Handler = (request: Request) => Promise<Response>;

/** Starts a server anew: the sessions of an older one are unknown to it. */
function start(): Handler {
  const tools = [mcpTool({ name: "clock", description: "" }, () => "noon")];
  const app = new App({ logRequest: () => false, logger: quiet });
  const server = mcpServer({ name: "s", version: "1", tools });
  app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
  return async (request) => await app.fetch(request);
}

Deno.test("http: calls that lose their session together are all sent again, in one new session", async () => {
  let current = start();
  let opened = 0;
  const fetch = async (request: Request): Promise<Response> => {
    const response = await current(request);
    if (request.method === "POST" && response.headers.has("mcp-session-id")) opened++;
    return response;
  };
  await using client = await dial(http("http://localhost/mcp", { fetch }), {
    revisions: "session",
  });
  await client.callTool("clock");
  for (let round = 0; round < 2; round++) {
    opened = 0;
    current = start();
    const calls = Array.from({ length: 4 }, () => client.callTool("clock"));
    const results = await Promise.allSettled(calls);
    assertEquals(results.map(({ status }) => status), Array(4).fill("fulfilled"));
    assertEquals(opened, 1);
  }
});

Deno.test("http: a late 404 of a lost session leaves the new session alone", async () => {
  const late = Promise.withResolvers<void>();
  const opened: string[] = [];
  let isLost = false;
  let calls = 0;
  const fetch = async (request: Request): Promise<Response> => {
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const { id, method } = await request.json();
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === "initialize") {
      opened.push(`s${opened.length + 1}`);
      const result = { protocolVersion: "2025-11-25", capabilities: {} };
      const headers = { "mcp-session-id": opened.at(-1) ?? "" };
      return Response.json({ jsonrpc: "2.0", id, result }, { headers });
    }
    if (isLost && request.headers.get("mcp-session-id") === "s1") {
      if (++calls === 2) await late.promise;
      return new Response(null, { status: 404 });
    }
    return Response.json({ jsonrpc: "2.0", id, result: { content: [] } });
  };
  await using client = await dial(http("http://localhost/mcp", { fetch }), {
    revisions: "session",
  });
  isLost = true;
  const first = client.callTool("one");
  const second = client.callTool("two");
  await first;
  late.resolve();
  assertEquals((await second).content, []);
  await client.callTool("three");
  assertEquals(opened, ["s1", "s2"]);
});
