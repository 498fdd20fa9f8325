import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  type Auth,
  type AuthOptions,
  clerk,
  cognito,
  createSessions,
  entraId,
  keycloak,
  type OAuth,
  oidc,
  oidcFromEnv,
} from "../../../../auth/mod.ts";
import { clients } from "../../../../auth/oidc/client.ts";
import { testProvider } from "../../../../auth/testing.ts";
import type { Ctx } from "../../../../mod.ts";
import { MockProvider } from "../mock_provider.ts";
import { makeKey } from "../signer.ts";
import { quietApp } from "../../support.ts";
import { appOf, locationOf, userOf } from "../support.ts";

const client = {
  clientId: "0b0a7d2e-3f5c-4c3f-8f5e-2f5a3a1f7c55",
  clientSecret: "secret",
  redirectUrl: "http://localhost/auth/callback",
};
const tenant = "6f3f4c80-7c5e-4f7b-9a8f-0d2f8f1f9d11";
const otherTenant = "1c2d3e4f-aaaa-4bbb-8ccc-123456789abc";
const microsoft = "https://login.microsoftonline.com";

/** The claims of an ID token of Entra ID, version 2.0, without those of the attempt. */
const entraClaims = {
  ver: "2.0",
  iss: `${microsoft}/${tenant}/v2.0`,
  sub: "AAAAAAAAAAAAAAAAAAAAAIkzqFVrSaSaFHy782bbtaQ",
  name: "Ada Lovelace",
  preferred_username: "ada@contoso.example",
  email: "ada@contoso.example",
  oid: "00000000-0000-0000-66f3-3332eca7ea81",
  tid: tenant,
  roles: ["Events.Organiser"],
  groups: ["6e60d2b1-4a6b-4d31-9a35-28a4b8b5b5bb"],
  wids: ["62e90394-69f5-4237-9190-012177145e10"],
  uti: "xjD5nW2JrEiTz1t",
};

/** The roles of a user of one of several directories: whose user it is, and what each role counts in. */
const entraRoles = [
  tenant,
  ...["Events.Organiser", ...entraClaims.groups, ...entraClaims.wids]
    .map((role) => `${tenant}/${role}`),
];

/** The claims of an ID token of Keycloak with mappers that add the roles. */
const keycloakClaims = {
  sub: "f1b0c6f2-0c5e-4c84-9a8a-6a8b6c1f7f50",
  typ: "ID",
  azp: client.clientId,
  sid: "b1c7b9c6-8d27-4e8f-8f2a-2d2d0f5c9c11",
  acr: "1",
  auth_time: 1_750_000_000,
  email_verified: true,
  name: "Ada Lovelace",
  preferred_username: "ada",
  email: "ada@example.com",
  realm_access: { roles: ["offline_access", "default-roles-staff", "organiser"] },
  resource_access: {
    [client.clientId]: { roles: ["editor"] },
    account: { roles: ["manage-account", "view-profile"] },
    "other-app": { roles: ["admin"] },
  },
};

/** The claims of an ID token of a Cognito user pool. */
const cognitoClaims = {
  sub: "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee",
  "cognito:groups": ["organisers", "editors"],
  email_verified: true,
  "cognito:preferred_role": "arn:aws:iam::111122223333:role/example",
  iss: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_AbCdEfGhI",
  "cognito:username": "ada",
  token_use: "id",
  auth_time: 1_750_000_000,
  email: "ada@example.com",
};

const clerkClaims = {
  iss: "https://clerk.events.example",
  sub: "user_2NNEqL2nrIRdJ194ndJqAHwEfxC",
  email: "ada@example.com",
  email_verified: true,
  name: "Ada Lovelace",
  org_id: "org_2NNEqL2nrIRdJ194",
  preferred_username: "ada",
};

/** A provider with the claims of a real token, and the resulting user. */
interface Row {
  readonly make: (options?: AuthOptions) => Auth;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly options?: AuthOptions;
  readonly issuer?: string;
  readonly roles: readonly string[];
  readonly email?: string | undefined;
  readonly name?: string | undefined;
  /** Returns the URL of a logout with its query sorted by name. */
  readonly logout?: string;
}

const home = encodeURIComponent("http://localhost/");
const entra = (extra: object = {}) => (options?: AuthOptions): Auth =>
  entraId({ tenant, ...client, ...extra }, options);

const plain = (options?: AuthOptions): Auth =>
  oidc({ issuer: "https://id.example", ...client }, options);
const back = `?client_id=${client.clientId}&post_logout_redirect_uri=${home}`;

const rows: Readonly<Record<string, Row>> = {
  "oidc": {
    make: (options) => oidc({ issuer: "https://id.example/a", ...client }, options),
    claims: {
      sub: "1",
      email: "a@b.example",
      email_verified: true,
      roles: ["a", "b", "a", 5, ""],
      groups: ["c"],
    },
    issuer: "https://id.example/a",
    roles: ["a", "b", "c"],
    email: "a@b.example",
    logout: `https://id.example/a/logout${back}`,
  },
  "oidc with roles in claims of its own": {
    make: plain,
    options: { roleClaims: ["https://events.example/roles", "team"] },
    claims: { sub: "1", "https://events.example/roles": ["x"], team: "y", role: "z" },
    roles: ["x", "y"],
  },
  "oidc with an unverified address": {
    make: plain,
    claims: { sub: "1", email: "boss@events.example", email_verified: false, nickname: "x" },
    roles: [],
    email: undefined,
  },
  "oidc with an address without a verification claim": {
    make: plain,
    claims: { sub: "1", email: "boss@events.example" },
    roles: [],
    email: undefined,
  },
  "oidc at a provider whose addresses the application trusts": {
    make: plain,
    options: { isEmailTrusted: true },
    claims: { sub: "1", email: "boss@events.example" },
    roles: [],
    email: "boss@events.example",
  },
  "oidc never trusts an address marked as unverified": {
    make: plain,
    options: { isEmailTrusted: true },
    claims: { sub: "1", email: "boss@events.example", email_verified: "false" },
    roles: [],
    email: undefined,
  },
  "oidc with an issuer that ends in a slash": {
    make: (options) => oidc({ issuer: "https://id.example/", ...client }, options),
    claims: { sub: "1", roles: "a" },
    issuer: "https://id.example/",
    roles: ["a"],
    logout: `https://id.example/logout${back}`,
  },
  "oidc with control characters in claims": {
    make: plain,
    claims: {
      sub: "1",
      name: "Ada\tL",
      preferred_username: "ada",
      email: "a\n@b.example",
      email_verified: true,
      groups: ["a\u0007", "b"],
    },
    roles: ["b"],
    email: undefined,
    name: "ada",
  },
  "oidc with claims of other types": {
    make: plain,
    claims: { sub: "1", email: ["a@b.example"], name: { a: 1 }, roles: { a: 1 }, groups: null },
    roles: [],
    email: undefined,
    name: undefined,
  },
  "entraId": {
    make: entra(),
    claims: entraClaims,
    issuer: `${microsoft}/${tenant}/v2.0`,
    roles: ["Events.Organiser", ...entraClaims.groups, ...entraClaims.wids],
    email: "ada@contoso.example",
    name: "Ada Lovelace",
    logout: `${microsoft}/${tenant}/v2.0/logout${back}`,
  },
  "entraId of several directories, an unverified address": {
    make: entra({ tenant: "organizations", tenants: [otherTenant, tenant] }),
    claims: entraClaims,
    issuer: `${microsoft}/organizations/v2.0`,
    roles: entraRoles,
    email: undefined,
    name: "Ada Lovelace",
  },
  "entraId of any directory, a verified address": {
    make: entra({ tenant: "common", tenants: "any" }),
    claims: { ...entraClaims, xms_edov: true, roles: ["Events.Organiser", "", "r".repeat(255), 5] },
    roles: entraRoles,
    email: "ada@contoso.example",
  },
  "keycloak": {
    make: (options) =>
      keycloak({ url: "https://sso.example/", realm: "staff team", ...client }, options),
    claims: keycloakClaims,
    issuer: "https://sso.example/realms/staff%20team",
    roles: ["offline_access", "default-roles-staff", "organiser", "editor"],
    email: "ada@example.com",
    name: "Ada Lovelace",
    logout: `https://sso.example/realms/staff%20team/logout${back}`,
  },
  "keycloak with roles of other shapes": {
    make: (options) => keycloak({ url: "https://sso.example", realm: "a", ...client }, options),
    claims: {
      sub: "1",
      realm_access: ["admin"],
      resource_access: { constructor: { roles: ["x"] } },
    },
    roles: [],
  },
  "cognito": {
    make: (options) =>
      cognito({
        region: "eu-west-1",
        poolId: "eu-west-1_AbCdEfGhI",
        logoutDomain: "events.auth.eu-west-1.amazoncognito.com",
        ...client,
      }, options),
    claims: cognitoClaims,
    issuer: cognitoClaims.iss,
    roles: ["organisers", "editors"],
    email: "ada@example.com",
    logout:
      `https://events.auth.eu-west-1.amazoncognito.com/logout?client_id=${client.clientId}&logout_uri=${home}`,
  },
  "cognito without a logout domain": {
    make: (options) =>
      cognito({ region: "eu-west-1", poolId: "eu-west-1_AbCdEfGhI", ...client }, options),
    claims: cognitoClaims,
    roles: ["organisers", "editors"],
    logout: "/",
  },
  "clerk": {
    make: (options) => clerk({ frontendApiUrl: "clerk.events.example", ...client }, options),
    claims: clerkClaims,
    issuer: "https://clerk.events.example",
    roles: [],
    email: "ada@example.com",
    name: "Ada Lovelace",
  },
  "clerk with a scheme and a slash": {
    make: (options) =>
      clerk({ frontendApiUrl: "https://clerk.events.example/", ...client }, options),
    claims: { ...clerkClaims, groups: ["organiser"] },
    issuer: "https://clerk.events.example",
    roles: ["organiser"],
  },
};

for (const [name, row] of Object.entries(rows)) {
  Deno.test(`a provider reads the claims of its users: ${name}`, async () => {
    const auth = row.make(row.options);
    const provider = testProvider(auth);
    const { client, reasons } = appOf(auth);
    const answer = await provider.signIn(client, row.claims);
    assertEquals([answer.status, reasons], [303, []]);
    const user = await userOf(client);
    assertEquals([user?.subject, user?.roles], [row.claims.sub, row.roles]);
    if ("email" in row) assertEquals(user?.email, row.email);
    if ("name" in row) assertEquals(user?.name, row.name);
    if (row.issuer !== undefined) assertEquals(clients.get(auth)?.plan.issuer, row.issuer);
    const out = await client.postForm("/logout", {}).wantStatus(303);
    if (row.logout !== undefined) assertEquals(locationOf(out), row.logout);
    assertEquals(await userOf(client), null);
    // Two providers do not document max_age.
    const again = new URL(locationOf(await client.get("/login?again=1"))).searchParams;
    const isPrompt = /entra|cognito/i.test(clients.get(auth)?.plan.issuer ?? "") ||
      row.claims.ver === "2.0";
    assertEquals(again.get("prompt") ?? again.get("max_age"), isPrompt ? "login" : "0");
  });
}

const access = {
  sub: keycloakClaims.sub,
  azp: client.clientId,
  realm_access: keycloakClaims.realm_access,
  resource_access: keycloakClaims.resource_access,
};
const accessRows: readonly [name: string, claims: object, typ: string, roles: readonly string[]][] =
  [
    ["its own", access, "JWT", ["offline_access", "default-roles-staff", "organiser", "editor"]],
    ["typ at+jwt", access, "at+jwt", [...keycloakClaims.realm_access.roles, "editor"]],
    ["of another client", { ...access, azp: "other" }, "JWT", []],
    ["of another user", { ...access, sub: "other" }, "JWT", []],
    ["of another issuer", { ...access, iss: "https://evil.example" }, "JWT", []],
    ["of another kind", access, "logout+jwt", []],
  ];

/** The roles of a user whose ID token has none. */
async function rolesBy(
  tokenOf: (provider: MockProvider) => string | Promise<string>,
): Promise<readonly string[]> {
  const provider = new MockProvider("https://sso.example/realms/staff");
  const auth = keycloak({ url: "https://sso.example", realm: "staff", ...client }, {
    fetch: provider.fetch,
  });
  const { client: browser } = appOf(auth);
  const { realm_access: _, resource_access: __, ...bare } = keycloakClaims;
  provider.claims = { ...bare, aud: client.clientId };
  provider.tokens = { access_token: await tokenOf(provider) };
  assertEquals((await provider.signIn(browser)).status, 303);
  return JSON.parse((await browser.get("/me")).body).user.roles;
}

for (const [name, claims, typ, roles] of accessRows) {
  Deno.test(`keycloak reads roles from the access token if the ID token has none: ${name}`, async () => {
    assertEquals(await rolesBy((provider) => provider.sign(claims, typ)), roles);
  });
}

Deno.test("keycloak ignores an access token that is malformed or signed by another issuer", async () => {
  const forged = await (await makeKey("ES256", { kid: "one" }))
    .token({ alg: "ES256", kid: "one" }, { iss: "https://sso.example/realms/staff", ...access });
  for (const token of ["opaque", forged]) assertEquals(await rolesBy(() => token), []);
});

const tenantRows: readonly [name: string, iss: string, extra: object, isTaken: boolean][] = [
  ["a listed tenant", `${microsoft}/${otherTenant}/v2.0`, { tenants: [otherTenant] }, true],
  ["an unlisted tenant", `${microsoft}/${tenant}/v2.0`, { tenants: [otherTenant] }, false],
  ["any tenant", `${microsoft}/${tenant}/v2.0`, { tenants: "any" }, true],
  ["the template itself", `${microsoft}/{tenantid}/v2.0`, { tenants: "any" }, false],
  ["the shared name", `${microsoft}/common/v2.0`, { tenants: "any" }, false],
  ["version 1.0", `https://sts.windows.net/${tenant}/`, { tenants: "any" }, false],
  ["another host", `https://login.evil.example/${tenant}/v2.0`, { tenants: "any" }, false],
  ["a path after it", `${microsoft}/${tenant}/v2.0/x`, { tenants: "any" }, false],
  ["a tenant in capitals", `${microsoft}/${tenant.toUpperCase()}/v2.0`, { tenants: "any" }, false],
  ["a longer host", `${microsoft}.evil.example/${tenant}/v2.0`, { tenants: "any" }, false],
];

async function signInAt(extra: object, claims: object): Promise<unknown[]> {
  const auth = entraId({ tenant: "common", ...client, ...extra });
  const { client: browser, reasons } = appOf(auth);
  const answer = await testProvider(auth).signIn(browser, { ...entraClaims, ...claims });
  return [answer.status, reasons];
}

for (const [name, iss, extra, isTaken] of tenantRows) {
  Deno.test(`entraId for several directories: ${name} is ${isTaken ? "accepted" : "refused"}`, async () => {
    const tid = /[0-9a-f-]{36}/.exec(iss)?.[0];
    assertEquals(await signInAt(extra, { iss, tid }), isTaken ? [303, []] : [400, ["token-iss"]]);
  });
}

const tids: readonly (readonly [name: string, tid: unknown, isTaken: boolean])[] = [
  ["that of the issuer", tenant, true],
  ["none", undefined, false],
  ["null", null, false],
  ["that of another directory", tenant.replace(/.$/, "0"), false],
  ["a list", [tenant], false],
];

for (const [name, tid, isTaken] of tids) {
  Deno.test(`entraId for several directories: the tid is ${name}`, async () => {
    const claims = { iss: `${microsoft}/${tenant}/v2.0`, tid };
    const answer = await signInAt({ tenants: "any" }, claims);
    assertEquals(answer, isTaken ? [303, []] : [400, ["token-iss"]]);
  });
}

for (
  const overage of [
    { hasgroups: true },
    { _claim_names: { groups: "src1" }, _claim_sources: { src1: { endpoint: "https://graph" } } },
  ]
) {
  Deno.test(`entraId logs groups omitted from the token: ${Object.keys(overage)[0]}`, async () => {
    const auth = entraId({ tenant, ...client });
    const { client: browser, log } = appOf(auth);
    const { groups: _, ...claims } = entraClaims;
    await testProvider(auth).signIn(browser, { ...claims, ...overage });
    const { user } = JSON.parse((await browser.get("/me")).body);
    assertEquals(user.roles, ["Events.Organiser", ...entraClaims.wids]);
    assertMatch(log.join(), /the directory left the groups out/);
  });
}

const base = { issuer: "https://id.example", ...client };
const { clientSecret: _, ...open } = base;
const isExtractable = true;
const hmac = await crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, isExtractable, [
  "sign",
]) as CryptoKey;
const { publicKey } = (await makeKey("ES256")).pair;

const changed = (settings: object) => () => oidc({ ...base, ...settings });
const optional = (options: AuthOptions, settings = base as typeof open) => () =>
  oidc(settings, options);
const tenants = (settings: { tenant: string; tenants?: string[] }) => () =>
  entraId({ ...settings, ...client });

Deno.test("providers accept a client without a secret, and sessions with a clock", () => {
  optional({ clientAuth: "none" }, open)();
  optional({ sessions: createSessions(), now: Date.now })();
});

const wrong: Readonly<Record<string, [make: () => unknown, message: RegExp]>> = {
  "an issuer over http": [
    changed({ issuer: "http://id.example" }),
    /issuer is "http:\/\/id.example"; write an absolute https URL/,
  ],
  "an issuer that is the discovery document": [
    changed({ issuer: "https://id.example/.well-known/openid-configuration" }),
    /issuer is/,
  ],
  "an invalid issuer": [changed({ issuer: "id.example" }), /issuer is/],
  "an issuer with a query": [changed({ issuer: "https://id.example/?a" }), /issuer is/],
  "a redirect over http": [changed({ redirectUrl: "http://events.example/cb" }), /redirectUrl is/],
  "a redirect that is a path": [changed({ redirectUrl: "/cb" }), /redirectUrl is/],
  "a fragment": [changed({ redirectUrl: "https://a.example/cb#x" }), /redirectUrl is/],
  "no client": [changed({ clientId: "" }), /clientId is missing/],
  "a blank client": [changed({ clientId: " " }), /clientId is missing/],
  "an empty scope": [optional({ scopes: ["email", ""] }), /scopes "email,": name each scope/],
  "two scopes in one": [optional({ scopes: ["email profile"] }), /scopes "email profile"/],
  "a blank claim": [optional({ roleClaims: [" "] }), /roleClaims " ": name each claim/],
  "no key ID": [
    optional({ clientAuth: { privateKey: publicKey, keyId: "" } }, open),
    /keyId "": use the ID/,
  ],
  "a blank realm": [
    () => keycloak({ url: "https://sso.example", realm: " ", ...client }),
    /Cannot sign in at the realm " "/,
  ],
  "another response mode": [
    optional({ authorizationParameters: { response_mode: "fragment" } }),
    /authorizationParameters "response_mode": leave it out/,
  ],
  "an unknown method": [
    optional({ clientAuth: "client_secret_jwt" as "basic" }, open),
    /clientAuth "client_secret_jwt": use one of basic, client_secret_basic, post/,
  ],
  "a missing secret, named as registered": [
    optional({ clientAuth: "client_secret_post" }, open),
    /clientAuth "client_secret_post": set a clientSecret/,
  ],
  "no secret": [optional({ clientAuth: "basic" }, open), /clientAuth "basic": set a clientSecret/],
  "a key of HMAC": [
    optional({ clientAuth: { privateKey: hmac, keyId: "1" } }, open),
    /use a private key for RS256/,
  ],
  "a public key": [
    optional({ clientAuth: { privateKey: publicKey, keyId: "1" } }, open),
    /use a private key for RS256/,
  ],
  "a home that is elsewhere": [optional({ afterLogin: "//evil" }), /afterLogin "\/\/evil"/],
  "a way out that is elsewhere": [optional({ afterLogout: "https://a" }), /afterLogout/],
  "a negative age": [optional({ maxAgeSeconds: -1 }), /maxAgeSeconds "-1"/],
  "a fraction of a second": [optional({ maxAgeSeconds: 0.5 }), /maxAgeSeconds "0.5"/],
  "an empty secret": [changed({ clientSecret: "" }), /set a clientSecret/],
  "tokens alone": [optional({ keepTokens: true }), /Cannot keep tokens: .* give them a store/],
  "back-channel logout without a store": [
    () => oidc(base).backchannelLogout,
    /Cannot end sessions for a provider/,
  ],
  "an option of sessions beside sessions": [
    optional({ sessions: createSessions(), idleMs: 600_000 }),
    /Cannot sign in with idleMs and sessions/,
  ],
  "sessions of another kind": [
    optional({ sessions: {} as ReturnType<typeof createSessions> }),
    /use the result of createSessions or oidc/,
  ],
  "a tenant by its domain": [tenants({ tenant: "contoso.example" }), /GUID/],
  "several tenants without a list": [tenants({ tenant: "common" }), /without tenants/],
  "an empty list of tenants": [tenants({ tenant: "common", tenants: [] }), /without tenants/],
  "a list with no tenant": [tenants({ tenant: "common", tenants: ["*"] }), /the tenant "\*"/],
  "an invalid region": [
    () => cognito({ region: "eu/west", poolId: "a", ...client }),
    /user pool "a" in "eu\/west"/,
  ],
  "an invalid pool": [() => cognito({ region: "eu", poolId: "a/b", ...client }), /"a\/b"/],
  "a logout domain with a path": [
    () => cognito({ region: "eu", poolId: "a", logoutDomain: "a.example/x", ...client }),
    /use a host such as/,
  ],
  "no host": [() => clerk({ frontendApiUrl: "clerk example", ...client }), /use a host such as/],
  "a Keycloak over http": [
    () => keycloak({ url: "http://sso.example", realm: "a", ...client }),
    /write an absolute https URL/,
  ],
};

for (const [name, [make, message]] of Object.entries(wrong)) {
  Deno.test(`a provider refuses ${name} at boot`, () => {
    const error = assertThrows(make, TypeError);
    assertMatch(error.message, message);
  });
}

Deno.test("oidcFromEnv reads the environment; production names the missing variables", async () => {
  const values = {
    FW_OIDC_ISSUER: "https://id.example",
    FW_OIDC_CLIENT_ID: "app",
    FW_OIDC_REDIRECT_URL: "https://events.example/cb",
  };
  try {
    for (const name of Object.keys(values)) Deno.env.delete(name);
    Deno.env.set("FW_OIDC_ISSUER", values.FW_OIDC_ISSUER);
    const auth = oidcFromEnv();
    const { client } = appOf(auth);
    assertEquals((await testProvider(auth).signIn(client)).status, 303);
    // Another application of the process starts, and each one with the sign-in says what it lacks.
    quietApp({ env: "prod" }).handler();
    for (let apps = 0; apps < 2; apps++) {
      const error = assertThrows(() => appOf(auth, { env: "prod" }).app.handler(), TypeError);
      assertMatch(error.message, /lacks FW_OIDC_CLIENT_ID, FW_OIDC_REDIRECT_URL;/);
    }
    // The boot does not see a handler that another function calls.
    const wrapped: OAuth = Object.create(auth, { start: { value: (c: Ctx) => auth.start(c) } });
    for (const name of ["callback", "logout"] as const) {
      Object.defineProperty(wrapped, name, { value: (c: Ctx) => auth[name](c) });
    }
    const { client: visitor, log } = appOf(wrapped, { env: "prod" });
    await visitor.get("/login").wantStatus(500);
    assertMatch(log.join(""), /lacks FW_OIDC_CLIENT_ID, FW_OIDC_REDIRECT_URL;/);
    assertThrows(() => oidcFromEnv({ variables: {} }), TypeError, "lacks FW_OIDC_CLIENT_ID");
    for (const [name, value] of Object.entries(values)) Deno.env.set(name, value);
    assertEquals(clients.get(oidcFromEnv())?.settings.clientAuth, undefined);
    Deno.env.set("FW_OIDC_CLIENT_SECRET", "secret");
    const { plan, settings } = clients.get(oidcFromEnv()) ?? {};
    assertEquals([plan?.clientSecret, settings?.clientAuth], ["secret", undefined]);
  } finally {
    for (const name of [...Object.keys(values), "FW_OIDC_CLIENT_SECRET"]) Deno.env.delete(name);
  }
  assert(Deno.env.get("FW_OIDC_ISSUER") === undefined);
});
