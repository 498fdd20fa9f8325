/** Sessions over HTTP, and the streams of both eras. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { resource } from "../../../ai/mcp/mod.ts";
import { type Endpoint, endpoint, errorOf, modern, modernHeaders } from "./endpoint.ts";
import { kitchen } from "./kitchen.ts";
import { serve } from "./support.ts";

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
  const served = serve(kitchen({ maxListeners: 1 }));
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

Deno.test("mcpServer keeps no place for a stream of changes that is refused or never read", async () => {
  const served = serve(kitchen({ maxListeners: 3 }), { settings: { openLimits: { client: 2 } } });
  const init = (): RequestInit => ({
    method: "POST",
    headers: { ...modernHeaders("subscriptions/listen"), "content-type": "application/json" },
    body: JSON.stringify(modern("subscriptions/listen", { notifications: {} })),
  });
  // In the process there is no client whose streams are counted.
  for (let turn = 0; turn < 5; turn++) {
    const unread = await served.app.fetch(new Request(served.url, init()));
    assertEquals(unread.status, 200);
    await unread.body?.cancel();
  }
  const responses = [];
  for (let at = 0; at < 6; at++) responses.push(await fetch(served.url, init()));
  assertEquals(responses.map(({ status }) => status), [200, 200, 429, 429, 429, 429]);
  await Promise.all(responses.map(({ body }) => body?.cancel()));
  await served.stop();
});
