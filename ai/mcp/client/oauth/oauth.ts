import { createHash } from "node:crypto";
import { isLoopback, randomToken } from "../../../../runtime/addon.ts";
import { isJsonObject } from "../../../json.ts";
import { type Challenge, parseChallenge } from "./challenge.ts";
import { findResource, findServer, type ServerMetadata } from "./discovery.ts";
import {
  authError,
  InvalidScopeError,
  keepOutside,
  type OAuthFetch,
  refusalError,
  textList,
} from "./fetch.ts";
import type { OAuthOptions, OAuthStore } from "./options.ts";
import { forgetRegistration, identify } from "./registration.ts";
import { parseRedirect } from "./redirect.ts";
import { SharedWork } from "../shared_work.ts";
import { StepUps } from "./step_ups.ts";
import { fetchTokens, TokenError, type Tokens } from "./token.ts";

/** A refusal that the client may overcome. */
export interface Refusal {
  readonly status: number;
  readonly challenge: string | null;
  /** The token that was refused. */
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

/** A token that expires so soon is renewed before it is used, in milliseconds. */
const marginMs = 30_000;

/**
 * Gets and renews the tokens for one MCP server ("Authorization" of revision 2026-07-28): discovery,
 * registration, the code flow with PKCE and resource indicators, refresh, step-up.
 */
export class McpAuthorization {
  readonly #server: URL;
  readonly #options: OAuthOptions & { readonly fetch: OAuthFetch };
  readonly #store: OAuthStore;
  #tokens: Tokens | undefined = undefined;
  /** The scopes that the user agreed to: a sign-in after the loss of the tokens asks for them again. */
  #scopes: readonly string[] = [];
  /** The metadata of the server that issued the tokens. */
  #metadata: ServerMetadata | undefined = undefined;
  readonly #refreshing: SharedWork = new SharedWork();
  readonly #answering: SharedWork = new SharedWork();
  #loading: Promise<void> | undefined = undefined;
  readonly #stepUps: StepUps = new StepUps();
  /** Whether the server has taken the token since the last sign-in. */
  #isAccepted = true;

  /** @throws {TypeError} for a redirect or a metadata document that no server accepts. */
  constructor(server: URL, options: OAuthOptions & { readonly fetch: OAuthFetch }) {
    checkOptions(options);
    this.#server = server;
    this.#options = { ...options, fetch: keepOutside(server, options.fetch) };
    this.#store = options.store ?? memoryStore();
  }

  /** Returns the token to send; `undefined` before the first sign-in. */
  async token(signal: AbortSignal): Promise<string | undefined> {
    await (this.#loading ??= this.#load().catch((error) => {
      // A store that failed once must not end the sign-in for good.
      this.#loading = undefined;
      throw error;
    }));
    const { expiresMs = Infinity, refreshToken } = this.#tokens ?? {};
    if (expiresMs - Date.now() < marginMs && refreshToken !== undefined) {
      await this.#refreshing.join(signal, (shared) => this.#refresh(shared));
    }
    return this.#tokens?.accessToken;
  }

  async #load(): Promise<void> {
    const kept = parseTokens(await this.#store.get(this.#tokenKey));
    this.#tokens ??= kept;
    this.#scopes = this.#tokens?.scopes ?? [];
  }

  /**
   * Overcomes a refusal.
   *
   * @returns Whether there is another token to try.
   * @throws {McpClientError} when the sign-in fails.
   */
  async answer(refusal: Refusal): Promise<boolean> {
    const challenge = parseChallenge(refusal.challenge);
    const isWider = refusal.status === 403;
    if (isWider && challenge?.error !== "insufficient_scope") return false;
    // Another request has got a new token meanwhile.
    if (this.#tokens !== undefined && this.#tokens.accessToken !== refusal.token) return true;
    // Many requests that are refused at once lead to one sign-in.
    return await this.#answering.join(refusal.signal, async (signal) => {
      if (!isWider && await this.#refreshing.join(signal, (shared) => this.#refresh(shared))) {
        return true;
      }
      // A token that was refused right after it was given: to sign in once more would not help.
      if (!isWider && !this.#isAccepted) return false;
      return await this.#signIn(challenge, { isWider, signal });
    });
  }

  /** Notes that the server has taken the token. */
  accepted(): void {
    this.#isAccepted = true;
  }

  get #tokenKey(): string {
    return `token ${canonical(this.#server)}`;
  }

  async #refresh(signal: AbortSignal): Promise<boolean> {
    const { refreshToken, issuer, scopes, resource } = this.#tokens ?? {};
    if (refreshToken === undefined || issuer === undefined || scopes === undefined) return false;
    const about = { fetch: this.#options.fetch, signal };
    try {
      // The token of one server must not reach another, whichever the MCP server names by now.
      const server = this.#metadata?.issuer === issuer
        ? this.#metadata
        : await findServer(issuer, about);
      const client = await identify(server, {
        ...about,
        options: this.#options,
        store: this.#store,
      });
      const params = {
        grant_type: "refresh_token",
        refresh_token: refreshToken,
        resource: resource ?? canonical(this.#server),
      };
      const tokens = await fetchTokens({ server, client, params, scopes }, about);
      await this.#keep({ ...tokens, resource, refreshToken: tokens.refreshToken ?? refreshToken });
      this.#metadata = server;
      return true;
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(error instanceof TokenError) || error.isPassing) return false;
      // The user signs in again.
      this.#tokens = undefined;
      await this.#store.delete(this.#tokenKey);
      return false;
    }
  }

  async #signIn(
    challenge: Challenge | undefined,
    { isWider, signal }: { readonly isWider: boolean; readonly signal: AbortSignal },
  ): Promise<boolean> {
    const about = { fetch: this.#options.fetch, signal };
    const announced = challenge?.resourceMetadata;
    const found = await findResource(this.#server, { ...about, announced });
    const issuer = this.#chooseIssuer(found?.authorizationServers ?? []);
    const server = await findServer(issuer, about);
    const resource = found?.resource ?? canonical(this.#server);
    const scopes = this.#chooseScopes(challenge, { supported: found?.scopesSupported, server });
    const stepUp = isWider ? this.#stepUps.begin(scopes) : undefined;
    if (isWider && stepUp === undefined) return false;
    try {
      await this.#keep(await this.#authorize(server, { scopes, resource, signal }));
    } catch (error) {
      // A scope that the server no longer gives must not fail every later sign-in.
      if (error instanceof InvalidScopeError) {
        this.#scopes = isWider ? this.#tokens?.scopes ?? [] : [];
        this.#stepUps.forgetAgreed();
      }
      throw error;
    }
    stepUp?.agreed();
    // Only now has the user agreed to this server.
    this.#metadata = server;
    this.#isAccepted = false;
    return true;
  }

  #chooseIssuer(offered: readonly string[]): string {
    const { client } = this.#options;
    if (client !== undefined && (offered.length === 0 || offered.includes(client.issuer))) {
      return client.issuer;
    }
    const [first] = offered;
    if (first !== undefined) return first;
    throw authError(
      `Cannot sign in: the MCP server at ${this.#server.origin} names no authorization server.`,
    );
  }

  /** The challenge decides, then what the resource supports; what was granted stays. */
  #chooseScopes(
    challenge: Challenge | undefined,
    { supported, server }: {
      readonly supported: readonly string[] | undefined;
      readonly server: ServerMetadata;
    },
  ): readonly string[] {
    const wanted = challenge?.scopes ?? this.#options.scopes ?? supported ?? [];
    const all = new Set([...this.#scopes, ...wanted]);
    // It asks for a refresh token, where the server knows it.
    if (all.size > 0 && server.scopesSupported.includes("offline_access")) {
      all.add("offline_access");
    }
    return [...all];
  }

  async #authorize(
    server: ServerMetadata,
    { scopes, resource, signal }: {
      readonly scopes: readonly string[];
      readonly resource: string;
      readonly signal: AbortSignal;
    },
  ): Promise<Tokens> {
    const about = { fetch: this.#options.fetch, signal };
    const options = this.#options;
    const client = await identify(server, { ...about, options, store: this.#store });
    const verifier = randomToken();
    const state = randomToken();
    const url = new URL(server.authorizationEndpoint);
    const params = {
      response_type: "code",
      client_id: client.clientId,
      redirect_uri: options.redirectUri,
      state,
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256",
      resource,
      ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    };
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    const code = parseRedirect(await options.authorize(url, signal), {
      redirectUri: options.redirectUri,
      state,
      server,
    });
    try {
      const tokens = await fetchTokens({
        server,
        client,
        scopes,
        params: {
          grant_type: "authorization_code",
          code,
          redirect_uri: options.redirectUri,
          code_verifier: verifier,
          resource,
        },
      }, about);
      return { ...tokens, resource };
    } catch (error) {
      if (!(error instanceof TokenError)) throw error;
      if (error.code === "invalid_client") {
        await forgetRegistration(server, { options, store: this.#store });
      }
      throw refusalError(`Cannot sign in: "${server.issuer}" answered "${error.code}".`, {
        code: error.code,
        cause: error,
      });
    }
  }

  async #keep(tokens: Tokens): Promise<void> {
    this.#tokens = tokens;
    this.#scopes = tokens.scopes;
    await this.#store.set(this.#tokenKey, JSON.stringify(tokens));
  }
}

function memoryStore(): OAuthStore {
  const kept = new Map<string, string>();
  return {
    get: (key) => kept.get(key),
    set: (key, value) => void kept.set(key, value),
    delete: (key) => void kept.delete(key),
  };
}

/**
 * Returns the resource indicator of a server (RFC 8707): no fragment, no query, no slash at the
 * end.
 */
function canonical({ origin, pathname }: URL): string {
  return `${origin}${pathname === "/" ? "" : pathname}`;
}

function checkOptions({ redirectUri, clientMetadataUrl }: OAuthOptions): void {
  const redirect = URL.parse(redirectUri);
  const isLocal = isLoopback(redirect?.hostname ?? "");
  // A native app may have a scheme of its own, a web page needs HTTPS.
  if (redirect === null || (redirect.protocol === "http:" && !isLocal)) {
    throw new TypeError(
      `Cannot sign in with the redirectUri "${redirectUri}": give HTTPS or a loopback address.`,
    );
  }
  if (clientMetadataUrl === undefined) return;
  const document = URL.parse(clientMetadataUrl);
  if (document?.protocol === "https:" && document.pathname !== "/") return;
  throw new TypeError(
    `Cannot sign in with the clientMetadataUrl "${clientMetadataUrl}": give an HTTPS URL with a path.`,
  );
}

function parseTokens(text: string | undefined): Tokens | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    if (!isJsonObject(value)) return undefined;
    const { accessToken, refreshToken, expiresMs, issuer, resource } = value;
    if (typeof accessToken !== "string" || typeof issuer !== "string") return undefined;
    return {
      accessToken,
      refreshToken: typeof refreshToken === "string" ? refreshToken : undefined,
      expiresMs: typeof expiresMs === "number" ? expiresMs : undefined,
      scopes: textList(value.scopes),
      issuer,
      resource: typeof resource === "string" ? resource : undefined,
    };
  } catch {
    return undefined;
  }
}
