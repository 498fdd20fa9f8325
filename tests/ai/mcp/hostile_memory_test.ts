/** Clients that want the server to hold much. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { mcpServer, mcpTool } from "../../../ai/mcp/mod.ts";
import { App } from "../../../mod.ts";
import { endpoint, errorOf, type Json, meta, modern, modernHeaders } from "./endpoint.ts";
import { quiet } from "./support.ts";

const long = "x".repeat(100_000);

Deno.test("mcpServer refuses an id that would come back a thousand times", async () => {
  const at = endpoint();
  const request = modern("tools/list", {}, long);
  assertEquals(await errorOf(await at.post(request, modernHeaders("tools/list"))), {
    status: 400,
    code: -32600,
  });
  const fine = modern("tools/list", {}, "x".repeat(256));
  assertEquals((await at.post(fine, modernHeaders("tools/list"))).status, 200);
});

/** Calls a tool that reports progress a lot, and reads the response once it has ended. */
async function callNoisy(progressToken: string, message: string): Promise<string> {
  const noisy = mcpTool({ name: "noisy", description: "" }, async (_, call) => {
    for (let step = 1; step <= 2_000; step++) call.progress(step, { message });
    await new Promise((resolve) => setTimeout(resolve, 1));
    return "done";
  });
  const app = new App({ logRequest: () => false, logger: quiet });
  const server = mcpServer({ name: "n", version: "1", tools: [noisy] });
  app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
  const params = { name: "noisy", _meta: { ...meta, progressToken } };
  const response = await app.fetch(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...modernHeaders("tools/call", "noisy"),
      },
      body: JSON.stringify(modern("tools/call", params)),
    }),
  );
  return await response.text();
}

Deno.test("mcpServer: bounds the characters that wait for a client that does not read", async () => {
  const text = await callNoisy("token", "y".repeat(10_000));
  assert(text.length < 1_300_000, String(text.length));
  assert(text.includes('"done"'), "the result always comes");
});

Deno.test("mcpServer: a progress token that is too long reports nothing", async () => {
  const text = await callNoisy(long, "");
  assert(!text.includes("notifications/progress"));
  assert(text.includes('"done"'));
});

Deno.test("mcpServer: equal changes wait once for a client that does not read", async () => {
  const app = new App({ logRequest: () => false, logger: quiet });
  const server = mcpServer({ name: "n", version: "1" });
  app.route({ pattern: "/mcp", methods: server.handlers, kind: "api" });
  const notifications = { resourceSubscriptions: ["note://1", "note://2"], toolsListChanged: true };
  const response = await app.fetch(
    new Request("http://localhost/mcp", {
      method: "POST",
      headers: {
        accept: "application/json, text/event-stream",
        "content-type": "application/json",
        ...modernHeaders("subscriptions/listen"),
      },
      body: JSON.stringify(modern("subscriptions/listen", { notifications })),
    }),
  );
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  assertStringIncludes((await reader?.read())?.value ?? "", "acknowledged");
  for (let count = 0; count < 1_000; count++) {
    server.resourceUpdated("note://1");
    server.resourceUpdated("note://2");
    server.setTools([]);
  }
  const rest = (async (): Promise<string> => {
    let text = "";
    for (;;) {
      const { value, done } = await reader?.read() ?? { done: true };
      if (done) return text;
      text += value;
      // The last of the three kinds has come.
      if (text.includes("tools/list_changed")) server.close();
    }
  })();
  const told = (await rest).match(/notifications\/(?:resources|tools)/g) ?? [];
  assert(told.length >= 3 && told.length <= 6, String(told.length));
});

Deno.test("mcpServer refuses addresses that are long together", async () => {
  const resourceSubscriptions = Array.from({ length: 10 }, (_, number) => `n://${number}${long}`);
  const body = modern("subscriptions/listen", { notifications: { resourceSubscriptions } });
  const headers = modernHeaders("subscriptions/listen");
  assertEquals((await errorOf(await endpoint().post(body, headers))).code, -32602);
});

Deno.test("mcpServer: a session stores only what it needs from the handshake", async () => {
  let seen: unknown;
  const look = mcpTool({ name: "look", description: "" }, (_, call) => {
    seen = [call.client, call.can("elicit"), call.can("elicitUrl"), call.can("sample")];
    return "";
  });
  const at = endpoint({ tools: [look] });
  const response = await at.post({
    jsonrpc: "2.0",
    id: 0,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: { elicitation: { form: { long }, url: { long } }, experimental: { long } },
      clientInfo: { name: long, version: long, title: long, icons: [{ src: long }], other: long },
    },
  });
  await response.body?.cancel();
  const headers = { "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "look" } };
  await (await at.post(call, headers)).body?.cancel();
  assert(JSON.stringify(seen).length < 1_000, "what is kept is short");
  assertEquals((seen as unknown[]).slice(1), [true, true, false]);
});

/** Asks a server as a proxy would, for clients of any address. */
function proxied(
  options: { readonly maxSessionsPerCaller?: number; readonly now?: () => number },
  settings: ConstructorParameters<typeof App>[0] = {},
): (ip: string, headers: Record<string, string>, body: Json) => Promise<Response> {
  const about = { logRequest: () => false, logger: quiet, trustedProxies: ["192.0.2.1"] };
  const app = new App({ ...about, ...settings });
  const { handlers } = mcpServer({ name: "few", version: "1", ...options });
  app.route({ pattern: "/mcp", methods: handlers, kind: "api" });
  const answer = app.handler();
  return async (
    ip: string,
    headers: Record<string, string>,
    body: Json,
  ): Promise<Response> => {
    const response = await answer(
      new Request("http://localhost/mcp", {
        method: "POST",
        headers: {
          accept: "application/json, text/event-stream",
          "content-type": "application/json",
          "x-forwarded-for": ip,
          ...headers,
        },
        body: JSON.stringify(body),
      }),
      {
        remoteAddr: { transport: "tcp", hostname: "192.0.2.1", port: 1 },
        completed: Promise.resolve(),
      },
    );
    await response.body?.cancel();
    return response;
  };
}

const params = { protocolVersion: "2025-11-25", capabilities: {} };

Deno.test("mcpServer: the clients of a site end their own sessions of some age, and no others", async () => {
  let nowMs = Date.now();
  const about = { maxSessionsPerCaller: 2, now: () => nowMs };
  const ask = proxied(about, { openLimits: { site: 3 } });
  const open = (ip: string) => ask(ip, {}, { jsonrpc: "2.0", id: 0, method: "initialize", params });
  const other = (await open("203.0.113.9")).headers.get("mcp-session-id") ?? "";
  const statuses = [];
  for (const ip of [1, 1, 1, 2, 3]) statuses.push((await open(`198.51.100.${ip}`)).status);
  nowMs += 61_000;
  for (const ip of [3, 4]) statuses.push((await open(`198.51.100.${ip}`)).status);
  assertEquals(statuses, [200, 200, 200, 200, 429, 200, 200]);
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  assertEquals((await ask("203.0.113.9", { "mcp-session-id": other }, ping)).status, 200);
});

Deno.test("mcpServer: one address leaves the places of its site to others", async () => {
  const ask = proxied({}, { openLimits: { client: 2, site: 3 } });
  const open = (ip: string) => ask(ip, {}, { jsonrpc: "2.0", id: 0, method: "initialize", params });
  const statuses = [];
  for (const ip of [1, 1, 1, 1, 2]) statuses.push((await open(`198.51.100.${ip}`)).status);
  assertEquals(statuses, [200, 200, 200, 200, 200]);
});

Deno.test("mcpServer: the addresses of one IPv6 network count as one caller", async () => {
  const ask = proxied({ maxSessionsPerCaller: 1 });
  const ids = [];
  for (const ip of ["2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:3::1"]) {
    const opened = await ask(ip, {}, { jsonrpc: "2.0", id: 0, method: "initialize", params });
    assertEquals(opened.status, 200);
    ids.push(opened.headers.get("mcp-session-id") ?? "");
  }
  const statuses = [];
  for (const id of ids) {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    statuses.push((await ask("192.0.2.7", { "mcp-session-id": id }, ping)).status);
  }
  assertEquals(statuses, [404, 200, 200]);
});

Deno.test("mcpServer: a user who opens many sessions ends the user's own", async () => {
  const at = endpoint({
    maxSessionsPerCaller: 2,
    maxSessions: 10,
    identify: (c) => c.request.headers.get("x-user") ?? undefined,
  });
  const open = async (user: string): Promise<Record<string, string>> => {
    const params = { protocolVersion: "2025-11-25", capabilities: {} };
    const body: Json = { jsonrpc: "2.0", id: 0, method: "initialize", params };
    const response = await at.post(body, { "x-user": user });
    assertEquals(response.status, 200);
    await response.body?.cancel();
    return { "x-user": user, "mcp-session-id": response.headers.get("mcp-session-id") ?? "" };
  };
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
  const statusOf = async (session: Record<string, string>): Promise<number> => {
    const response = await at.post(ping, session);
    await response.body?.cancel();
    return response.status;
  };
  const ada = await open("ada");
  const mallory = [await open("mallory")];
  for (let count = 0; count < 40; count++) mallory.push(await open("mallory"));
  assertEquals(await statusOf(ada), 200);
  assertEquals(await Promise.all(mallory.slice(-3).map(statusOf)), [404, 200, 200]);
});
