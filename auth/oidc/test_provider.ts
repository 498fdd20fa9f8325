import { generateKeyPairSync, hash } from "node:crypto";
import { type JsonObject, randomToken } from "../../runtime/addon.ts";
import type { TestClient, TestResponse } from "../../runtime/testing/mod.ts";
import type { Auth } from "./auth_options.ts";
import { signJws } from "./jws.ts";
import { clients, type RegisteredClient } from "./client.ts";
import type { OAuthEndpoints } from "./provider_plan.ts";

const lifetimeSeconds = 300;

/** One key for all test providers, so that a key set cached from an earlier one stays valid. */
let keys: { readonly jwk: JsonObject; readonly privateKey: Promise<CryptoKey> } | undefined;

interface Grant {
  readonly claims: JsonObject;
  readonly challenge: string;
  readonly redirectUri: string;
}

/**
 * Replaces the identity provider of an application: every further request to the provider is handled
 * inside the process, with tokens that are signed and verified like real ones.
 *
 * @throws {TypeError} for an object that is not a provider's result.
 * @example
 * ```ts
 * import { App } from "@fw/fw";
 * import { oidc } from "@fw/fw/auth";
 * import { testProvider } from "@fw/fw/auth/testing";
 * import { newTestClient } from "@fw/fw/testing";
 *
 * const auth = oidc({
 *   issuer: "https://id.example",
 *   clientId: "events",
 *   redirectUrl: "https://events.example/auth/callback",
 * });
 * const app = new App({ env: "dev", logRequest: () => false });
 * app.route({ pattern: "/login", methods: { GET: auth.start } });
 * app.route({ pattern: "/auth/callback", methods: { GET: auth.callback } });
 * app.route({ pattern: "/me", page: async (c) => c.text(200, (await auth.user(c))?.name ?? "") });
 *
 * const client = newTestClient(app);
 * await testProvider(auth).signIn(client, { sub: "42", name: "Ada" });
 * await client.get("/me").wantContains("Ada");
 * ```
 */
export function testProvider(auth: Pick<Auth, "start" | "callback">): TestProvider {
  const client = clients.get(auth);
  if (client !== undefined) return new TestProvider(client);
  throw new TypeError('Cannot find "auth": use the result of oidc or another provider.');
}

/** An identity provider inside the test, as returned by {@link testProvider}. */
export class TestProvider {
  /** Makes the provider answer every request with 503. */
  isDown = false;
  /** The JSON that `fetchJson` reads by path, such as `{ "/user/emails": [] }`. @default {} */
  json: Readonly<Record<string, unknown>> = {};
  readonly #client: Pick<RegisteredClient, "plan" | "settings">;
  readonly #base: string;
  readonly #endpoints: OAuthEndpoints;
  readonly #grants = new Map<string, Grant>();
  readonly #users = new Map<string, JsonObject>();

  /** Use {@link testProvider}. */
  constructor({ plan, settings }: Pick<RegisteredClient, "plan" | "settings">) {
    const base = plan.issuer.replace(/\/$/, "");
    this.#client = { plan, settings };
    this.#base = base;
    this.#endpoints = plan.oauth?.endpoints ?? {
      authorizationEndpoint: `${base}/authorize`,
      tokenEndpoint: `${base}/token`,
      userinfoEndpoint: `${base}/userinfo`,
    };
    const fetch = async (url: string, init?: RequestInit): Promise<Response> =>
      this.isDown ? new Response("down", { status: 503 }) : await this.#answer(url, init);
    Object.assign(settings, { fetch });
  }

  /**
   * Signs a user in through the whole flow: the sign-in route, the provider, the callback.
   *
   * @param claims The claims of the user or, without ID tokens, the response of the userinfo endpoint,
   * as the provider sends them. @default `{ sub: "test", id: "test" }`
   * @param options `path` is the sign-in route with its query. @default "/login"
   * @returns The response of the callback: a redirect to the page that the user requested.
   */
  async signIn(
    client: TestClient,
    claims?: Readonly<Record<string, unknown>>,
    { path = "/login" }: { readonly path?: string } = {},
  ): Promise<TestResponse> {
    const { headers, status } = await client.get(path);
    const location = headers.get("location");
    if (location?.startsWith(this.#endpoints.authorizationEndpoint) !== true) {
      throw new Error(
        `Cannot sign in by "${path}": GET answers with ${status} and no redirect to ` +
          `"${this.#client.plan.issuer}"; name the route that starts the sign-in, such as ` +
          '{ path: "/login/provider" }.',
      );
    }
    const { pathname, search } = new URL(this.authorize(location, claims));
    return await client.get(pathname + search);
  }

  /**
   * Simulates the user's sign-in at the provider, given the `Location` of the sign-in route.
   *
   * @param claims The claims of the user, as for `signIn`. @default `{ sub: "test", id: "test" }`
   * @returns The URL of the callback with a code.
   */
  authorize(
    location: string,
    claims: Readonly<Record<string, unknown>> = { sub: "test", id: "test" },
  ): string {
    const { searchParams: query } = new URL(location);
    const code = randomToken();
    const redirectUri = query.get("redirect_uri") ?? "";
    this.#grants.set(code, {
      claims: { nonce: query.get("nonce"), ...claims },
      challenge: query.get("code_challenge") ?? "",
      redirectUri,
    });
    const state = query.get("state") ?? "";
    return `${redirectUri}?${new URLSearchParams({ code, state })}`;
  }

  /** Creates a logout token for a `sub` or a `sid`, to send to the route of `backchannelLogout`. */
  logoutToken(claims: Readonly<Record<string, unknown>>): Promise<string> {
    const events = { "http://schemas.openid.net/event/backchannel-logout": {} };
    return this.#sign({ jti: randomToken(), events, ...claims }, "logout+jwt");
  }

  async #sign(claims: JsonObject, typ: string): Promise<string> {
    const { plan: { issuer, clientId }, settings } = this.#client;
    const seconds = Math.floor(settings.now() / 1_000);
    const defaults = { iss: issuer, aud: clientId, iat: seconds, exp: seconds + lifetimeSeconds };
    const privateKey = await makeKeys().privateKey;
    return await signJws({ typ, kid: "test" }, { ...defaults, ...claims }, privateKey);
  }

  async #answer(url: string, init?: RequestInit): Promise<Response> {
    const { authorizationEndpoint, tokenEndpoint, userinfoEndpoint } = this.#endpoints;
    const request = new Request(url, init);
    if (url === tokenEndpoint) return await this.#redeem(new URLSearchParams(await request.text()));
    const user = this.#users.get(request.headers.get("authorization") ?? "");
    const { pathname } = new URL(url);
    if (url === userinfoEndpoint) return Response.json(user ?? {});
    if (user !== undefined && Object.hasOwn(this.json, pathname)) {
      return Response.json(this.json[pathname]);
    }
    const base = this.#base;
    if (url === `${base}/keys`) {
      return Response.json({ keys: [{ ...makeKeys().jwk, kid: "test" }] });
    }
    if (url !== `${base}/.well-known/openid-configuration`) {
      return new Response(null, { status: 404 });
    }
    const { documentIssuer, issuer } = this.#client.plan;
    return Response.json({
      issuer: documentIssuer ?? issuer,
      authorization_endpoint: authorizationEndpoint,
      token_endpoint: tokenEndpoint,
      jwks_uri: `${base}/keys`,
      userinfo_endpoint: userinfoEndpoint,
      end_session_endpoint: `${base}/logout`,
    });
  }

  async #redeem(form: URLSearchParams): Promise<Response> {
    const secret = form.get("code") ?? form.get("refresh_token") ?? "";
    const grant = this.#grants.get(secret);
    this.#grants.delete(secret);
    const isRefresh = form.get("grant_type") === "refresh_token";
    const challenge = hash("sha256", form.get("code_verifier") ?? "", "base64url");
    const isGenuine = grant !== undefined &&
      (isRefresh ||
        (grant.challenge === challenge && grant.redirectUri === form.get("redirect_uri")));
    if (!isGenuine) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const { nonce: _, ...lasting } = grant.claims;
    const refreshToken = randomToken();
    this.#grants.set(refreshToken, { ...grant, claims: lasting });
    const { clientId, oauth } = this.#client.plan;
    const accessToken = await this.#sign(
      { jti: randomToken(), azp: clientId, ...lasting },
      "at+jwt",
    );
    this.#users.set(`Bearer ${accessToken}`, lasting);
    const token = { token_type: "Bearer", access_token: accessToken };
    if (oauth !== undefined) return Response.json(token);
    return Response.json({
      ...token,
      id_token: await this.#sign(isRefresh ? lasting : grant.claims, "JWT"),
      refresh_token: refreshToken,
      expires_in: lifetimeSeconds,
    });
  }
}

function makeKeys(): NonNullable<typeof keys> {
  if (keys !== undefined) return keys;
  // WebCrypto takes as long for its first key as the rest of a test's sign-in.
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const pkcs8 = new Uint8Array(privateKey.export({ type: "pkcs8", format: "der" }));
  const isExtractable = false;
  return keys = {
    jwk: { ...publicKey.export({ format: "jwk" }) },
    privateKey: crypto.subtle.importKey("pkcs8", pkcs8, algorithm, isExtractable, ["sign"]),
  };
}
