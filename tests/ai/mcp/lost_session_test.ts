/** Sessions that the server forgets while several calls are under way. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { dial, http, mcpServer, mcpTool } from "../../../ai/mcp/mod.ts";
import { App } from "../../../mod.ts";
import { asFetch, codeOf, quiet } from "./support.ts";

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
  await using client = await dial(http("http://localhost/mcp", { fetch: asFetch(fetch) }), {
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
  await using client = await dial(http("http://localhost/mcp", { fetch: asFetch(fetch) }), {
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
  Deno.test(`http: ${name} ${isLost ? "begins a new session, once" : "leaves the session"}`, async () => {
    let opened = 0;
    const fetch = async (request: Request): Promise<Response> => {
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const { id, method } = await request.json();
      if (id === undefined) return new Response(null, { status: 202 });
      if (method === "initialize") {
        const result = { protocolVersion: "2025-11-25", capabilities: {} };
        const headers = { "mcp-session-id": `s${++opened}` };
        return Response.json({ jsonrpc: "2.0", id, result }, { headers });
      }
      return typeof body === "string"
        ? new Response(body, { status })
        : Response.json({ jsonrpc: "2.0", id, error: body }, { status });
    };
    const transport = http("http://localhost/mcp", { fetch: asFetch(fetch) });
    await using client = await dial(transport, { revisions: "session" });
    await assertRejects(() => client.callTool("any"));
    assertEquals(opened, isLost ? 2 : 1);
  });
}

/** A server with sessions; it never answers the methods in `silent`. */
function silentServer(): {
  readonly silent: Set<string>;
  /** Resolves the next silent request that waits. */
  answer: () => void;
  isLost: boolean;
  readonly opened: string[];
  fetch(request: Request): Promise<Response>;
} {
  return {
    silent: new Set(),
    answer: () => {},
    isLost: false,
    opened: [],
    async fetch(request): Promise<Response> {
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const { id, method } = await request.json();
      if (id === undefined) return new Response(null, { status: 202 });
      if (this.silent.has(method)) await new Promise<void>((resolve) => this.answer = resolve);
      if (method === "initialize") {
        this.isLost = false;
        this.opened.push(`s${this.opened.length + 1}`);
        const capabilities = { logging: {}, tools: {}, resources: { subscribe: true } };
        const result = { protocolVersion: "2025-11-25", capabilities };
        const headers = { "mcp-session-id": this.opened.at(-1) ?? "" };
        return Response.json({ jsonrpc: "2.0", id, result }, { headers });
      }
      if (this.isLost) return new Response(null, { status: 404 });
      return Response.json({ jsonrpc: "2.0", id, result: { content: [] } });
    },
  };
}

Deno.test("dial gives up on a server that ignores the log level, and ends its session", async () => {
  const server = silentServer();
  server.silent.add("logging/setLevel");
  const deleted: (string | null)[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    if (request.method === "DELETE") deleted.push(request.headers.get("mcp-session-id"));
    return await server.fetch(request);
  };
  const dialing = dial(http("https://x.example/mcp", { fetch: asFetch(fetch) }), {
    revisions: "session",
    timeoutMs: 50,
    onLog: () => {},
  });
  assertEquals(await codeOf(dialing), "mcp_timeout");
  assertEquals(deleted, ["s1"]);
});

Deno.test("a call stops waiting for a new session at its own deadline; others keep waiting", async () => {
  const server = silentServer();
  const fetch = (request: Request): Promise<Response> => server.fetch(request);
  await using client = await dial(http("https://x.example/mcp", { fetch: asFetch(fetch) }), {
    revisions: "session",
    timeoutMs: 10_000,
  });
  server.isLost = true;
  server.silent.add("initialize");
  const patient = client.callTool("any");
  const controller = new AbortController();
  const left = client.callTool("any", {}, { signal: controller.signal });
  assertEquals(await codeOf(client.callTool("any", {}, { timeoutMs: 50 })), "mcp_timeout");
  controller.abort(new Error("enough"));
  await assertRejects(() => left, Error, "enough");
  server.answer();
  assertEquals((await patient).content, []);
  assertEquals(server.opened, ["s1", "s2"]);
});

Deno.test("a new session that is silent about subscriptions is given up", async () => {
  const server = silentServer();
  const fetch = (request: Request): Promise<Response> => server.fetch(request);
  await using client = await dial(http("https://x.example/mcp", { fetch: asFetch(fetch) }), {
    revisions: "session",
    timeoutMs: 50,
  });
  await client.subscribe("x://one", () => {});
  server.isLost = true;
  server.silent.add("resources/subscribe");
  assertEquals(await codeOf(client.callTool("any", {}, { timeoutMs: 10_000 })), "mcp_timeout");
  server.silent.clear();
  assert(await client.callTool("any"));
});
