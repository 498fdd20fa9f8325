/** Clients that want the server to hold much. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { mcpServer, type McpServerOptions, mcpTool } from "../../../ai/mcp/mod.ts";
import type { Settings } from "../../../mod.ts";
import {
  appOf,
  endpoint,
  endpointOf,
  errorOf,
  handshake,
  type Json,
  meta,
  modern,
  modernHeaders,
  rpc,
  statusOf,
} from "./endpoint.ts";

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
  const at = endpointOf(appOf(mcpServer({ name: "n", version: "1", tools: [noisy] })));
  const response = await at.call("noisy", { _meta: { ...meta, progressToken } });
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
  const server = mcpServer({ name: "n", version: "1" });
  const notifications = { resourceSubscriptions: ["note://1", "note://2"], toolsListChanged: true };
  const response = await endpointOf(appOf(server)).post(
    modern("subscriptions/listen", { notifications }),
    modernHeaders("subscriptions/listen"),
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
  const session = await at.open({}, {
    capabilities: { elicitation: { form: { long }, url: { long } }, experimental: { long } },
    clientInfo: { name: long, version: long, title: long, icons: [{ src: long }], other: long },
  });
  await statusOf(at.post(rpc("tools/call", { name: "look" }), session));
  assert(JSON.stringify(seen).length < 1_000, "what is kept is short");
  assertEquals((seen as unknown[]).slice(1), [true, true, false]);
});

/** Asks a server as a proxy would, for clients of any address. */
function proxied(options: Partial<McpServerOptions>, settings: Settings = {}): {
  open(ip: string): Promise<Response>;
  ping(ip: string, session: string): Promise<number>;
} {
  const server = mcpServer({ name: "few", version: "1", ...options });
  const app = appOf(server, { trustedProxies: ["192.0.2.1"], ...settings });
  const answer = app.handler();
  const remoteAddr = { transport: "tcp", hostname: "192.0.2.1", port: 1 } as const;
  const at = endpointOf(
    app,
    async (request) => await answer(request, { remoteAddr, completed: Promise.resolve() }),
  );
  const ask = async (ip: string, body: Json, headers = {}): Promise<Response> => {
    const response = await at.post(body, { "x-forwarded-for": ip, ...headers });
    await response.body?.cancel();
    return response;
  };
  return {
    open: (ip) => ask(ip, handshake()),
    ping: async (ip, session) => (await ask(ip, rpc("ping"), { "mcp-session-id": session })).status,
  };
}

function sessionOf({ headers }: Response): string {
  return headers.get("mcp-session-id") ?? "";
}

Deno.test("mcpServer: the clients of a site end their own sessions of some age, and no others", async () => {
  let nowMs = Date.now();
  const about = { maxSessionsPerCaller: 2, now: () => nowMs };
  const { open, ping } = proxied(about, { openLimits: { site: 3 } });
  const other = sessionOf(await open("203.0.113.9"));
  const statuses = [];
  for (const ip of [1, 1, 1, 2, 3]) statuses.push((await open(`198.51.100.${ip}`)).status);
  nowMs += 61_000;
  for (const ip of [3, 4]) statuses.push((await open(`198.51.100.${ip}`)).status);
  assertEquals(statuses, [200, 200, 200, 200, 429, 200, 200]);
  assertEquals(await ping("203.0.113.9", other), 200);
});

Deno.test("mcpServer: one address leaves the places of its site to others", async () => {
  const { open } = proxied({}, { openLimits: { client: 2, site: 3 } });
  const statuses = [];
  for (const ip of [1, 1, 1, 1, 2]) statuses.push((await open(`198.51.100.${ip}`)).status);
  assertEquals(statuses, [200, 200, 200, 200, 200]);
});

Deno.test("mcpServer: the addresses of one IPv6 network count as one caller", async () => {
  const { open, ping } = proxied({ maxSessionsPerCaller: 1 });
  const ids = [];
  for (const ip of ["2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:3::1"]) {
    ids.push(sessionOf(await open(ip)));
  }
  assertEquals(await Promise.all(ids.map((id) => ping("192.0.2.7", id))), [404, 200, 200]);
});

Deno.test("mcpServer: a user who opens many sessions ends the user's own", async () => {
  const at = endpoint({
    maxSessionsPerCaller: 2,
    maxSessions: 10,
    identify: (c) => c.request.headers.get("x-user") ?? undefined,
  });
  const ping = (session: Record<string, string>) => statusOf(at.post(rpc("ping"), session));
  const ada = await at.open({ "x-user": "ada" });
  const mallory = [];
  for (let count = 0; count < 41; count++) mallory.push(await at.open({ "x-user": "mallory" }));
  assertEquals(await ping(ada), 200);
  assertEquals(await Promise.all(mallory.slice(-3).map(ping)), [404, 200, 200]);
});
