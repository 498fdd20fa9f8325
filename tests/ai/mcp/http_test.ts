/**
 * What the endpoint answers to messages as they travel: eras, headers, errors, sessions, streams.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { McpServerOptions } from "../../../ai/mcp/mod.ts";
import { mcpTool, resource } from "../../../ai/mcp/mod.ts";
import { App, type Settings, struct, text } from "../../../mod.ts";
import { kitchen, stopped } from "./kitchen.ts";
import { quiet, serve, until } from "./support.ts";

type Json = Record<string, unknown>;

const meta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
};

function modern(method: string, params: Json = {}, id: unknown = 1): Json {
  return { jsonrpc: "2.0", id, method, params: { _meta: meta, ...params } };
}

function modernHeaders(method: string, name?: string): Record<string, string> {
  return {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(name === undefined ? {} : { "mcp-name": name }),
  };
}

interface Endpoint {
  post(body: unknown, headers?: Record<string, string>): Promise<Response>;
  send(method: string, headers?: Record<string, string>): Promise<Response>;
}

function endpoint(options: Partial<McpServerOptions> = {}, settings: Settings = {}): Endpoint {
  const app = new App({ logRequest: () => false, logger: quiet, ...settings });
  app.route({ pattern: "/mcp", methods: kitchen(options).handlers, kind: "api" });
  const send = (
    method: string,
    headers: Record<string, string> | undefined,
    body?: string,
  ): Promise<Response> =>
    app.fetch(
      new Request("http://localhost/mcp", {
        method,
        headers: {
          accept: "application/json, text/event-stream",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body }),
      }),
    );
  return {
    send,
    post: (body, headers) =>
      send("POST", headers, typeof body === "string" ? body : JSON.stringify(body)),
  };
}

async function errorOf(response: Response): Promise<{ status: number; code: unknown }> {
  const body = await response.json();
  return { status: response.status, code: body.error?.code };
}

const echoCall = modern("tools/call", { name: "echo", arguments: { text: "x" } });
const echoHeaders = modernHeaders("tools/call", "echo");

const refused: [
  name: string,
  body: unknown,
  headers: Record<string, string>,
  status: number,
  code: number,
][] = [
  ["no JSON", "{", {}, 400, -32700],
  ["JSON that is too deep", "[".repeat(5_000) + "]".repeat(5_000), {}, 400, -32700],
  ["a list", [echoCall], echoHeaders, 400, -32600],
  ["no message", { hello: 1 }, {}, 400, -32600],
  ["an id that is null", { jsonrpc: "2.0", id: null, method: "ping" }, {}, 400, -32600],
  ["an id with a fraction", { jsonrpc: "2.0", id: 1.5, method: "ping" }, {}, 400, -32600],
  [
    "params that are a list",
    { jsonrpc: "2.0", id: 1, method: "ping", params: [] },
    {},
    400,
    -32600,
  ],
  ["no version header", echoCall, { "mcp-method": "tools/call", "mcp-name": "echo" }, 400, -32020],
  ["no method header", echoCall, { ...echoHeaders, "mcp-method": "" }, 400, -32020],
  [
    "another method in the header",
    echoCall,
    { ...echoHeaders, "mcp-method": "tools/list" },
    400,
    -32020,
  ],
  ["another name in the header", echoCall, { ...echoHeaders, "mcp-name": "add" }, 400, -32020],
  [
    "broken Base64 in the header",
    echoCall,
    { ...echoHeaders, "mcp-name": "=?base64?#?=" },
    400,
    -32020,
  ],
  [
    "another version in the header",
    echoCall,
    { ...echoHeaders, "mcp-protocol-version": "2027-01-01" },
    400,
    -32020,
  ],
  [
    "a revision that is not served",
    modern("tools/list", {
      _meta: { ...meta, "io.modelcontextprotocol/protocolVersion": "2099-01-01" },
    }),
    { ...modernHeaders("tools/list"), "mcp-protocol-version": "2099-01-01" },
    400,
    -32022,
  ],
  [
    "no _meta",
    { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
    modernHeaders("tools/list"),
    400,
    -32602,
  ],
  [
    "no capabilities",
    modern("tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
    modernHeaders("tools/list"),
    400,
    -32602,
  ],
  ["a method that does not exist", modern("tools/burn"), modernHeaders("tools/burn"), 404, -32601],
  ["a method of older revisions", modern("ping"), modernHeaders("ping"), 404, -32601],
  [
    "the handshake in the new revision",
    modern("initialize"),
    modernHeaders("initialize"),
    404,
    -32601,
  ],
  [
    "an unknown tool",
    modern("tools/call", { name: "no" }),
    modernHeaders("tools/call", "no"),
    400,
    -32602,
  ],
  ["a tool without a name", modern("tools/call"), modernHeaders("tools/call", ""), 400, -32020],
  [
    "a question to a client without forms",
    modern("tools/call", { name: "greet" }),
    modernHeaders("tools/call", "greet"),
    400,
    -32021,
  ],
  [
    "a cursor that was not given",
    modern("tools/list", { cursor: "99" }),
    modernHeaders("tools/list"),
    200,
    -32602,
  ],
  [
    "a state that was not given",
    modern("tools/call", { name: "echo", arguments: { text: "x" }, requestState: "e30.x" }),
    echoHeaders,
    200,
    -32602,
  ],
  [
    "a message before the handshake",
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    {},
    400,
    -32600,
  ],
  [
    "a session that does not exist",
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    { "mcp-session-id": "made-up" },
    404,
    -32600,
  ],
  [
    "a version header that is none",
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    { "mcp-session-id": "made-up", "mcp-protocol-version": "yesterday" },
    400,
    -32022,
  ],
];

for (const [name, body, headers, status, code] of refused) {
  Deno.test(`mcpServer refuses ${name}`, async () => {
    assertEquals(await errorOf(await endpoint().post(body, headers)), { status, code });
  });
}

Deno.test("mcpServer refuses what is no JSON by its type, and what is too large", async () => {
  const { post } = endpoint({}, { maxBodyBytes: 100 });
  assertEquals((await post("{}", { "content-type": "text/plain" })).status, 415);
  assertEquals((await post({ text: "x".repeat(200) })).status, 413);
});

Deno.test("mcpServer names the revisions that it serves", async () => {
  const response = await endpoint().post(
    modern("server/discover"),
    modernHeaders("server/discover"),
  );
  const { result } = await response.json();
  assertEquals(result.supportedVersions, ["2026-07-28", "2025-11-25", "2025-06-18"]);
  assertEquals(result.resultType, "complete");
  assertEquals([result.ttlMs, result.cacheScope], [0, "private"]);
  assertEquals(result._meta["io.modelcontextprotocol/serverInfo"].title, "Kitchen");
});

Deno.test("mcpServer marks every stateless result and repeats nothing in older ones", async () => {
  const { post } = endpoint({ cacheTtlMs: 5_000, cacheScope: "public" });
  const { result } = await (await post(modern("tools/list"), modernHeaders("tools/list"))).json();
  assertEquals([result.resultType, result.ttlMs, result.cacheScope], ["complete", 5_000, "public"]);
  const read = await post(
    modern("resources/read", { uri: "note://1" }),
    modernHeaders("resources/read", "note://1"),
  );
  assertEquals((await read.json()).result.ttlMs, 5_000);
  const call = await (await post(echoCall, echoHeaders)).json();
  assertEquals(call.result, {
    resultType: "complete",
    content: [{ type: "text", text: "x" }],
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "kitchen", version: "1.2.3" } },
  });
});

Deno.test("mcpServer pages its lists, and every cursor leads on", async () => {
  const { post } = endpoint({ pageSize: 4 });
  const names: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 4; pages++) {
    const params = cursor === undefined ? {} : { cursor };
    const { result } = await (await post(modern("tools/list", params), modernHeaders("tools/list")))
      .json();
    names.push(...result.tools.map((tool: { name: string }) => tool.name));
    cursor = result.nextCursor;
  }
  assertEquals(cursor, undefined);
  assertEquals(new Set(names).size, 15);
});

Deno.test("mcpServer decodes names, and compares numbers in headers as numbers", async () => {
  const { post } = endpoint();
  const region = "Évora";
  const encoded = `=?base64?${new TextEncoder().encode(region).toBase64()}?=`;
  const call = (args: Json, headers: Record<string, string>): Promise<Response> =>
    post(modern("tools/call", { name: "routed", arguments: args }), {
      ...modernHeaders("tools/call", "=?base64?cm91dGVk?="),
      ...headers,
    });
  const both = { "mcp-param-region": encoded, "mcp-param-shard": "4.0" };
  assertEquals((await call({ region, shard: 4 }, both)).status, 200);
  const wrong: [args: Json, headers: Record<string, string>][] = [
    [{ region, shard: 4 }, {}],
    [{ region, shard: 4 }, { ...both, "mcp-param-shard": "5" }],
    [{ region, shard: 4 }, { ...both, "mcp-param-shard": "0x4" }],
    [{ region }, both],
    [{ region, shard: null }, both],
    [{ region: "Lisboa", shard: 4 }, both],
  ];
  for (const [args, headers] of wrong) {
    assertEquals(await errorOf(await call(args, headers)), { status: 400, code: -32020 });
  }
});

Deno.test("mcpServer hides what a tool throws in production, and tells the id of the request", async () => {
  const logged: unknown[] = [];
  const logger = { ...quiet, error: (_: string, fields?: unknown) => void logged.push(fields) };
  const withLogger = { ...logger, with: () => withLogger } as NonNullable<Settings["logger"]>;
  const { exposeErrors: _, ...options } = { exposeErrors: undefined };
  const app = new App({ logRequest: () => false, logger: withLogger });
  const server = kitchen({ ...options, exposeErrors: false });
  app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
  const response = await app.fetch(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        ...modernHeaders("tools/call", "fail"),
        "content-type": "application/json",
        "x-request-id": "abc-123",
      },
      body: JSON.stringify(modern("tools/call", { name: "fail" })),
    }),
  );
  const { result } = await response.json();
  assert(result.isError);
  assertMatch(result.content[0].text, /^The tool fail failed; the id of the request is abc-123$/);
  assertEquals(logged.length, 1);
});

Deno.test("mcpServer: a client that takes no stream gets its JSON", async () => {
  const headers = { ...modernHeaders("tools/call", "progress"), accept: "application/json" };
  const body = modern("tools/call", {
    name: "progress",
    arguments: { steps: 2 },
    _meta: { ...meta, progressToken: 7 },
  });
  const response = await endpoint().post(body, headers);
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals((await response.json()).result.content[0].text, "2 steps");
  const listen = modern("subscriptions/listen", { notifications: {} });
  const refused = await endpoint().post(listen, {
    ...modernHeaders("subscriptions/listen"),
    accept: "application/json",
  });
  assertEquals(refused.status, 406);
  await refused.body?.cancel();
});

Deno.test("mcpServer sends log messages of a stateless call only where it asks for them", async () => {
  const run = async (level: string | undefined): Promise<string[]> => {
    const own = level === undefined ? {} : { "io.modelcontextprotocol/logLevel": level };
    const body = modern("tools/call", {
      name: "progress",
      arguments: { steps: 2 },
      _meta: { ...meta, ...own },
    });
    const response = await endpoint().post(body, modernHeaders("tools/call", "progress"));
    return [...(await response.text()).matchAll(/"method":"([^"]+)"/g)].map(([, method = ""]) =>
      method
    );
  };
  assertEquals(await run("info"), ["notifications/message", "notifications/message"]);
  assertEquals(await run("error"), []);
  assertEquals(await run(undefined), []);
  const wrong = modern("tools/call", {
    name: "echo",
    _meta: { ...meta, "io.modelcontextprotocol/logLevel": "loud" },
  });
  assertEquals(await errorOf(await endpoint().post(wrong, echoHeaders)), {
    status: 400,
    code: -32602,
  });
});

Deno.test("mcpServer: the end of a stateless stream cancels the call", async () => {
  const served = serve(kitchen());
  const before = stopped.count;
  // A call that says nothing is noticed as well: its stream begins by itself.
  const quietWait = mcpTool({ name: "quiet", description: "Waits." }, async (_, { signal }) => {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    stopped.count++;
  });
  const other = serve(kitchen({ tools: [quietWait] }));
  const call = async (url: string, name: string): Promise<void> => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        ...modernHeaders("tools/call", name),
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(
        modern("tools/call", {
          name,
          _meta: { ...meta, progressToken: 1 },
          pad: "x".repeat(2_000),
        }),
      ),
    });
    await response.body?.cancel();
  };
  await call(served.url, "wait");
  await until(() => stopped.count === before + 1, "the first tool to stop");
  await call(other.url, "quiet");
  await until(() => stopped.count === before + 2, "the second tool to stop");
  await served.stop();
  await other.stop();
});

Deno.test("mcpServer ends a call that takes too long, also one that ignores its signal", async () => {
  const deaf = mcpTool(
    { name: "deaf", description: "Ignores everything.", timeoutMs: 50 },
    () => new Promise(() => {}),
  );
  const response = await endpoint({ tools: [deaf] }).post(
    modern("tools/call", { name: "deaf" }),
    modernHeaders("tools/call", "deaf"),
  );
  assertMatch((await response.json()).error.message, /longer than 50 ms/);
});

// --- Questions over several requests

const withForms = { ...meta, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };

async function greet(at: Endpoint, params: Json): Promise<Json> {
  const body = modern("tools/call", { name: "greet", arguments: {}, _meta: withForms, ...params });
  return await (await at.post(body, modernHeaders("tools/call", "greet"))).json();
}

Deno.test("mcpServer asks in several rounds, with a state that belongs to the call", async () => {
  let now = 1_000;
  const at = endpoint({ secret: "k".repeat(32), now: () => now });
  const first = (await greet(at, {})).result as Json;
  assertEquals(first.resultType, "input_required");
  assertEquals(Object.keys(first.inputRequests as Json), ["question-1"]);
  const inputResponses = { "question-1": { action: "accept", content: { name: "Ada" } } };
  const second = (await greet(at, { inputResponses, requestState: first.requestState }))
    .result as Json;
  assertEquals(Object.keys(second.inputRequests as Json), ["question-2"]);
  // The first answer travels in the state alone.
  const answer = { "question-2": { action: "accept", content: { age: 36 } } };
  const last = { inputResponses: answer, requestState: second.requestState };
  const done = (await greet(at, last)).result as { content: Json[] };
  assertEquals(done.content[0]?.text, "Ada is 36");

  const bad: [name: string, params: Json][] = [
    ["a changed state", { ...last, requestState: `x${second.requestState}` }],
    ["a state without its signature", {
      ...last,
      requestState: String(second.requestState).split(".")[0],
    }],
    ["other arguments", { ...last, arguments: { other: true } }],
    ["a state that is no text", { ...last, requestState: { answers: {} } }],
    ["answers that are a list", { inputResponses: [] }],
    ["an answer that is no object", { inputResponses: { "question-1": "yes" } }],
  ];
  for (const [name, params] of bad) {
    assertEquals(((await greet(at, params)).error as Json).code, -32602, name);
  }
  const replica = endpoint({ secret: "k".repeat(32), now: () => now });
  assertEquals(((await greet(replica, last)).result as Json).resultType, "complete");
  const stranger = endpoint({ secret: "s".repeat(32), now: () => now });
  assertEquals(((await greet(stranger, last)).error as Json).code, -32602);
  now += 2 * 3_600_000;
  assertEquals(((await greet(at, last)).error as Json).code, -32602, "a state that is too old");
});

Deno.test("mcpServer: replicas of an application finish each other's calls, also while its secret changes", async () => {
  const [old, secret] = ["o".repeat(32), "n".repeat(32)];
  const { requestState } = (await greet(endpoint({}, { secret: old }), {})).result as Json;
  const answer = { requestState };
  const rotated = endpoint({}, { secret, previousSecret: old });
  assertEquals(((await greet(rotated, answer)).result as Json).resultType, "input_required");
  assertEquals(((await greet(endpoint({}, { secret }), answer)).error as Json).code, -32602);
});

Deno.test("mcpServer: a state of one user is none of another", async () => {
  const at = endpoint({ identify: (c) => c.request.headers.get("x-user") ?? undefined });
  const ask = async (user: string, params: Json): Promise<Json> => {
    const body = modern("tools/call", {
      name: "greet",
      arguments: {},
      _meta: withForms,
      ...params,
    });
    return await (await at.post(body, { ...modernHeaders("tools/call", "greet"), "x-user": user }))
      .json();
  };
  const { requestState } = (await ask("ada", {})).result as Json;
  assertEquals(((await ask("eve", { requestState })).error as Json).code, -32602);
  assertEquals(((await ask("ada", { requestState })).result as Json).resultType, "input_required");
});

Deno.test("mcpServer: an answer that does not fit its form goes back to the model", async () => {
  const inputResponses = { "question-1": { action: "accept", content: { name: "" } } };
  const body = await greet(endpoint(), { inputResponses });
  assertEquals((body.error as Json).code, -32602);
  const declined = await greet(endpoint(), {
    inputResponses: { "question-1": { action: "decline" } },
  });
  assertEquals((declined.result as { content: Json[] }).content[0]?.text, "The user said decline");
});

// --- Sessions

async function initialize(at: Endpoint, version = "2025-11-25"): Promise<Record<string, string>> {
  const response = await at.post({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: version, capabilities: {}, clientInfo: { name: "t", version: "1" } },
  });
  assertEquals(response.status, 200);
  await response.body?.cancel();
  return {
    "mcp-session-id": response.headers.get("mcp-session-id") ?? "",
    "mcp-protocol-version": version,
  };
}

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

Deno.test("mcpServer agrees on a revision with sessions", async () => {
  for (
    const [asked, given] of [["2025-06-18", "2025-06-18"], ["2025-11-25", "2025-11-25"], [
      "2024-11-05",
      "2025-11-25",
    ]]
  ) {
    const response = await endpoint().post({
      jsonrpc: "2.0",
      id: 0,
      method: "initialize",
      params: { protocolVersion: asked, capabilities: {}, clientInfo: { name: "t", version: "1" } },
    });
    assertMatch(response.headers.get("mcp-session-id") ?? "", /^[\w-]{43}$/);
    const { result } = await response.json();
    assertEquals(result.protocolVersion, given);
    assertEquals(result.resultType, undefined);
  }
});

Deno.test("mcpServer ends a session with DELETE, and does not know it afterwards", async () => {
  const at = endpoint();
  const session = await initialize(at);
  assertEquals((await at.post(ping, session)).status, 200);
  assertEquals(
    (await at.post({ jsonrpc: "2.0", method: "notifications/initialized" }, session)).status,
    202,
  );
  assertEquals((await at.send("DELETE", session)).status, 204);
  assertEquals((await errorOf(await at.post(ping, session))).status, 404);
  assertEquals((await at.send("GET", {})).status, 405);
});

Deno.test("mcpServer bounds its sessions in number and in time", async () => {
  let now = 0;
  const at = endpoint({ maxSessions: 2, sessionIdleMs: 600_000, now: () => now });
  const first = await initialize(at);
  now += 30_000;
  const second = await initialize(at);
  const open = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {} },
  };
  const full = await at.post(open);
  // A flood of new sessions must not end the ones in use.
  assertEquals([full.status, full.headers.get("retry-after")], [503, "60"]);
  await full.body?.cancel();
  now += 40_000;
  assertEquals((await at.post(open)).status, 200);
  assertEquals((await at.post(ping, first)).status, 404);
  assertEquals((await at.post(ping, second)).status, 200);
  now += 600_001;
  assertEquals((await at.post(ping, second)).status, 404);
});

Deno.test("mcpServer: a session belongs to its user", async () => {
  const at = endpoint({ identify: (c) => c.request.headers.get("x-user") ?? undefined });
  const open = {
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {} },
  };
  const response = await at.post(open, { "x-user": "ada" });
  const session = { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
  await response.body?.cancel();
  assertEquals((await at.post(ping, { ...session, "x-user": "ada" })).status, 200);
  assertEquals((await at.post(ping, { ...session, "x-user": "eve" })).status, 404);
  assertEquals((await at.send("DELETE", { ...session, "x-user": "eve" })).status, 404);
});

interface Event {
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads events until one matches. */
async function readUntil(
  response: Response,
  wanted: string,
): Promise<{ events: Event[]; cancel: () => Promise<void> }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let whole = "";
  while (!whole.includes(wanted)) {
    const { done, value } = await reader?.read() ?? { done: true, value: undefined };
    if (done) break;
    whole += value;
  }
  const events = whole.split("\n\n").filter((each) => each.includes("data:")).map((
    each,
  ): Event => ({
    id: /^id: (.*)$/m.exec(each)?.[1],
    data: /^data: ?(.*)$/m.exec(each)?.[1] ?? "",
  }));
  return { events, cancel: async () => await reader?.cancel() };
}

Deno.test("mcpServer: a client that lost its stream gets the rest of it, and of no other", async () => {
  const served = serve(kitchen());
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const at: Endpoint = {
    post: (body, more = {}) =>
      fetch(served.url, {
        method: "POST",
        headers: { ...headers, ...more },
        body: JSON.stringify(body),
      }),
    send: (method, more = {}) =>
      fetch(served.url, { method, headers: { accept: "text/event-stream", ...more } }),
  };
  const session = await initialize(at);
  const body = {
    jsonrpc: "2.0",
    id: 5,
    method: "tools/call",
    params: { name: "progress", arguments: { steps: 20 }, _meta: { progressToken: "p" } },
  };
  const first = await readUntil(await at.post(body, session), '"progress":3');
  await first.cancel();
  assertEquals(first.events[0]?.data, "", "the first event tells where to resume");
  const last = first.events.at(-1)?.id ?? "";
  await new Promise((resolve) => setTimeout(resolve, 50));
  const rest = await readUntil(
    await at.send("GET", { ...session, "last-event-id": last }),
    '"20 steps"',
  );
  const seen = [...first.events, ...rest.events].flatMap(({ data }) => {
    const message = data === "" ? {} : JSON.parse(data);
    return message.params?.progressToken === "p" ? [message.params.progress] : [];
  });
  assertEquals(seen, Array.from({ length: 20 }, (_, index) => index + 1));
  await rest.cancel();
  const unknown = await at.send("GET", { ...session, "last-event-id": "r99_1" });
  assertEquals(unknown.status, 400);
  await unknown.body?.cancel();
  await served.stop();
});

Deno.test("mcpServer tells sessions and listeners of changes that they want to hear of", async () => {
  const server = kitchen();
  const served = serve(server);
  const headers = {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  const at: Endpoint = {
    post: (body, more = {}) =>
      fetch(served.url, {
        method: "POST",
        headers: { ...headers, ...more },
        body: JSON.stringify(body),
      }),
    send: (method, more = {}) =>
      fetch(served.url, { method, headers: { accept: "text/event-stream", ...more } }),
  };
  const session = await initialize(at);
  const subscribed = await at.post({
    jsonrpc: "2.0",
    id: 2,
    method: "resources/subscribe",
    params: { uri: "note://1" },
  }, session);
  assertEquals((await subscribed.json()).result, {});
  const stream = await at.send("GET", session);
  const listen = await at.post(
    modern("subscriptions/listen", {
      notifications: {
        toolsListChanged: true,
        resourceSubscriptions: ["note://1"],
        unknownThings: true,
      },
    }, "sub-1"),
    modernHeaders("subscriptions/listen"),
  );
  assertEquals(listen.headers.get("x-accel-buffering"), "no");
  server.setPrompts([]);
  server.resourceUpdated("note://2");
  server.resourceUpdated("note://1");
  server.setResources([resource({ uri: "note://3", name: "third" }, () => "x")]);
  server.setTools([]);
  const own = await readUntil(stream, "tools/list_changed");
  assertEquals(own.events.map(({ data }) => data === "" ? "" : JSON.parse(data).method), [
    "",
    "notifications/prompts/list_changed",
    "notifications/resources/updated",
    "notifications/resources/list_changed",
    "notifications/tools/list_changed",
  ]);
  const heard = await readUntil(listen, "tools/list_changed");
  const messages = heard.events.map(({ data }) => JSON.parse(data));
  assertEquals(messages.map(({ method }) => method), [
    "notifications/subscriptions/acknowledged",
    "notifications/resources/updated",
    "notifications/tools/list_changed",
  ]);
  assertEquals(messages[0].params.notifications, {
    toolsListChanged: true,
    resourceSubscriptions: ["note://1"],
  });
  assert(
    messages.every(({ params }) =>
      params._meta["io.modelcontextprotocol/subscriptionId"] === "sub-1"
    ),
  );
  await own.cancel();
  await heard.cancel();
  await served.stop();
});

Deno.test("mcpServer.close ends a stream of changes with a response", async () => {
  const server = kitchen();
  const served = serve(server);
  const response = await fetch(served.url, {
    method: "POST",
    headers: {
      ...modernHeaders("subscriptions/listen"),
      "content-type": "application/json",
      accept: "text/event-stream",
    },
    body: JSON.stringify(modern("subscriptions/listen", { notifications: {} }, 9)),
  });
  setTimeout(() => server.close(), 20);
  const text = await response.text();
  const last = JSON.parse(text.trim().split("\n\n").at(-1)?.slice("data: ".length) ?? "");
  assertEquals(last.id, 9);
  assertEquals(last.result._meta["io.modelcontextprotocol/subscriptionId"], 9);
  await served.stop();
});

Deno.test("mcpServer bounds the streams of changes", async () => {
  // The sessions of the endpoint listen too.
  const served = serve(kitchen({ maxListeners: 2 }));
  const listen = (): Promise<Response> =>
    fetch(served.url, {
      method: "POST",
      headers: { ...modernHeaders("subscriptions/listen"), "content-type": "application/json" },
      body: JSON.stringify(modern("subscriptions/listen", { notifications: {} })),
    });
  const first = await listen();
  const second = await listen();
  assertEquals([first.status, second.status], [200, 503]);
  await first.body?.cancel();
  await second.body?.cancel();
  await served.stop();
});

const badOptions: [name: string, make: () => unknown, message: RegExp][] = [
  ["an empty name", () => kitchen({ name: "" }), /option "name"/],
  ["a page of nothing", () => kitchen({ pageSize: 0 }), /pageSize/],
  ["a timeout that no timer takes", () => kitchen({ callTimeoutMs: 1e10 }), /callTimeoutMs/],
  [
    "two tools of one name",
    () => kitchen({ tools: [echoTool(), echoTool()] }),
    /two tools "twice"/,
  ],
  [
    "a name with a space",
    () => mcpTool({ name: "a b", description: "" }, () => ""),
    /name the tool "a b"/,
  ],
  [
    "a name of a megabyte",
    () => mcpTool({ name: "a".repeat(1_000_000), description: "" }, () => ""),
    /a{80}…/,
  ],
  [
    "a header without its argument",
    () => mcpTool({ name: "a", description: "", headers: { b: "B" } }, () => ""),
    /no such argument/,
  ],
  ["a relative resource", () => resource({ uri: "notes", name: "n" }, () => ""), /absolute URI/],
];

function echoTool(): ReturnType<typeof mcpTool> {
  return mcpTool({ name: "twice", description: "", input: struct({ text: text() }) }, () => "");
}

for (const [name, make, message] of badOptions) {
  Deno.test(`mcpServer refuses at boot: ${name}`, () => {
    let failure = "";
    try {
      make();
    } catch (error) {
      failure = error instanceof Error ? error.message : "";
    }
    assertMatch(failure, message);
  });
}
