/** The endpoint's responses to HTTP messages: eras, headers, errors, streams. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { mcpServer, mcpTool } from "../../../ai/mcp/mod.ts";
import type { Settings } from "../../../mod.ts";
import {
  appOf,
  endpoint,
  endpointOf,
  errorOf,
  type Json,
  meta,
  modern,
  modernHeaders,
  readUntil,
  rpc,
  statusOf,
} from "./endpoint.ts";
import { kitchen, stopped } from "./kitchen.ts";
import { quiet, serve, type ServedApp } from "./support.ts";
import { until } from "../../until.ts";

const echoCall = modern("tools/call", { name: "echo", arguments: { text: "x" } });
const echoHeaders = modernHeaders("tools/call", "echo");

const list = rpc("tools/list");
const ping = rpc("ping");
const listHeaders = modernHeaders("tools/list");
const versionKey = "io.modelcontextprotocol/protocolVersion";

const refused: [string, body: unknown, headers: Record<string, string>, number, code: number][] = [
  ["no JSON", "{", {}, 400, -32700],
  ["JSON that is nested too deeply", "[".repeat(5_000) + "]".repeat(5_000), {}, 400, -32700],
  ["a list", [echoCall], echoHeaders, 400, -32600],
  ["not a message", { hello: 1 }, {}, 400, -32600],
  ["an id that is null", { ...ping, id: null }, {}, 400, -32600],
  ["an id with a fraction", { ...ping, id: 1.5 }, {}, 400, -32600],
  ["params that are an array", { ...ping, params: [] }, {}, 400, -32600],
  ["no version header", echoCall, { "mcp-method": "tools/call", "mcp-name": "echo" }, 400, -32020],
  ["no method header", echoCall, { ...echoHeaders, "mcp-method": "" }, 400, -32020],
  ["another method", echoCall, { ...echoHeaders, "mcp-method": "tools/list" }, 400, -32020],
  ["another name in the header", echoCall, { ...echoHeaders, "mcp-name": "add" }, 400, -32020],
  ["broken Base64", echoCall, { ...echoHeaders, "mcp-name": "=?base64?#?=" }, 400, -32020],
  [
    "another version in the header",
    echoCall,
    { ...echoHeaders, "mcp-protocol-version": "2027-01-01" },
    400,
    -32020,
  ],
  [
    "a revision that the server does not support",
    modern("tools/list", { _meta: { ...meta, [versionKey]: "2099-01-01" } }),
    { ...listHeaders, "mcp-protocol-version": "2099-01-01" },
    400,
    -32022,
  ],
  ["no _meta", { ...list, params: {} }, listHeaders, 400, -32602],
  [
    "no capabilities",
    modern("tools/list", { _meta: { [versionKey]: "2026-07-28" } }),
    listHeaders,
    400,
    -32602,
  ],
  ["a method that does not exist", modern("tools/burn"), modernHeaders("tools/burn"), 404, -32601],
  ["a method of older revisions", modern("ping"), modernHeaders("ping"), 404, -32601],
  ["the old handshake", modern("initialize"), modernHeaders("initialize"), 404, -32601],
  ["no tool", modern("tools/call", { name: "no" }), modernHeaders("tools/call", "no"), 400, -32602],
  ["a tool without a name", modern("tools/call"), modernHeaders("tools/call", ""), 400, -32020],
  [
    "a question to a client without forms",
    modern("tools/call", { name: "greet" }),
    modernHeaders("tools/call", "greet"),
    400,
    -32021,
  ],
  [
    "a cursor that the server did not issue",
    modern("tools/list", { cursor: "99" }),
    listHeaders,
    200,
    -32602,
  ],
  ["an odd cursor", modern("tools/list", { cursor: { toString: 1 } }), listHeaders, 200, -32602],
  [
    "a state that the server did not issue",
    modern("tools/call", { name: "echo", arguments: { text: "x" }, requestState: "e30.x" }),
    echoHeaders,
    200,
    -32602,
  ],
  ["a message before the handshake", list, {}, 400, -32600],
  ["a session that does not exist", list, { "mcp-session-id": "made-up" }, 404, -32600],
  [
    "an invalid version header",
    list,
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

Deno.test("mcpServer returns the id of a malformed request only", async () => {
  const bodies = [{ ...ping, id: 7, params: [] }, { jsonrpc: "2.0", id: 7, result: "x" }];
  const errors = bodies.map(async (body) => (await (await endpoint().post(body)).json()).id);
  assertEquals(await Promise.all(errors), [7, undefined]);
});

for (const cursor of [null, ""]) {
  Deno.test(`mcpServer lists from the start for the cursor ${JSON.stringify(cursor)}`, async () => {
    const request = modern("tools/list", { cursor });
    const { result } = await (await endpoint().post(request, listHeaders)).json();
    assert(result.tools.length > 0);
  });
}

Deno.test("mcpServer refuses bodies of another type or over the limit", async () => {
  const { post } = endpoint({}, { maxBodyBytes: 100 });
  assertEquals((await post("{}", { "content-type": "text/plain" })).status, 415);
  assertEquals((await post({ text: "x".repeat(200) })).status, 413);
});

Deno.test("mcpServer names the revisions it serves", async () => {
  const found = await endpoint().post(modern("server/discover"), modernHeaders("server/discover"));
  const { result } = await found.json();
  assertEquals(result.supportedVersions, ["2026-07-28", "2025-11-25", "2025-06-18"]);
  assertEquals([result.resultType, result.ttlMs, result.cacheScope], ["complete", 0, "private"]);
  assertEquals(result._meta["io.modelcontextprotocol/serverInfo"].title, "Kitchen");
});

Deno.test("mcpServer marks every stateless result, and no result of older revisions", async () => {
  const { post } = endpoint();
  const { result } = await (await post(modern("tools/list"), modernHeaders("tools/list"))).json();
  assertEquals([result.resultType, result.ttlMs, result.cacheScope], ["complete", 0, "private"]);
  const read = await post(
    modern("resources/read", { uri: "note://1" }),
    modernHeaders("resources/read", "note://1"),
  );
  assertEquals((await read.json()).result.ttlMs, 0);
  const call = await (await post(echoCall, echoHeaders)).json();
  assertEquals(call.result, {
    resultType: "complete",
    content: [{ type: "text", text: "x" }],
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "kitchen", version: "1.2.3" } },
  });
});

Deno.test("mcpServer decodes names and compares numbers in headers by value", async () => {
  const at = endpoint();
  const region = "Évora";
  const encoded = `=?base64?${new TextEncoder().encode(region).toBase64()}?=`;
  const call = (args: Json, headers: Record<string, string>): Promise<Response> =>
    at.call("routed", { arguments: args }, { "mcp-name": "=?base64?cm91dGVk?=", ...headers });
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

Deno.test("mcpServer hides the message of a tool's error in production and returns the request id", async () => {
  const logged: unknown[] = [];
  const logger = { ...quiet, error: (_: string, fields?: unknown) => void logged.push(fields) };
  const withLogger = { ...logger, with: () => withLogger } as NonNullable<Settings["logger"]>;
  const at = endpoint({}, { logger: withLogger });
  const response = await at.call("fail", {}, { "x-request-id": "abc-123" });
  const { result } = await response.json();
  assert(result.isError);
  assertMatch(result.content[0].text, /^The tool fail failed; the request id is abc-123$/);
  assertEquals(logged.length, 1);
});

Deno.test("mcpServer: a client that does not accept streams gets JSON", async () => {
  const accept = "application/json";
  const params = { arguments: { steps: 2 }, _meta: { ...meta, progressToken: 7 } };
  const response = await endpoint().call("progress", params, { accept });
  assertEquals(response.headers.get("content-type"), "application/json");
  assertEquals((await response.json()).result.content[0].text, "2 steps");
});

Deno.test("mcpServer: closing a stateless stream cancels the call", async () => {
  await using served = serve(kitchen());
  const before = stopped.count;
  // A silent call is noticed too, because its stream starts by itself.
  const quietWait = mcpTool({ name: "quiet", description: "Waits." }, async (_, { signal }) => {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    stopped.count++;
  });
  await using other = serve(kitchen({ tools: [quietWait] }));
  const call = async ({ app, url }: ServedApp, name: string): Promise<void> => {
    const params = { _meta: { ...meta, progressToken: 1 }, pad: "x".repeat(2_000) };
    await statusOf(endpointOf(app, url).call(name, params));
  };
  await call(served, "wait");
  await until(() => stopped.count === before + 1, "the first tool to stop");
  await call(other, "quiet");
  await until(() => stopped.count === before + 2, "the second tool to stop");
});

Deno.test("mcpServer: closing an unread stream cancels the call", async () => {
  const before = stopped.count;
  const { setTimeout } = globalThis;
  // The fake clock skips five seconds.
  globalThis.setTimeout =
    ((fn: () => void, ms: number) => setTimeout(fn, ms === 5_000 ? 0 : ms)) as typeof setTimeout;
  try {
    await endpoint().call("wait", { _meta: { ...meta, progressToken: 1 } });
    await until(() => stopped.count === before + 1, "the tool to stop");
  } finally {
    globalThis.setTimeout = setTimeout;
  }
});

Deno.test("mcpServer: the request deadline cancels the call of a client without streams", async () => {
  const before = stopped.count;
  const at = endpoint({}, { timeouts: { writeMs: 20 } });
  assertEquals(await statusOf(at.call("wait", {}, { accept: "application/json" })), 503);
  await until(() => stopped.count === before + 1, "the tool to stop");
});

Deno.test("mcpServer ends a call at its timeout, even if it ignores its signal", async () => {
  const description = "Ignores everything.";
  const deaf = mcpTool({ name: "deaf", description, timeoutMs: 50 }, () => new Promise(() => {}));
  const response = await endpoint({ tools: [deaf] }).call("deaf");
  assertMatch((await response.json()).error.message, /longer than 50 ms/);
});

const long = "x".repeat(100_000);

Deno.test("mcpServer refuses an id that it would repeat a thousand times", async () => {
  const at = endpoint();
  const request = modern("tools/list", {}, long);
  const found = await errorOf(await at.post(request, modernHeaders("tools/list")));
  assertEquals(found, { status: 400, code: -32600 });
  const fine = modern("tools/list", {}, "x".repeat(256));
  assertEquals((await at.post(fine, modernHeaders("tools/list"))).status, 200);
});

/** Calls a tool that reports progress often, and reads the response after it has ended. */
async function callNoisy(progressToken: string, message: string, result = "done"): Promise<string> {
  const noisy = mcpTool({ name: "noisy", description: "" }, async (_, call) => {
    for (let step = 1; step <= 2_000; step++) call.progress(step, { message });
    await new Promise((resolve) => setTimeout(resolve, 1));
    return result;
  });
  const at = endpointOf(appOf(mcpServer({ name: "n", version: "1", tools: [noisy] })));
  const response = await at.call("noisy", { _meta: { ...meta, progressToken } });
  return await response.text();
}

Deno.test("mcpServer limits the characters buffered for a client that does not read", async () => {
  const text = await callNoisy("token", "y".repeat(10_000));
  assert(text.length < 1_300_000, String(text.length));
  assert(text.includes('"done"'), "the result always comes");
  const long = await callNoisy("token", "", "z".repeat(1_200_000));
  assert(long.includes('zz"'), "even one over the limit");
});

Deno.test("mcpServer buffers equal changes once for a client that does not read", async () => {
  const server = mcpServer({ name: "n", version: "1" });
  const notifications = { resourceSubscriptions: ["note://1", "note://2"] };
  const response = await endpointOf(appOf(server)).post(
    modern("subscriptions/listen", { notifications }),
    modernHeaders("subscriptions/listen"),
  );
  for (let count = 0; count < 1_000; count++) {
    server.resourceUpdated("note://1");
    server.resourceUpdated("note://2");
  }
  const { text, cancel } = await readUntil(response, '"uri":"note://2"');
  await cancel();
  assertEquals(text.match(/resources\/updated/g)?.length, 2);
});

Deno.test("mcpServer reports no progress for a token that is too long", async () => {
  const text = await callNoisy(long, "");
  assert(!text.includes("notifications/progress"));
  assert(text.includes('"done"'));
});

Deno.test("mcpServer stores only the needed parts of the handshake in a session", async () => {
  let seen: unknown;
  const look = mcpTool({ name: "look", description: "" }, (_, call) => {
    seen = [call.client, call.can("elicit"), call.can("elicitUrl")];
    return "";
  });
  const at = endpoint({ tools: [look] });
  const session = await at.open({}, {
    capabilities: { elicitation: { form: { long }, url: { long } }, experimental: { long } },
    clientInfo: { name: long, version: long, title: long, icons: [{ src: long }], other: long },
  });
  await statusOf(at.post(rpc("tools/call", { name: "look" }), session));
  assert(JSON.stringify(seen).length < 1_000, "what is kept is short");
  assertEquals((seen as unknown[]).slice(1), [true, true]);
  assert((session["mcp-session-id"] ?? "").length < 1_024, "the id fits a header");
});
