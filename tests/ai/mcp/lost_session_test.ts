/** Sessions that the server forgets while several calls are running. */
import { assertEquals, assertRejects } from "@std/assert";
import { dial, http, mcpServer, mcpTool } from "../../../ai/mcp/mod.ts";
import type { App } from "../../../mod.ts";
import { appOf } from "./endpoint.ts";
import { asFetch, codeOf, SessionServer } from "./support.ts";

/** Restarts a server, which then does not know earlier sessions. */
function start(): App {
  const tools = [mcpTool({ name: "clock", description: "" }, () => "noon")];
  return appOf(mcpServer({ name: "s", version: "1", tools }));
}

const lost = (): Response => new Response(null, { status: 404 });

Deno.test("http: resends all calls that lost their session together, in one new session", async () => {
  let current = start();
  let opened = 0;
  const fetch = async (request: Request): Promise<Response> => {
    const response = await current.fetch(request);
    if (request.method === "POST" && response.headers.has("mcp-session-id")) opened++;
    return response;
  };
  const dialing = new AbortController();
  await using client = await dial(http("http://localhost/mcp", { fetch: asFetch(fetch) }), {
    revisions: "session",
    signal: dialing.signal,
  });
  await client.callTool("clock");
  // The signal belongs to the call of `dial`, so it has no effect on a later session.
  dialing.abort();
  for (let round = 0; round < 2; round++) {
    opened = 0;
    current = start();
    const calls = Array.from({ length: 4 }, () => client.callTool("clock"));
    const results = await Promise.allSettled(calls);
    assertEquals([results.map(({ status }) => status), opened], [Array(4).fill("fulfilled"), 1]);
  }
});

Deno.test("http: ignores a late 404 of the lost session after starting a new one", async () => {
  const late = Promise.withResolvers<void>();
  let isLost = false;
  let calls = 0;
  const server = new SessionServer(async (method, _, request) => {
    const session = request.headers.get("mcp-session-id");
    if (!isLost || method === "initialize" || session !== "s1") return undefined;
    if (++calls === 2) await late.promise;
    return lost();
  });
  await using client = await server.dial();
  isLost = true;
  const [first, second] = [client.callTool("one"), client.callTool("two")];
  await first;
  late.resolve();
  assertEquals((await second).content, []);
  await client.callTool("three");
  assertEquals(server.opened, ["s1", "s2"]);
});

const losses: [name: string, status: number, body: unknown, isLost: boolean][] = [
  ["404", 404, "", true],
  ["410", 410, "Gone", true],
  ["404 and a message", 404, { code: -32600, message: "x" }, true],
  ["400 and -32001", 400, { code: -32001, message: "x" }, true],
  ["400 and a text", 400, "Invalid session ID", true],
  ["400 and a message", 400, { code: -32000, message: "Bad Request: No valid session ID" }, true],
  ["200 and a message", 200, { code: -32001, message: "Session not found" }, true],
  ["404 for a method", 404, { code: -32601, message: "Method not found" }, false],
  ["400 for something else", 400, { code: -32602, message: "Bad date" }, false],
  ["200 and a timeout", 200, { code: -32001, message: "Request timed out" }, false],
  ["500", 500, "session expired", false],
];

for (const [name, status, body, isLost] of losses) {
  Deno.test(`http: ${name} ${isLost ? "starts a new session, once" : "keeps the session"}`, async () => {
    const server = new SessionServer((method, id) => {
      if (method === "initialize") return undefined;
      return typeof body === "string"
        ? new Response(body, { status })
        : Response.json({ jsonrpc: "2.0", id, error: body }, { status });
    });
    await using client = await server.dial();
    await assertRejects(() => client.callTool("any"));
    assertEquals(server.opened.length, isLost ? 2 : 1);
  });
}

/** A server that never responds to the methods in `silent`. */
class SilentServer extends SessionServer {
  readonly silent: Set<string> = new Set();
  /** Resolves the next pending silent request. */
  answer = (): void => {};
  isLost = false;

  constructor() {
    super(async (method) => {
      if (this.silent.has(method ?? "")) {
        await new Promise<void>((resolve) => this.answer = resolve);
      }
      if (method === "initialize") this.isLost = false;
      return this.isLost ? lost() : undefined;
    });
  }
}

Deno.test("a call waits for a new session until its own deadline, independently of other calls", async () => {
  const server = new SilentServer();
  await using client = await server.dial({ timeoutMs: 10_000 });
  server.isLost = true;
  server.silent.add("initialize");
  const patient = client.callTool("any");
  const controller = new AbortController();
  const left = client.callTool("any", {}, { signal: controller.signal });
  assertEquals(await codeOf(client.callTool("any", {}, { timeoutMs: 50 })), "mcp_timeout");
  controller.abort(new Error("enough"));
  await assertRejects(() => left, Error, "enough");
  server.answer();
  assertEquals([(await patient).content, server.opened], [[], ["s1", "s2"]]);
});

Deno.test("http: a server that returns without sessions is used after one failed call", async () => {
  const server = new SessionServer(() => undefined);
  const next = appOf(mcpServer({ name: "s", version: "1" }));
  let isReplaced = false;
  const fetch = async (request: Request): Promise<Response> => {
    if (!isReplaced) return await server.fetch(request);
    if (request.headers.has("mcp-session-id")) return lost();
    const { id, method } = await request.clone().json();
    const error = { code: -32601, message: "Method not found" };
    return method === "initialize"
      ? Response.json({ jsonrpc: "2.0", id, error }, { status: 404 })
      : await next.fetch(request);
  };
  await using client = await dial(http("http://localhost/mcp", { fetch: asFetch(fetch) }), {
    timeoutMs: 10_000,
    revisions: "any",
  });
  assertEquals(client.revision, "2025-11-25");
  isReplaced = true;
  await assertRejects(() => client.prompts());
  assertEquals([await client.prompts(), client.revision], [[], "2026-07-28"]);
});
