/** A configurable identity provider behind the option `fetch`. */
import { type AuthOptions, oidc } from "../../../auth/mod.ts";
import type { Settings } from "../../../mod.ts";
import type { TestClient, TestResponse } from "../../../runtime/testing/mod.ts";
import { makeKey, type TestKey } from "./signer.ts";
import { appOf, registration, type SignInApp, startAt } from "./support.ts";

export type Answer = (request: Request) => Response | Promise<Response>;

const keys: Map<string, Promise<TestKey>> = new Map();

export function sharedKey(kid: string): Promise<TestKey> {
  const key = keys.get(kid) ?? makeKey("ES256", { kid });
  keys.set(kid, key);
  return key;
}

export class MockProvider {
  readonly calls: string[] = [];
  readonly forms: Record<string, string>[] = [];
  tokenHeaders: Headers = new Headers();
  /** Replacements for responses, by path. */
  readonly answers: Map<string, Answer> = new Map();
  /** The ids of the published keys; the first one signs. */
  kids: string[] = ["one"];
  claims: Record<string, unknown> = { sub: "1" };
  tokens: Record<string, unknown> = {};
  document: Record<string, unknown> = {};
  now: () => number = Date.now;
  readonly #issuer: string;

  constructor(issuer = registration.issuer) {
    this.#issuer = issuer;
  }

  readonly fetch: typeof fetch = async (input, init) => {
    const request = new Request(input instanceof URL ? input.href : input, init);
    const path = request.url.slice(this.#issuer.length);
    this.calls.push(`${request.method} ${path}`);
    const answer = this.answers.get(path) ?? this.answers.get("*");
    if (answer !== undefined) return await answer(request);
    if (path === "/keys") return Response.json({ keys: await this.publicKeys() });
    if (path === "/token") return await this.#redeem(request);
    if (path !== "/.well-known/openid-configuration") return new Response(null, { status: 404 });
    const issuer = this.#issuer;
    return Response.json({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      end_session_endpoint: `${issuer}/logout`,
      userinfo_endpoint: `${issuer}/userinfo`,
      ...this.document,
    });
  };

  async publicKeys(): Promise<object[]> {
    return await Promise.all(this.kids.map(async (kid) => (await sharedKey(kid)).jwk));
  }

  async sign(claims: object, typ = "JWT"): Promise<string> {
    const key = await sharedKey(this.kids[0] ?? "");
    const seconds = Math.floor(this.now() / 1_000);
    const defaults = { iss: this.#issuer, aud: registration.clientId, iat: seconds };
    const payload = { ...defaults, exp: seconds + 300, ...claims };
    return await key.token({ alg: key.alg, kid: key.kid, typ }, payload);
  }

  async #redeem(request: Request): Promise<Response> {
    this.tokenHeaders = request.headers;
    const form = Object.fromEntries(new URLSearchParams(await request.text()));
    this.forms.push(form);
    const nonce = form.code;
    return Response.json({
      token_type: "Bearer",
      access_token: "access-1",
      expires_in: 300,
      id_token: await this.sign({ nonce, ...this.claims }),
      ...this.tokens,
    });
  }

  /** Returns the path of the callback; the code is the nonce of the attempt. */
  async callback(client: TestClient): Promise<string> {
    const query = new URL(await startAt(client)).searchParams;
    return `/auth/callback?code=${query.get("nonce")}&state=${query.get("state")}`;
  }

  async signIn(client: TestClient): Promise<TestResponse> {
    return await client.get(await this.callback(client));
  }
}

export function mockedApp(
  options: AuthOptions = {},
  settings: Settings = {},
): SignInApp & { readonly provider: MockProvider } {
  const provider = new MockProvider();
  provider.now = options.now ?? Date.now;
  const auth = oidc(registration, { fetch: provider.fetch, ...options });
  return { ...appOf(auth, settings), provider };
}
