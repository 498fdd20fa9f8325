/** Sessions over HTTP: their signed ids contain what the client declared. */
import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import {
  type Endpoint,
  endpoint,
  endpointOf,
  handshake,
  meta,
  modern,
  modernHeaders,
  readUntil,
  rpc,
  statusOf,
} from "./endpoint.ts";
import { McpError, mcpTool } from "../../../ai/mcp/mod.ts";
import { kitchen, stopped } from "./kitchen.ts";
import { repeatUntil, serve } from "./support.ts";
import { until } from "../../until.ts";
import { ownSettings, Session, SharedSettings } from "../../../ai/mcp/server/sessions/session.ts";
import { openSqlite, sqliteStores } from "../../../data/sqlite/mod.ts";
import { App, Off, provideStores } from "../../../mod.ts";

const ping = rpc("ping");

for (
  const [asked, given] of [
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2024-11-05", "2025-11-25"],
  ]
) {
  Deno.test(`mcpServer negotiates a session revision for ${asked}`, async () => {
    const response = await endpoint().post(handshake({ protocolVersion: asked }));
    assertMatch(response.headers.get("mcp-session-id") ?? "", /^[\w.-]{43,1024}$/);
    const { result } = await response.json();
    assertEquals([result.protocolVersion, result.resultType], [given, undefined]);
  });
}

function listenTo(at: Endpoint, notifications: unknown = {}): Promise<Response> {
  const method = "subscriptions/listen";
  return at.post(modern(method, { notifications }, "sub"), modernHeaders(method));
}

Deno.test("mcpServer: a session accepts requests and notifications until it ends", async () => {
  const at = endpoint();
  const session = await at.open();
  const told = { jsonrpc: "2.0", method: "notifications/initialized" };
  const statuses = [
    await statusOf(at.post(ping, session)),
    await statusOf(at.post(told, session)),
    await statusOf(at.send("GET", { ...session, accept: "application/json" })),
    await statusOf(at.send("DELETE", session)),
    await statusOf(at.post(ping, session)),
    await statusOf(at.send("GET", session)),
    await statusOf(at.send("GET", {})),
    await statusOf(at.send("DELETE", {})),
    await statusOf(at.send("GET", { "mcp-session-id": "made.up" })),
    await statusOf(at.send("DELETE", { "mcp-session-id": "made.up" })),
  ];
  assertEquals(statuses, [200, 202, 406, 204, 404, 404, 405, 405, 404, 404]);
});

Deno.test("mcpServer: ending a session ends its calls and its stream", async () => {
  await using served = serve(kitchen());
  const at = endpointOf(served.app, served.url);
  const session = await at.open();
  const other = await at.open();
  const before = stopped.count;
  const params = { name: "wait", arguments: {}, _meta: { progressToken: "p" } };
  const call = await readUntil(await at.post(rpc("tools/call", params, 5), session), "progress");
  const stream = await at.send("GET", session);
  assertEquals(await statusOf(at.send("DELETE", other)), 204);
  await new Promise((resolve) => setTimeout(resolve, 20));
  assertEquals(stopped.count, before);
  assertEquals(await statusOf(at.send("DELETE", session)), 204);
  assertEquals((await stream.text()).replaceAll(/^:.*/gm, "").trim(), "");
  await until(() => stopped.count > before, "the end of the call");
  await call.cancel();
});

Deno.test("mcpServer sends sessions and change streams the subscribed changes only", async () => {
  const server = kitchen();
  await using served = serve(server);
  const at = endpointOf(served.app, served.url);
  const session = await at.open();
  const subscribed = await at.post(rpc("resources/subscribe", { uri: "note://1" }), session);
  assertEquals((await subscribed.json()).result, {});
  const stream = await at.send("GET", session);
  const told = await listenTo(at, { toolsListChanged: true, resourceSubscriptions: ["note://1"] });
  const begun = await readUntil(told, "acknowledged");
  const { events, cancel } = await repeatUntil(readUntil(stream, "note://"), () => {
    for (const uri of ["note://2", "note://1"]) server.resourceUpdated(uri);
  });
  assertEquals(JSON.parse(events.find(({ data }) => data.includes("note://"))?.data ?? ""), {
    jsonrpc: "2.0",
    method: "notifications/resources/updated",
    params: { uri: "note://1" },
  });
  const { params } = JSON.parse(begun.events.at(-1)?.data ?? "");
  const _meta = { "io.modelcontextprotocol/subscriptionId": "sub" };
  assertEquals(params, { notifications: { resourceSubscriptions: ["note://1"] }, _meta });
  await cancel();
  await begun.cancel();
});

Deno.test("mcpServer frees the place of a refused change stream", async () => {
  await using served = serve(kitchen(), { settings: { openLimits: { client: 2 } } });
  const at = endpointOf(served.app, served.url);
  const session = await at.open();
  const responses = await Promise.all([listenTo(at), listenTo(at)]);
  for (let turn = 0; turn < 2; turn++) {
    responses.push(await listenTo(at), await at.send("GET", session));
  }
  assertEquals(responses.map(({ status }) => status), [200, 200, 429, 429, 429, 429]);
  await Promise.all(responses.map(statusOf));
});

const invalid: readonly (readonly [string, unknown])[] = [
  ["no notifications", null],
  ["no list", { resourceSubscriptions: "note://1" }],
  ["a number", { resourceSubscriptions: [1] }],
  ["too many", { resourceSubscriptions: Array.from({ length: 129 }, (_, at) => `n://${at}`) }],
  ["a long one", { resourceSubscriptions: [`n://${"x".repeat(2_048)}`] }],
];

Deno.test("mcpServer refuses malformed change streams and settings", async (t) => {
  const at = endpoint();
  const session = await at.open();
  const codeOf = async (response: Promise<Response>): Promise<number> =>
    (await (await response).json()).error.code;
  for (const [name, notifications] of invalid) {
    await t.step(`listen: ${name}`, async () => {
      assertEquals(await codeOf(listenTo(at, notifications)), -32602);
    });
  }
  const settings: readonly (readonly [string, Record<string, unknown>])[] = [
    ["logging/setLevel", {}],
    ["logging/setLevel", { level: "loud" }],
    ["resources/subscribe", {}],
    ["resources/subscribe", { uri: "x".repeat(2_049) }],
    ["resources/unsubscribe", { uri: 7 }],
  ];
  for (const [method, params] of settings) {
    await t.step(`${method} ${JSON.stringify(params).slice(0, 40)}`, async () => {
      assertEquals(await codeOf(at.post(rpc(method, params), session)), -32602);
    });
  }
});

Deno.test("mcpServer: a session keeps its settings through many changes, up to a limit", async () => {
  const server = kitchen();
  await using served = serve(server);
  const at = endpointOf(served.app, served.url);
  const session = await at.open();
  const change = async (method: string, uri: string): Promise<unknown> =>
    await (await at.post(rpc(`resources/${method}`, { uri }), session)).json();
  await change("subscribe", "note://kept");
  for (let turn = 0; turn < 200; turn++) {
    await change("subscribe", "note://brief");
    await change("unsubscribe", "note://brief");
  }
  const stream = await at.send("GET", session);
  const { text, cancel } = await repeatUntil(readUntil(stream, "note://"), () => {
    for (const uri of ["note://brief", "note://kept"]) server.resourceUpdated(uri);
  });
  assertStringIncludes(text, "note://kept");
  await cancel();
  for (let turn = 1; turn < 129; turn++) await change("subscribe", `note://${turn}`);
  const { error } = Object(await change("subscribe", "note://too-many"));
  assertEquals(error.code, -32602);
});

Deno.test("mcpServer refuses a session that is forged, expired, or of another user, server or secret", async () => {
  let nowMs = Date.now();
  const identify = (c: { request: Request }) => c.request.headers.get("x-user") ?? undefined;
  const options = { identify, now: () => nowMs };
  const secret = "k".repeat(32);
  const at = endpoint(options, { secret });
  const session = await at.open({ "x-user": "ada" });
  const id = session["mcp-session-id"] ?? "";
  const [payload = "", signature = ""] = id.split(".");
  const rows: readonly (readonly [name: string, at: typeof at, headers: object])[] = [
    ["its user", at, {}],
    ["another user", at, { "x-user": "eve" }],
    ["a forged one", at, { "mcp-session-id": `x${id}` }],
    ["a session without its signature", at, { "mcp-session-id": payload }],
    ["another payload", at, { "mcp-session-id": `e30.${signature}` }],
    ["another server", endpoint({ ...options, name: "other" }, { secret }), {}],
    ["another secret", endpoint(options, { secret: "o".repeat(32) }), {}],
    ["another process with the secret", endpoint(options, { secret }), {}],
  ];
  for (const [name, where, headers] of rows) {
    const status = name === "its user" || name.startsWith("another process") ? 200 : 404;
    assertEquals(await statusOf(where.post(ping, { ...session, ...headers })), status, name);
  }
  nowMs += 30 * 86_400_000 + 1;
  assertEquals(await statusOf(at.post(ping, session)), 404, "after 30 days");
});

Deno.test("mcpServer: a session id is not valid as the state of a call, or the reverse", async () => {
  const at = endpoint();
  const session = await at.open();
  const requestState = session["mcp-session-id"];
  const refused = await at.call("greet", { arguments: {}, requestState });
  assertEquals((await refused.json()).error.code, -32602);
  const _meta = { ...meta, "io.modelcontextprotocol/clientCapabilities": { elicitation: {} } };
  const { result } = await (await at.call("greet", { arguments: {}, _meta })).json();
  const forged = { "mcp-session-id": result.requestState };
  assertEquals(await statusOf(at.post(ping, forged)), 404);
});

Deno.test("mcpServer: a session's call ends with its stream", async () => {
  await using served = serve(kitchen());
  const at = endpointOf(served.app, served.url);
  const session = await at.open();
  const before = stopped.count;
  const params = { name: "wait", arguments: {}, _meta: { progressToken: "p" } };
  const response = await at.post(rpc("tools/call", params, 5), session);
  const { cancel } = await readUntil(response, '"progress":1');
  await cancel();
  await until(() => stopped.count > before, "the end of the call");
});

Deno.test("mcpServer: a session refuses a call whose id is in use, and the 257th at once", async () => {
  const at = endpoint();
  const session = await at.open();
  const params = { name: "wait", arguments: {}, _meta: { progressToken: "p" } };
  const call = (id: number) => at.post(rpc("tools/call", params, id), session);
  const open = [await call(0)];
  assertEquals(
    (await (await call(0)).json()).error.message,
    "A request with this id is running already",
  );
  for (let id = 1; id < 256; id++) open.push(await call(id));
  assertEquals((await (await call(256)).json()).error.message, "Too many requests are running");
  const before = stopped.count;
  await at.send("DELETE", session);
  await until(() => stopped.count === before + 256, "the end of the calls");
  for (const { body } of open) await body?.cancel();
});

Deno.test("a session has at most 1,000 open questions", async () => {
  const client = { revision: "2025-11-25", capabilities: {}, client: undefined };
  const session = new Session(client, ownSettings(new Map()));
  const controller = new AbortController();
  const ask = () =>
    session.ask("roots/list", { params: {}, signal: controller.signal, send: () => {} });
  const open = Promise.allSettled(Array.from({ length: 1_000 }, ask));
  await assertRejects(ask, McpError, "Too many questions");
  controller.abort();
  await open;
});

Deno.test("mcpServer asks questions in a session only if the client accepts streams", async () => {
  const at = endpoint();
  const session = await at.open({}, { capabilities: { elicitation: {} } });
  const greet = rpc("tools/call", { name: "greet", arguments: {} });
  const refused = await at.post(greet, { ...session, accept: "application/json" });
  assertEquals((await refused.json()).error.code, -32021);
  await (await readUntil(await at.post(greet, session), "elicitation/create")).cancel();
});

Deno.test("mcpServer: ends a slow call with 429 if the client has too many streams", async () => {
  let ended = 0;
  const slow = mcpTool({ name: "slow", description: "" }, async (_, { signal }) => {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    ended++;
  });
  const settings = { openLimits: { client: 1 } };
  await using served = serve(kitchen({ tools: [slow] }), { settings });
  const at = endpointOf(served.app, served.url);
  const session = await at.open();
  const call = (id: number) => at.post(rpc("tools/call", { name: "slow" }, id), session);
  const open = await call(1);
  assertEquals([open.status, await statusOf(call(2)), await statusOf(at.call("slow"))], [
    ...[200, 429, 429],
  ]);
  await until(() => ended === 2, "the end of the refused calls");
  await open.body?.cancel();
  await until(() => ended === 3, "the end of the other call");
});

const cases = [["last as long as a stream is open", true], ["end", false]] as const;
for (const [what, isOpen] of cases) {
  Deno.test(`mcpServer: after an hour without a change the settings of a session ${what}`, async () => {
    const { setInterval } = globalThis;
    const clock = { now: Date.now() };
    let renew = (): void => {};
    globalThis.setInterval = ((run: () => void) => {
      renew = run;
      return setInterval(() => {}, 60_000);
    }) as typeof setInterval;
    try {
      const db = await openSqlite(":memory:");
      const replica = (): SharedSettings => {
        const app = new App({ logRequest: Off });
        provideStores(app, sqliteStores(db, { now: () => clock.now }));
        return new SharedSettings(app, "s", () => {});
      };
      const settings = replica();
      await settings.write("level", "error");
      const stop = isOpen ? settings.keepAlive() : () => {};
      for (let quarter = 0; quarter < 5; quarter++) {
        clock.now += 15 * 60_000;
        renew();
        // The database runs operations in order, so these reads follow the writes.
        for (let turn = 0; turn < 5; turn++) await replica().read();
      }
      assertEquals([...await replica().read()], isOpen ? [["level", "error"]] : []);
      stop();
      await db.close();
    } finally {
      globalThis.setInterval = setInterval;
    }
  });
}
