/**
 * The sign-in of the client against servers that break the rules.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { parseChallenge } from "../../../ai/mcp/client/oauth/challenge.ts";
import { dial, http, McpClientError, type OAuthOptions } from "../../../ai/mcp/mod.ts";
import { SharedWork } from "../../../ai/mcp/client/shared_work.ts";
import { callText, OAuthWorld, type Quirks, signIn } from "./oauth_server.ts";

const attacks: [name: string, quirks: Quirks, options: Partial<OAuthOptions>, message: RegExp][] = [
  [
    "metadata of another resource",
    { resource: { resource: "https://bank.example/" } },
    {},
    /another resource/,
  ],
  [
    "metadata of a sibling",
    { resource: { resource: "https://mcp.example/mc" } },
    {},
    /another resource/,
  ],
  [
    "no authorization server",
    { resource: { authorization_servers: [] } },
    {},
    /names no authorization server/,
  ],
  [
    "metadata of another issuer",
    { server: { issuer: "https://evil.example" } },
    {},
    /another issuer/,
  ],
  [
    "an issuer that differs by a slash",
    { server: { issuer: "https://auth.example/" } },
    {},
    /another issuer/,
  ],
  ["an issuer without TLS", { issuer: "http://auth.example" }, {}, /not HTTPS/],
  [
    "a metadata address without TLS",
    { challenge: 'Bearer resource_metadata="http://mcp.example/x"' },
    {},
    /not HTTPS/,
  ],
  [
    "a metadata address that is a file",
    { challenge: 'Bearer resource_metadata="file:///etc/passwd"' },
    {},
    /not HTTPS/,
  ],
  ["no PKCE", { server: { code_challenge_methods_supported: undefined } }, {}, /no PKCE/],
  ["plain PKCE alone", { server: { code_challenge_methods_supported: ["plain"] } }, {}, /no PKCE/],
  [
    "a token endpoint without TLS",
    { server: { token_endpoint: "http://auth.example/token" } },
    {},
    /token_endpoint/,
  ],
  ["no registration", { server: { registration_endpoint: undefined } }, {}, /registers no clients/],
  ["a client of another server", {}, {
    client: { issuer: "https://other.example", clientId: "me" },
  }, /registered with/],
  [
    "another issuer in the response",
    { redirect: { iss: "https://evil.example" } },
    {},
    /not from the authorization server/,
  ],
  [
    "an issuer that was promised and is missing",
    { redirect: { iss: undefined } },
    {},
    /not from the authorization server/,
  ],
  ["another state", { redirect: { state: "x".repeat(43) } }, {}, /another sign-in/],
  ["no state", { redirect: { state: undefined } }, {}, /another sign-in/],
  ["a refusal", { redirect: { code: undefined, error: "access_denied" } }, {}, /access_denied/],
  [
    "an error of another issuer is not shown",
    { redirect: { error: "buy_now", iss: "https://evil.example" } },
    {},
    /not from the authorization server/,
  ],
  ["no code", { redirect: { code: undefined } }, {}, /no code/],
  ["a code of another flow", { redirect: { code: "stolen" } }, {}, /invalid_grant/],
  [
    "another address",
    {},
    { authorize: () => "https://evil.example/callback?code=1" },
    /another address/,
  ],
  ["a token that is none", { token: { access_token: "a\r\nb" } }, {}, /no access token/],
  ["a token of another type", { token: { token_type: "mac" } }, {}, /no bearer token/],
];

for (const [name, quirks, options, message] of attacks) {
  Deno.test(`oauth refuses ${name}`, async () => {
    const world = new OAuthWorld(quirks);
    const error = await signIn(world, options).catch((error) => error);
    assert(error instanceof McpClientError, String(error));
    assertEquals(error.code, "mcp_auth");
    assertMatch(error.message, message);
    assert(!/token-|code-|refresh-/.test(error.message), "no secret in the message");
  });
}

Deno.test("oauth: an issuer that says nothing about iss may leave it out, but not lie", async () => {
  const silent = { authorization_response_iss_parameter_supported: undefined };
  await using client = await signIn(
    new OAuthWorld({ server: silent, redirect: { iss: undefined } }),
  );
  assert(await callText(client));
  const lying = new OAuthWorld({ server: silent, redirect: { iss: "https://evil.example" } });
  const error = await signIn(lying).catch((error) => error);
  assert(error instanceof McpClientError);
});

Deno.test("oauth: options that no server takes are refused at once", () => {
  const make = (options: Partial<OAuthOptions>): unknown => {
    const auth = {
      clientName: "T",
      redirectUri: "https://app.example/cb",
      authorize: () => "",
      ...options,
    };
    const transport = http("https://mcp.example/mcp", { auth });
    return transport.connect({
      onNotification: () => {},
      onRequest: () => Promise.resolve({}),
      onClosed: () => {},
    });
  };
  assertThrows(
    () => make({ redirectUri: "http://app.example/cb" }),
    TypeError,
    "HTTPS or a loopback",
  );
  assertThrows(() => make({ clientMetadataUrl: "https://app.example/" }), TypeError, "with a path");
});

const challenges: [header: string | null, expected: ReturnType<typeof parseChallenge>][] = [
  [null, undefined],
  ["Basic realm=x", undefined],
  ["Bearer", { resourceMetadata: undefined, scopes: undefined, error: undefined }],
  [
    'Basic realm="Bearer", Bearer scope="a  b", error=invalid_token , resource_metadata="https://a/\\"b"',
    { resourceMetadata: 'https://a/"b', scopes: ["a", "b"], error: "invalid_token" },
  ],
  ['bearer scope="a", scope="b"', { resourceMetadata: undefined, scopes: ["a"], error: undefined }],
  [`Bearer ${'a="'.repeat(10_000)}`, {
    resourceMetadata: undefined,
    scopes: undefined,
    error: undefined,
  }],
];

for (const [header, expected] of challenges) {
  Deno.test(`parseChallenge: ${header?.slice(0, 60)}`, () =>
    assertEquals(parseChallenge(header), expected));
}

Deno.test("oauth: a refresh token goes to the server that issued it, whatever the MCP server says later", async () => {
  const world = new OAuthWorld({ expiresIn: 1 });
  const evil = "https://evil.example";
  const stolen: string[] = [];
  let isTaken = false;
  const fetch = async (request: Request): Promise<Response> => {
    const url = new URL(request.url);
    if (url.origin === evil) {
      if (url.pathname === "/token") stolen.push(await request.text());
      if (url.pathname === "/register") {
        return Response.json({ client_id: "evil" }, { status: 201 });
      }
      return Response.json({
        issuer: evil,
        authorization_endpoint: `${evil}/authorize`,
        token_endpoint: `${evil}/token`,
        registration_endpoint: `${evil}/register`,
        code_challenge_methods_supported: ["S256"],
      });
    }
    if (isTaken && url.pathname.startsWith("/.well-known/oauth-protected-resource")) {
      const resource = "https://mcp.example/";
      return Response.json({ resource, authorization_servers: [evil] });
    }
    const isCall = request.headers.get("mcp-method") === "tools/call";
    if (!isTaken || !isCall) return await world.fetch(request);
    return new Response(null, {
      status: 403,
      headers: { "www-authenticate": 'Bearer error="insufficient_scope", scope="more"' },
    });
  };
  const authorize = (url: URL): URL => {
    if (url.origin !== evil) return world.authorize(url);
    throw new Error("the user closes the strange page");
  };
  await using client = await dial(http("https://mcp.example/mcp", {
    fetch,
    auth: { clientName: "Test", redirectUri: "http://127.0.0.1:4711/callback", authorize },
  }));
  assert(await callText(client));
  isTaken = true;
  await assertRejects(() => callText(client), Error, "strange page");
  const before = world.tokenForms.length;
  await callText(client).catch(() => {});
  assertEquals(stolen, []);
  const last = world.tokenForms.at(-1);
  assert(world.tokenForms.length > before);
  assertEquals([last?.get("grant_type"), last?.get("resource")], [
    "refresh_token",
    "https://mcp.example/mcp",
  ]);
});

Deno.test("oauth: a token endpoint that is down does not end the sign-in", async () => {
  const world = new OAuthWorld({ expiresIn: 20 });
  let status = 200;
  const fetch = async (request: Request): Promise<Response> =>
    status !== 200 && request.url.endsWith("/token")
      ? new Response("busy", { status })
      : await world.fetch(request);
  await using client = await dial(http("https://mcp.example/mcp", {
    fetch,
    auth: {
      clientName: "Test",
      redirectUri: "http://127.0.0.1:4711/callback",
      authorize: world.authorize,
    },
  }));
  for (status of [429, 503]) assert(await callText(client));
  status = 200;
  assert(await callText(client));
  assertEquals(world.authorized.length, 1, "the user was asked once");
});

const detours: [name: string, quirks: Quirks][] = [
  ["resource metadata", { challenge: 'Bearer resource_metadata="http://127.0.0.1:9200/secret"' }],
  ["an authorization server", { resource: { authorization_servers: ["http://localhost:9200"] } }],
  ["a registration", { server: { registration_endpoint: "http://[::1]:9200/admin/shutdown" } }],
  ["a token endpoint", { server: { token_endpoint: "http://127.0.0.1:9200/token" } }],
];

for (const [name, quirks] of detours) {
  Deno.test(`oauth: a server elsewhere leads the client to no service of its machine by ${name}`, async () => {
    const world = new OAuthWorld(quirks);
    const error = await signIn(world).catch((error) => error);
    assertMatch(String(error), /leads to this machine/);
    assertEquals(world.asked.filter((url) => url.includes(":9200")), []);
  });
}

Deno.test("http refuses to sign in where a token would travel in the clear", () => {
  const auth = { clientName: "T", redirectUri: "http://127.0.0.1/cb", authorize: () => "" };
  assertThrows(() => http("http://mcp.example/mcp", { auth }), TypeError, "in the clear");
  assertEquals(http("http://127.0.0.1:3000/mcp", { auth }).name, "http://127.0.0.1:3000/mcp");
  assertEquals(http("http://mcp.example/mcp").name, "http://mcp.example/mcp");
});

Deno.test("oauth: a caller that gives up does not end the sign-in of the others", async () => {
  const world = new OAuthWorld({ toolScopes: ["events:write"] });
  const asked = Promise.withResolvers<void>();
  const agreed = Promise.withResolvers<void>();
  const authorize = async (url: URL): Promise<URL> => {
    if (!url.searchParams.get("scope")?.includes("write")) return world.authorize(url);
    asked.resolve();
    await agreed.promise;
    return world.authorize(url);
  };
  await using client = await signIn(world, { authorize });
  const controller = new AbortController();
  const first = client.callTool("any", {}, { signal: controller.signal });
  await asked.promise;
  const second = callText(client);
  await new Promise((resolve) => setTimeout(resolve, 10));
  controller.abort(new Error("enough"));
  await assertRejects(() => first, Error, "enough");
  agreed.resolve();
  assert(await second);
});

Deno.test("SharedWork ends when nobody waits, and begins anew", async () => {
  const shared = new SharedWork();
  const ended: unknown[] = [];
  const work = (signal: AbortSignal): Promise<boolean> =>
    new Promise((_, reject) =>
      signal.addEventListener("abort", () => {
        ended.push(signal.reason);
        reject(signal.reason);
      })
    );
  const [one, other] = [new AbortController(), new AbortController()];
  const waiting = [shared.join(one.signal, work), shared.join(other.signal, work)];
  one.abort("first");
  await assertRejects(() => waiting[0] ?? Promise.resolve()).catch(() => {});
  assertEquals(ended, []);
  other.abort("second");
  await waiting[1]?.catch(() => {});
  assertEquals(ended, ["second"]);
  const isDone = true;
  assert(await shared.join(new AbortController().signal, () => Promise.resolve(isDone)));
});

Deno.test("oauth: a server that always wants another scope opens the sign-in a few times at most", async () => {
  const world = new OAuthWorld();
  let asked = 0;
  const fetch = async (request: Request): Promise<Response> => {
    if (request.headers.get("mcp-method") !== "tools/call") return await world.fetch(request);
    return new Response(null, {
      status: 403,
      headers: {
        "www-authenticate": `Bearer error="insufficient_scope", scope="more${asked++}"`,
      },
    });
  };
  await using client = await dial(http("https://mcp.example/mcp", {
    fetch,
    auth: {
      clientName: "Test",
      redirectUri: "http://127.0.0.1:4711/callback",
      authorize: world.authorize,
    },
  }));
  for (let count = 0; count < 10; count++) await client.callTool("any").catch(() => {});
  assertEquals(world.authorized.length, 4);
});
