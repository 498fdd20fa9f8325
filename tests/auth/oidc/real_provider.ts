/** The identity provider `oidc-provider` on loopback, and a browser that signs in there. */
import type { Server } from "node:http";
import { once } from "node:events";
import Provider from "npm:oidc-provider@9.5.1";
import { makeKey } from "./signer.ts";
import { freePort } from "../../free_port.ts";

const isAlways = true;

export interface RealProviderOptions {
  readonly alg: "RS256" | "ES256";
  readonly appOrigin: string;
  readonly client?: Readonly<Record<string, unknown>>;
  readonly accessTokenSeconds?: number;
}

export class RealProvider {
  readonly options: RealProviderOptions;
  readonly issuer: string;
  readonly #port: number;
  #server: Server | undefined = undefined;

  private constructor(options: RealProviderOptions, port: number) {
    this.options = options;
    this.#port = port;
    this.issuer = `http://127.0.0.1:${port}`;
  }

  static async start(options: RealProviderOptions): Promise<RealProvider> {
    const provider = new RealProvider(options, freePort());
    await provider.rotate();
    return provider;
  }

  /** Restarts with a new key, as after a rotation. */
  async rotate(): Promise<void> {
    await this.stop();
    const { alg } = this.options;
    const { pair, kid } = await makeKey(alg, { kid: `${alg} ${crypto.randomUUID()}` });
    const { key_ops: _, ext: __, ...jwk } = await crypto.subtle.exportKey("jwk", pair.privateKey);
    const { appOrigin, client, accessTokenSeconds = 300 } = this.options;
    const { warn, info } = console;
    console.warn = console.info = () => {};
    const provider = new Provider(this.issuer, {
      jwks: { keys: [{ ...jwk, kid, alg, use: "sig" }] },
      cookies: { keys: ["a secret of the test"] },
      clients: [{
        client_id: "app",
        client_secret: "a-secret-of-the-client",
        redirect_uris: [`${appOrigin}/auth/callback`],
        post_logout_redirect_uris: [`${appOrigin}/`],
        backchannel_logout_uri: `${appOrigin}/backchannel`,
        backchannel_logout_session_required: true,
        grant_types: ["authorization_code", "refresh_token"],
        id_token_signed_response_alg: alg,
        ...client,
      }],
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
      conformIdTokenClaims: false,
      features: {
        devInteractions: { enabled: true },
        backchannelLogout: { enabled: true },
        rpInitiatedLogout: { enabled: true },
      },
      // The package does not read the body of the application's response.
      fetch: async (url: string, init: RequestInit) => {
        const response = await fetch(url, init);
        await response.body?.cancel();
        return response;
      },
      issueRefreshToken: () => Promise.resolve(isAlways),
      rotateRefreshToken: () => isAlways,
      ttl: {
        AccessToken: accessTokenSeconds,
        AuthorizationCode: 60,
        IdToken: 300,
        RefreshToken: 3_600,
        Grant: 3_600,
        Interaction: 600,
        Session: 3_600,
      },
      findAccount: (_: unknown, id: string) => ({
        accountId: id,
        claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, name: id }),
      }),
      // deno-lint-ignore no-explicit-any -- the package's declarations are not installed
    } as any);
    console.warn = warn;
    console.info = info;
    this.#server = provider.listen(this.#port, "127.0.0.1") as Server;
    if (!this.#server.listening) await once(this.#server, "listening");
  }

  async stop(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** A minimal browser for the flow: cookies by host, redirects, forms. */
export class Browser {
  readonly #cookies: Map<string, Map<string, string>> = new Map();

  async send(url: string, form?: Record<string, string>): Promise<Response> {
    const { host } = new URL(url);
    const kept = this.#cookies.get(host) ?? new Map<string, string>();
    this.#cookies.set(host, kept);
    const response = await fetch(url, {
      redirect: "manual",
      headers: {
        cookie: [...kept].map(([name, value]) => `${name}=${value}`).join("; "),
        accept: "text/html",
      },
      ...(form === undefined ? {} : { method: "POST", body: new URLSearchParams(form) }),
    });
    for (const text of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
      const isGone = value === "" || /expires=Thu, 01 Jan 1970/i.test(text);
      if (isGone) kept.delete(name);
      else kept.set(name, value);
    }
    return response;
  }

  cookie(url: string, name: string): string | undefined {
    return this.#cookies.get(new URL(url).host)?.get(name);
  }

  /**
   * Follows redirects and fills in the provider's forms.
   *
   * @returns The final response.
   */
  async visit(
    url: string,
    options: { readonly login: string },
  ): Promise<{ url: string; body: string }> {
    let at = url;
    let form: Record<string, string> | undefined;
    for (let step = 0; step < 20; step++) {
      const response = await this.send(at, form);
      const body = await response.text();
      const location = response.headers.get("location");
      const [, action] = /<form[^>]+action="([^"]+)"/.exec(body) ?? [];
      const next = location ?? action;
      if (next === undefined) return { url: at, body };
      at = new URL(next, at).href;
      const fields = [...body.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)]
        .map(([, name = "", value = ""]) => [name, value]);
      form = location !== null ? undefined : {
        ...Object.fromEntries(fields),
        login: options.login,
        password: "x",
        logout: "yes",
      };
    }
    throw new Error(`no end at ${at}`);
  }
}
