/** Access to an MCP server: origins, hosts, tokens, scopes. */
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import {
  type BearerOptions,
  dial,
  http,
  type McpCaller,
  McpClientError,
  mcpServer,
  mcpTool,
  resource,
  resourceTemplate,
} from "../../../ai/mcp/mod.ts";
import type { App, SecurityEvent, Settings } from "../../../mod.ts";
import {
  appOf,
  type Endpoint,
  endpointOf,
  type Json,
  modern,
  modernHeaders,
  readUntil,
  rpc,
  statusOf,
} from "./endpoint.ts";
import { testRoute } from "../../../runtime/testing/mod.ts";
import { kitchen } from "./kitchen.ts";
import { asFetch } from "./support.ts";

const discover = modern("server/discover");

function send(
  app: App,
  url: string,
  headers: Record<string, string>,
  method = "POST",
): Promise<Response> {
  return app.fetch(
    new Request(url, {
      method,
      headers: {
        "content-type": "application/json",
        "mcp-protocol-version": "2026-07-28",
        "mcp-method": "server/discover",
        host: new URL(url).host,
        ...headers,
      },
      ...(method === "POST" ? { body: JSON.stringify(discover) } : {}),
    }),
  );
}

const local = "localhost:3000";
const behindTls = { allowedHosts: ["app.example"] };
const listed = { cors: { origins: ["https://good.example"] } };

const origins: [string, host: string, origin: string | undefined, number, settings?: Settings][] = [
  ["no page", local, undefined, 200],
  ["a page of the server itself", local, "http://localhost:3000", 200],
  ["the same by address", "127.0.0.1:3000", "http://127.0.0.1:3000", 200],
  ["the same by IPv6", "[::1]:3000", "http://[::1]:3000", 200],
  ["behind a proxy that terminates TLS", "app.example", "https://app.example", 200, behindTls],
  ["a page of another origin", local, "https://evil.example", 403],
  ["a page of another port", local, "http://localhost:8080", 403],
  ["a page without an origin", local, "null", 403],
  ["a name that resolves to this machine", "evil.example:3000", "http://evil.example:3000", 403],
  ...["localhost", "127.0.0.1"].map((name): [string, string, string, number] => [
    `a name that begins with ${name}`,
    `${name}.evil.example`,
    `http://${name}.evil.example`,
    403,
  ]),
  ["an origin in the application's list", local, "https://good.example", 200, listed],
  ["a custom scheme", local, "file://localhost:3000", 403],
];

for (const [name, host, origin, status, settings = {}] of origins) {
  Deno.test(`mcpServer: ${name} is ${status === 200 ? "accepted" : "refused"}`, async () => {
    const url = `http://${host}/mcp`;
    const headers = origin === undefined ? {} : { origin };
    const app = appOf(kitchen(), settings);
    const response = await send(app, url, headers);
    assertEquals([response.status, "result" in await response.json()], [status, status === 200]);
    for (const method of ["GET", "DELETE"]) {
      const other = await statusOf(send(app, url, headers, method));
      assertEquals(other === 403, status === 403);
    }
  });
}

Deno.test("mcpServer: explains a refused origin in development only", async () => {
  const url = "http://evil.example:3000/mcp";
  const explain = async (env: "dev" | "prod"): Promise<string> =>
    await (await send(appOf(kitchen(), { env }), url, { origin: "http://evil.example:3000" }))
      .text();
  assertMatch(await explain("dev"), /config\.allowedHosts/);
  assertEquals(JSON.parse(await explain("prod")).error.message, "This origin may not call");
});

// --- Access tokens

const callers: Record<string, McpCaller> = {
  reader: { subject: "ada", scopes: ["events:read"] },
  writer: { subject: "eve", scopes: ["events:read", "events:write"] },
  stranger: { subject: "bob" },
};

const auth = {
  verify: (token: string) => Object.hasOwn(callers, token) ? callers[token] : undefined,
  authorizationServers: ["https://auth.example"],
};

function guarded(): App {
  const whoami = mcpTool(
    { name: "whoami", description: "Says who calls." },
    (_, { caller }) => caller?.subject ?? "nobody",
  );
  const scopes = ["events:write"];
  const write = mcpTool({ name: "write", description: "Writes.", scopes }, () => "written");
  const server = mcpServer({
    name: "guarded",
    version: "1.0.0",
    tools: [whoami, write],
    auth: { ...auth, scopes: ["events:read"] },
  });
  const app = appOf(server);
  const pattern = "/.well-known/oauth-protected-resource/mcp";
  app.route({ pattern, methods: server.metadata, kind: "api" });
  return app;
}

/** Creates a server whose tool and resources need their own scope, with and without tokens. */
function shelf(hasAuth: boolean): App {
  const scopes = ["events:write"];
  const server = mcpServer({
    name: "shelf",
    version: "1.0.0",
    tools: [mcpTool({ name: "write", description: "Writes.", scopes }, () => "written")],
    resources: [
      resource({ uri: "inbox://all", name: "all", scopes }, () => "secret"),
      resourceTemplate({
        uriTemplate: "inbox://{who}/mail",
        name: "mail",
        scopes,
        complete: { who: () => ["ada"] },
      }, ({ who }) => `secret of ${who}`),
      resource({ uri: "docs://readme", name: "readme" }, () => "open"),
    ],
    ...(hasAuth ? { auth } : {}),
  });
  return appOf(server);
}

const lookups: [name: string, method: string, params: Json][] = [
  ["call a tool", "tools/call", { name: "write" }],
  ["read a resource", "resources/read", { uri: "inbox://all" }],
  ["read one of a template", "resources/read", { uri: "inbox://ada/mail" }],
  ["complete a template", "completion/complete", {
    ref: { type: "ref/resource", uri: "inbox://{who}/mail" },
    argument: { name: "who", value: "" },
  }],
  ["watch a resource", "resources/subscribe", { uri: "inbox://all" }],
  ["watch one of a template", "resources/subscribe", { uri: "inbox://ada/mail" }],
];

/** Sends a request in a session, or one without a session. */
async function look(at: Endpoint, [, method, params]: typeof lookups[number], {
  headers,
  session,
}: { readonly headers: Record<string, string>; readonly session: boolean }): Promise<number> {
  if (session) return await statusOf(at.post(rpc(method, params), await at.open(headers)));
  const isWatch = method === "resources/subscribe";
  const [called, given] = isWatch
    ? ["subscriptions/listen", { notifications: { resourceSubscriptions: [params.uri] } }]
    : [method, params];
  const named = modernHeaders(called, String(given.name ?? given.uri ?? ""));
  const response = await at.post(modern(called, given), { ...named, ...headers });
  if (!isWatch || !response.ok) return await statusOf(response);
  await (await readUntil(response, "acknowledged")).cancel();
  return response.status;
}

for (const session of [true, false]) {
  for (const row of lookups) {
    Deno.test(`mcpServer: requires the scopes to ${row[0]}${session ? " in a session" : ""}`, async () => {
      const statuses: number[] = [];
      for (const [token, hasAuth] of [["reader", true], ["writer", true], ["writer", false]]) {
        const headers = { authorization: `Bearer ${token}` };
        const at = endpointOf(shelf(hasAuth === true));
        const open: typeof row = ["", "resources/read", { uri: "docs://readme" }];
        assertEquals(await look(at, open, { headers, session }), 200);
        statuses.push(await look(at, row, { headers, session }));
      }
      // Without tokens no caller can have a scope.
      assertEquals(statuses, [403, 200, 403]);
    });
  }
}

const where = 'resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/mcp"';
const invalid = 'error="invalid_token", ';
const narrow = 'error="insufficient_scope", ';

const tokens: [name: string, header: string | undefined, status: number, error?: string][] = [
  ["no token", undefined, 401, ""],
  ["an unknown token", "Bearer made-up", 401, invalid],
  ["a prototype name", "Bearer __proto__", 401, invalid],
  ["another scheme", "Basic cmVhZGVy", 401, invalid],
  ["two tokens", "Bearer reader writer", 401, invalid],
  ["a token without the scope", "Bearer stranger", 403, narrow],
  ["a good token", "bearer reader", 200],
];

for (const [name, header, status, error] of tokens) {
  Deno.test(`mcpServer with auth: ${name} gets ${status}`, async () => {
    const app = guarded();
    const challenge = error === undefined ? null : `Bearer ${error}scope="events:read", ${where}`;
    const headers = header === undefined ? {} : { authorization: header };
    const response = await send(app, "http://localhost:3000/mcp", headers);
    const found = response.headers.get("www-authenticate");
    assertEquals([await statusOf(response), found], [status, challenge]);
    const stream = await statusOf(send(app, "http://localhost:3000/mcp", headers, "GET"));
    assertEquals(stream, status === 200 ? 405 : status);
  });
}

Deno.test("mcpServer with auth requests all scopes of a tool at once", async () => {
  const at = endpointOf(guarded());
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const call = (token: string, session?: Record<string, string>): Promise<Response> =>
    session === undefined
      ? at.call("write", {}, bearer(token))
      : at.post(rpc("tools/call", { name: "write" }), { ...session, ...bearer(token) });
  for (const session of [undefined, await at.open(bearer("reader"))]) {
    const refused = await call("reader", session);
    assertEquals(await statusOf(refused), 403);
    const found = refused.headers.get("www-authenticate") ?? "";
    assertMatch(found, /error="insufficient_scope", scope="events:read events:write"/);
  }
  for (const session of [undefined, await at.open(bearer("writer"))]) {
    assertEquals((await (await call("writer", session)).json()).result.content[0].text, "written");
  }
  // A session is valid for its own user only.
  assertEquals(await statusOf(call("writer", await at.open(bearer("reader")))), 404);
});

Deno.test("mcpServer announces the metadata of the protected resource", async () => {
  const url = "http://localhost:3000/.well-known/oauth-protected-resource/mcp";
  const response = await guarded().fetch(new Request(url));
  assertEquals(response.headers.get("access-control-allow-origin"), "*");
  assertEquals(await response.json(), {
    resource: "http://localhost:3000/mcp",
    authorization_servers: ["https://auth.example"],
    bearer_methods_supported: ["header"],
    scopes_supported: ["events:read"],
  });
});

Deno.test("mcpServer leaves an empty list of scopes out of the metadata", async () => {
  const { metadata } = mcpServer({ name: "n", version: "1", auth: { ...auth, scopes: [] } });
  const response = await testRoute({ pattern: "/", methods: metadata }, "GET", "/");
  assertEquals(JSON.parse(response.body).scopes_supported, undefined);
});

Deno.test("mcpServer refuses a guard without a valid metadata URL", () => {
  const rows: [options: Partial<BearerOptions>, message: string][] = [
    [{ authorizationServers: [] }, "authorizationServers is empty"],
    [{ authorizationServers: ["auth.example"] }, "absolute"],
    [{ resource: "https://mcp.example/#x" }, "fragment"],
  ];
  for (const [options, message] of rows) {
    const make = () => mcpServer({ name: "n", version: "1", auth: { ...auth, ...options } });
    assertThrows(make, TypeError, message);
  }
});

Deno.test("dial: a 401 without a sign-in method is a distinct error", async () => {
  const transport = http("http://localhost:3000/mcp", { fetch: asFetch(guarded().fetch) });
  const error = await assertRejects(() => dial(transport), McpClientError);
  assertEquals([error.code, error.status], ["mcp_auth", 401]);
});

const blocked: [name: string, headers: Record<string, string>, event: [string, string]][] = [
  ["a page of another origin", { origin: "https://evil.example" }, ["csrf", "foreign-origin"]],
  ["rebinding", { origin: "http://evil.example", host: "evil.example" }, ["csrf", "unknown-host"]],
  ["a missing token", {}, ["auth", "token-missing"]],
  ["an invalid token", { authorization: "Bearer wrong" }, ["auth", "token-invalid"]],
  ["a narrow token", { authorization: "Bearer narrow" }, ["auth", "scope-missing"]],
];

for (const [name, headers, event] of blocked) {
  Deno.test(`mcpServer reports ${name} as a security event, without the token`, async () => {
    const events: SecurityEvent[] = [];
    const auth = {
      authorizationServers: ["https://auth.example"],
      scopes: ["use"],
      verify: (token: string) => token === "narrow" ? { subject: "ada" } : undefined,
    };
    const onSecurityEvent = (event: SecurityEvent): void => void events.push(event);
    const app = appOf(kitchen({ auth }), { onSecurityEvent });
    await statusOf(send(app, `http://${headers.host ?? "localhost"}/mcp`, headers));
    assertEquals<unknown>(events.map(({ kind, reason }) => [kind, reason]), [event]);
    assert(!/wrong|narrow/.test(JSON.stringify(events)));
  });
}
