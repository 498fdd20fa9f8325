/**
 * The sign-in of the client, by the rules of the specification, and against servers that break them.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  dial,
  http,
  type McpClient,
  McpClientError,
  type OAuthOptions,
  type OAuthStore,
} from "../../../ai/mcp/mod.ts";
import { parseChallenge } from "../../../ai/mcp/client/oauth_challenge.ts";
import { OAuthWorld, type Quirks } from "./oauth_server.ts";

function memory(): OAuthStore & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    get: (key) => kept.get(key),
    set: (key, value) => void kept.set(key, value),
    delete: (key) => void kept.delete(key),
  };
}

async function signIn(world: OAuthWorld, options: Partial<OAuthOptions> = {}): Promise<McpClient> {
  return await dial(http("https://mcp.example/mcp", {
    fetch: world.fetch,
    auth: {
      clientName: "Test",
      redirectUri: "http://127.0.0.1:4711/callback",
      authorize: world.authorize,
      ...options,
    },
  }));
}

const text = async (client: McpClient): Promise<unknown> =>
  JSON.stringify((await client.callTool("any")).content);

Deno.test("oauth: registration, code with PKCE, resource and state", async () => {
  const world = new OAuthWorld();
  await using client = await signIn(world);
  assertMatch(String(await text(client)), /token-/);
  const [asked] = world.authorized;
  assertEquals(asked?.get("resource"), "https://mcp.example/mcp");
  assertEquals(asked?.get("response_type"), "code");
  assertEquals(asked?.get("code_challenge_method"), "S256");
  assertEquals(asked?.get("scope"), "events:read");
  assertMatch(asked?.get("state") ?? "", /^[\w-]{43}$/);
  assertEquals(world.tokenForms[0]?.get("resource"), "https://mcp.example/mcp");
  assertEquals(world.tokenForms[0]?.get("client_id"), "client-1");
  assertEquals(world.registrations, [{
    client_name: "Test",
    redirect_uris: ["http://127.0.0.1:4711/callback"],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
    application_type: "native",
  }]);
});

Deno.test("oauth: a metadata document comes before a registration", async () => {
  const world = new OAuthWorld({ server: { client_id_metadata_document_supported: true } });
  await using client = await signIn(world, {
    clientMetadataUrl: "https://app.example/client.json",
  });
  assert(await text(client));
  assertEquals(world.authorized[0]?.get("client_id"), "https://app.example/client.json");
  assertEquals(world.registrations, []);
  const old = new OAuthWorld();
  await using other = await signIn(old, { clientMetadataUrl: "https://app.example/client.json" });
  assert(await text(other));
  assertEquals(old.registrations.length, 1);
});

Deno.test("oauth: a client that was registered beforehand proves itself as the server wants", async () => {
  const client = { issuer: "https://auth.example", clientId: "me", clientSecret: "s e:cret" };
  const basic = new OAuthWorld();
  await using one = await signIn(basic, { client });
  assert(await text(one));
  assertEquals(basic.tokenHeaders[0]?.get("authorization"), `Basic ${btoa("me:s+e%3Acret")}`);
  assertEquals(basic.tokenForms[0]?.get("client_secret"), null);
  const post = new OAuthWorld({
    server: { token_endpoint_auth_methods_supported: ["client_secret_post"] },
  });
  await using two = await signIn(post, { client });
  assert(await text(two));
  assertEquals(post.tokenForms[0]?.get("client_secret"), "s e:cret");
});

Deno.test("oauth: what was kept serves the next start", async () => {
  const world = new OAuthWorld();
  const store = memory();
  await using first = await signIn(world, { store });
  assert(await text(first));
  await using second = await signIn(world, { store });
  assert(await text(second));
  assertEquals([world.authorized.length, world.registrations.length], [1, 1]);
  store.kept.delete("token https://mcp.example/mcp");
  await using third = await signIn(world, { store });
  assert(await text(third));
  assertEquals([world.authorized.length, world.registrations.length], [2, 1]);
  for (const key of store.kept.keys()) store.kept.set(key, "{ broken");
  await using fourth = await signIn(world, { store });
  assert(await text(fourth));
  assertEquals(world.registrations.length, 2);
});

Deno.test("oauth: a token that is refused or about to expire is renewed, else the user signs in again", async () => {
  const world = new OAuthWorld();
  await using client = await signIn(world);
  world.valid.clear();
  assert(await text(client));
  assertEquals(world.tokenForms.map((form) => form.get("grant_type")), [
    "authorization_code",
    "refresh_token",
  ]);
  assertEquals(world.tokenForms[1]?.get("resource"), "https://mcp.example/mcp");
  const brief = new OAuthWorld({ expiresIn: 10 });
  await using other = await signIn(brief);
  assert(await text(other));
  assertEquals(brief.tokenForms.at(-1)?.get("grant_type"), "refresh_token");
  const strict = new OAuthWorld({ refresh: "refused" });
  await using third = await signIn(strict);
  for (let round = 0; round < 3; round++) {
    strict.valid.clear();
    assert(await text(third));
  }
  assertEquals(strict.authorized.length, 4);
});

Deno.test("oauth: a tool that needs more leads to one wider sign-in", async () => {
  const world = new OAuthWorld({ toolScopes: ["events:write"] });
  await using client = await signIn(world);
  assert(await text(client));
  assertEquals(world.authorized.map((params) => params.get("scope")), [
    "events:read",
    "events:read events:write",
  ]);
  // A server that is never content does not ask the user again and again.
  const greedy = new OAuthWorld({ toolScopes: ["events:write"] });
  await using other = await signIn(greedy);
  for (let round = 0; round < 3; round++) {
    for (const token of greedy.valid.keys()) greedy.valid.set(token, []);
    const grant = greedy.valid.set.bind(greedy.valid);
    greedy.valid.set = (token) => grant(token, []);
    const error = await other.callTool("any").catch((error) => error);
    assertEquals(error instanceof McpClientError && error.code, "mcp_auth");
  }
  assertEquals(greedy.authorized.length, 2);
});

Deno.test("oauth: many calls that are refused at once lead to one sign-in", async () => {
  const world = new OAuthWorld({ refresh: "refused" });
  await using client = await signIn(world);
  world.valid.clear();
  await Promise.all(Array.from({ length: 20 }, () => client.callTool("any")));
  assertEquals(world.authorized.length, 2);
});

const discoveries: [name: string, quirks: Quirks, asked: string[]][] = [
  ["without a challenge, at the path of the endpoint", { challenge: "Bearer" }, [
    "https://mcp.example/.well-known/oauth-protected-resource/mcp",
  ]],
  [
    "at the root",
    {
      challenge: "Bearer",
      resourcePath: "https://mcp.example/.well-known/oauth-protected-resource",
    },
    [
      "https://mcp.example/.well-known/oauth-protected-resource/mcp",
      "https://mcp.example/.well-known/oauth-protected-resource",
    ],
  ],
  [
    "OpenID Connect",
    { serverPath: "https://auth.example/.well-known/openid-configuration" },
    [
      "https://mcp.example/.well-known/oauth-protected-resource/mcp",
      "https://auth.example/.well-known/oauth-authorization-server",
      "https://auth.example/.well-known/openid-configuration",
    ],
  ],
  [
    "an issuer with a path",
    {
      issuer: "https://auth.example/one",
      serverPath: "https://auth.example/one/.well-known/openid-configuration",
    },
    [
      "https://mcp.example/.well-known/oauth-protected-resource/mcp",
      "https://auth.example/.well-known/oauth-authorization-server/one",
      "https://auth.example/.well-known/openid-configuration/one",
      "https://auth.example/one/.well-known/openid-configuration",
    ],
  ],
];

for (const [name, quirks, asked] of discoveries) {
  Deno.test(`oauth: discovery ${name}`, async () => {
    const world = new OAuthWorld(quirks);
    await using client = await signIn(world);
    assert(await text(client));
    assertEquals(world.asked.slice(0, asked.length), asked);
  });
}

const scopeChoices: [
  name: string,
  quirks: Quirks,
  options: Partial<OAuthOptions>,
  scope: string | null,
][] = [
  ["the challenge decides", { challenge: 'Bearer scope="a b"' }, { scopes: ["c"] }, "a b"],
  ["then the client", {}, { scopes: ["c"] }, "c"],
  ["then the resource", {}, {}, "events:read"],
  ["else none is asked for", { resource: { scopes_supported: undefined } }, {}, null],
  [
    "a refresh token is asked for where the server knows how",
    { server: { scopes_supported: ["offline_access"] } },
    {},
    "events:read offline_access",
  ],
];

for (const [name, quirks, options, scope] of scopeChoices) {
  Deno.test(`oauth scopes: ${name}`, async () => {
    const world = new OAuthWorld(quirks);
    await using client = await signIn(world, options);
    assert(await text(client));
    assertEquals(world.authorized[0]?.get("scope"), scope);
  });
}

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
  assert(await text(client));
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
