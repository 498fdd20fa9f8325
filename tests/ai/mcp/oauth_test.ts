/**
 * The sign-in of the client, by the rules of the specification, and against servers that break them.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { McpClientError, type OAuthOptions, type OAuthStore } from "../../../ai/mcp/mod.ts";
import { callText, OAuthWorld, type Quirks, signIn } from "./oauth_server.ts";

function memory(): OAuthStore & { readonly kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    get: (key) => kept.get(key),
    set: (key, value) => void kept.set(key, value),
    delete: (key) => void kept.delete(key),
  };
}

Deno.test("oauth: registration, code with PKCE, resource and state", async () => {
  const world = new OAuthWorld();
  await using client = await signIn(world);
  assertMatch(await callText(client), /token-/);
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
  assert(await callText(client));
  assertEquals(world.authorized[0]?.get("client_id"), "https://app.example/client.json");
  assertEquals(world.registrations, []);
  const old = new OAuthWorld();
  await using other = await signIn(old, { clientMetadataUrl: "https://app.example/client.json" });
  assert(await callText(other));
  assertEquals(old.registrations.length, 1);
});

Deno.test("oauth: a client that was registered beforehand proves itself as the server wants", async () => {
  const client = { issuer: "https://auth.example", clientId: "me", clientSecret: "s e:cret" };
  const basic = new OAuthWorld();
  await using one = await signIn(basic, { client });
  assert(await callText(one));
  assertEquals(basic.tokenHeaders[0]?.get("authorization"), `Basic ${btoa("me:s+e%3Acret")}`);
  assertEquals(basic.tokenForms[0]?.get("client_secret"), null);
  const post = new OAuthWorld({
    server: { token_endpoint_auth_methods_supported: ["client_secret_post"] },
  });
  await using two = await signIn(post, { client });
  assert(await callText(two));
  assertEquals(post.tokenForms[0]?.get("client_secret"), "s e:cret");
});

Deno.test("oauth: what was kept serves the next start", async () => {
  const world = new OAuthWorld();
  const store = memory();
  await using first = await signIn(world, { store });
  assert(await callText(first));
  await using second = await signIn(world, { store });
  assert(await callText(second));
  assertEquals([world.authorized.length, world.registrations.length], [1, 1]);
  store.kept.delete("token https://mcp.example/mcp");
  await using third = await signIn(world, { store });
  assert(await callText(third));
  assertEquals([world.authorized.length, world.registrations.length], [2, 1]);
  for (const key of store.kept.keys()) store.kept.set(key, "{ broken");
  await using fourth = await signIn(world, { store });
  assert(await callText(fourth));
  assertEquals(world.registrations.length, 2);
});

Deno.test("oauth: a token that is refused or about to expire is renewed, else the user signs in again", async () => {
  const world = new OAuthWorld();
  await using client = await signIn(world);
  world.valid.clear();
  assert(await callText(client));
  assertEquals(world.tokenForms.map((form) => form.get("grant_type")), [
    "authorization_code",
    "refresh_token",
  ]);
  assertEquals(world.tokenForms[1]?.get("resource"), "https://mcp.example/mcp");
  const brief = new OAuthWorld({ expiresIn: 10 });
  await using other = await signIn(brief);
  assert(await callText(other));
  assertEquals(brief.tokenForms.at(-1)?.get("grant_type"), "refresh_token");
  const strict = new OAuthWorld({ refresh: "refused" });
  await using third = await signIn(strict);
  for (let round = 0; round < 3; round++) {
    strict.valid.clear();
    assert(await callText(third));
  }
  assertEquals(strict.authorized.length, 4);
});

Deno.test("oauth: a tool that needs more leads to one wider sign-in", async () => {
  const world = new OAuthWorld({ toolScopes: ["events:write"] });
  await using client = await signIn(world);
  assert(await callText(client));
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
    assert(await callText(client));
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
    assert(await callText(client));
    assertEquals(world.authorized[0]?.get("scope"), scope);
  });
}
