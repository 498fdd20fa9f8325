/** Sessions over HTTP, and the streams of both eras. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { resource } from "../../../ai/mcp/mod.ts";
import {
  endpoint,
  endpointOf,
  handshake,
  modern,
  modernHeaders,
  readUntil,
  rpc,
  statusOf,
} from "./endpoint.ts";
import { kitchen } from "./kitchen.ts";
import { serve } from "./support.ts";

const ping = rpc("ping");
const listenHeaders = modernHeaders("subscriptions/listen");

function listen(notifications: object = {}, id: unknown = 1): Record<string, unknown> {
  return modern("subscriptions/listen", { notifications }, id);
}

for (
  const [asked, given] of [
    ["2025-06-18", "2025-06-18"],
    ["2025-11-25", "2025-11-25"],
    ["2024-11-05", "2025-11-25"],
  ]
) {
  Deno.test(`mcpServer agrees on a revision with sessions: ${asked}`, async () => {
    const response = await endpoint().post(handshake({ protocolVersion: asked }));
    assertMatch(response.headers.get("mcp-session-id") ?? "", /^[\w-]{43}$/);
    const { result } = await response.json();
    assertEquals([result.protocolVersion, result.resultType], [given, undefined]);
  });
}

Deno.test("mcpServer ends a session with DELETE, and does not know it afterwards", async () => {
  const at = endpoint();
  const session = await at.open();
  const told = { jsonrpc: "2.0", method: "notifications/initialized" };
  const statuses = [
    await statusOf(at.post(ping, session)),
    await statusOf(at.post(told, session)),
    await statusOf(at.send("DELETE", session)),
    await statusOf(at.post(ping, session)),
    await statusOf(at.send("GET", {})),
  ];
  assertEquals(statuses, [200, 202, 204, 404, 405]);
});

Deno.test("mcpServer bounds its sessions in number and in time", async () => {
  let now = 0;
  const at = endpoint({ maxSessions: 2, sessionIdleMs: 600_000, now: () => now });
  const first = await at.open();
  now += 30_000;
  const second = await at.open();
  const full = await at.post(handshake());
  // A flood of new sessions must not end the ones in use.
  assertEquals([await statusOf(full), full.headers.get("retry-after")], [503, "60"]);
  now += 40_000;
  await at.open();
  assertEquals(await statusOf(at.post(ping, first)), 404);
  assertEquals(await statusOf(at.post(ping, second)), 200);
  now += 600_001;
  assertEquals(await statusOf(at.post(ping, second)), 404);
});

Deno.test("mcpServer: a session belongs to its user", async () => {
  const at = endpoint({ identify: (c) => c.request.headers.get("x-user") ?? undefined });
  const session = await at.open({ "x-user": "ada" });
  const stolen = { ...session, "x-user": "eve" };
  assertEquals(await statusOf(at.post(ping, session)), 200);
  assertEquals(await statusOf(at.post(ping, stolen)), 404);
  assertEquals(await statusOf(at.send("DELETE", stolen)), 404);
});

Deno.test("mcpServer: a client that lost its stream gets the rest of it, and of no other", async () => {
  const served = serve(kitchen());
  const at = endpointOf(served.app, served.url);
  const session = await at.open();
  const params = { name: "progress", arguments: { steps: 20 }, _meta: { progressToken: "p" } };
  const response = await at.post(rpc("tools/call", params, 5), session);
  const first = await readUntil(response, '"progress":3');
  await first.cancel();
  assertEquals(first.events[0]?.data, "", "the first event tells where to resume");
  const last = first.events.at(-1)?.id ?? "";
  await new Promise((resolve) => setTimeout(resolve, 50));
  const resumed = await at.send("GET", { ...session, "last-event-id": last });
  const rest = await readUntil(resumed, '"20 steps"');
  const seen = [...first.events, ...rest.events].flatMap(({ data }) => {
    const message = data === "" ? {} : JSON.parse(data);
    return message.params?.progressToken === "p" ? [message.params.progress] : [];
  });
  assertEquals(seen, Array.from({ length: 20 }, (_, index) => index + 1));
  await rest.cancel();
  const unknown = at.send("GET", { ...session, "last-event-id": "r99_1" });
  assertEquals(await statusOf(unknown), 400);
  await served.stop();
});

Deno.test("mcpServer tells sessions and listeners of changes that they want to hear of", async () => {
  const server = kitchen();
  const served = serve(server);
  const at = endpointOf(served.app, served.url);
  const session = await at.open();
  const subscribed = await at.post(rpc("resources/subscribe", { uri: "note://1" }), session);
  assertEquals((await subscribed.json()).result, {});
  const stream = await at.send("GET", session);
  const wanted = { toolsListChanged: true, resourceSubscriptions: ["note://1"] };
  const told = await at.post(listen({ ...wanted, unknownThings: true }, "sub-1"), listenHeaders);
  assertEquals(told.headers.get("x-accel-buffering"), "no");
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
  const heard = await readUntil(told, "tools/list_changed");
  const messages = heard.events.map(({ data }) => JSON.parse(data));
  assertEquals(messages.map(({ method }) => method), [
    "notifications/subscriptions/acknowledged",
    "notifications/resources/updated",
    "notifications/tools/list_changed",
  ]);
  assertEquals(messages[0].params.notifications, wanted);
  const idKey = "io.modelcontextprotocol/subscriptionId";
  assert(messages.every(({ params }) => params._meta[idKey] === "sub-1"));
  await own.cancel();
  await heard.cancel();
  await served.stop();
});

Deno.test("mcpServer.close ends a stream of changes with a response", async () => {
  const server = kitchen();
  const served = serve(server);
  const response = await endpointOf(served.app, served.url).post(listen({}, 9), listenHeaders);
  setTimeout(() => server.close(), 20);
  const text = await response.text();
  const last = JSON.parse(text.trim().split("\n\n").at(-1)?.slice("data: ".length) ?? "");
  assertEquals([last.id, last.result._meta["io.modelcontextprotocol/subscriptionId"]], [9, 9]);
  await served.stop();
});

Deno.test("mcpServer bounds the streams of changes", async () => {
  const served = serve(kitchen({ maxListeners: 1 }));
  const at = endpointOf(served.app, served.url);
  const first = await at.post(listen(), listenHeaders);
  const second = await at.post(listen(), listenHeaders);
  assertEquals([await statusOf(first), await statusOf(second)], [200, 503]);
  await served.stop();
});

Deno.test("mcpServer keeps no place for a stream of changes that is refused or never read", async () => {
  const served = serve(kitchen({ maxListeners: 3 }), { settings: { openLimits: { client: 2 } } });
  // In the process there is no client whose streams are counted.
  for (let turn = 0; turn < 5; turn++) {
    assertEquals(await statusOf(endpointOf(served.app).post(listen(), listenHeaders)), 200);
  }
  const at = endpointOf(served.app, served.url);
  const responses: Response[] = [];
  for (let turn = 0; turn < 6; turn++) responses.push(await at.post(listen(), listenHeaders));
  assertEquals(responses.map(({ status }) => status), [200, 200, 429, 429, 429, 429]);
  await Promise.all(responses.map(statusOf));
  await served.stop();
});
