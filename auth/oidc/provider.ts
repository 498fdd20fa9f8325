import {
  findStores,
  isJsonObject,
  isLoopback,
  type JsonObject,
  memoryOnce,
  type OnceStore,
  readCapped,
  thrownMessage,
} from "../../runtime/addon.ts";
import { parseStrictJson } from "../strict_json.ts";
import type { Application } from "../../mod.ts";
import type { AuthSettings } from "./auth_options.ts";
import { JwkSet, type KeySource, type WantedKey } from "./jws.ts";
import type { OAuthEndpoints, ProviderPlan } from "./provider_plan.ts";

const timeoutMs = 5_000;

const maxBytes = 262_144;

/** The provider did not respond or violated its protocol, which is not the user's fault. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
}

interface FetchRules extends Pick<AuthSettings, "fetch"> {
  /** Whether plain HTTP to localhost is accepted, in development only. */
  readonly allowsLoopback: boolean;
}

/** Fetches JSON from a provider, within five seconds and 256 KiB, without redirects. @throws {ProviderError} */
export async function fetchProvider(
  url: string,
  init: RequestInit,
  rules: FetchRules,
): ReturnType<typeof send> {
  const controller = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new ProviderError(`${url} did not respond within ${timeoutMs} ms`));
    controller.abort();
  }, timeoutMs);
  try {
    const exchange = send(url, { ...init, signal: controller.signal }, rules);
    // A `fetch` that ignores its signal must not block the request.
    return await Promise.race([exchange, late.promise]);
  } catch (error) {
    if (error instanceof ProviderError) throw error;
    throw new ProviderError(`${url} cannot be read: ${thrownMessage(error)}`, { cause: error });
  } finally {
    clearTimeout(timer);
  }
}

async function send(
  url: string,
  init: RequestInit & { readonly signal: AbortSignal },
  rules: FetchRules,
): Promise<{ readonly status: number; readonly body: unknown }> {
  checkProviderUrl(url, rules);
  const response = await rules.fetch(url, { ...init, redirect: "manual" });
  // Send codes and secrets only to the URL that the provider published.
  if (response.status >= 300 && response.status <= 399) {
    await response.body?.cancel();
    // Report only the origin, because the rest of the URL may contain secrets.
    const target = URL.parse(response.headers.get("location") ?? "", url)?.origin ?? "nowhere";
    throw new ProviderError(
      `${url} redirects to ${target}, which is refused: use an issuer whose endpoints do not redirect`,
    );
  }
  const bytes = await readCapped(response.body, { maxBytes, signal: init.signal });
  if (bytes === undefined) throw new RangeError(`the response exceeds ${maxBytes} bytes`);
  return { status: response.status, body: parseStrictJson(bytes) };
}

/** Requires `https`, or `http` to localhost in development. @throws {ProviderError} for any other URL. */
function checkProviderUrl(text: unknown, rules: Pick<FetchRules, "allowsLoopback">): URL {
  const url = typeof text === "string" ? URL.parse(text) : null;
  const isAllowed = url?.protocol === "https:" ||
    (url?.protocol === "http:" && rules.allowsLoopback && isLoopback(url.hostname));
  if (url === null || !isAllowed || url.username !== "" || url.password !== "") {
    const fix = "use https, or http on localhost in development";
    throw new ProviderError(`${shownText(text)} is not a valid provider URL: ${fix}`);
  }
  return url;
}

/** Returns a member of a provider's JSON for an error; `String` would throw for `{ "toString": 1 }`. */
function shownText(member: unknown): string {
  return String(JSON.stringify(member)).slice(0, 200);
}

/** The members of a provider's discovery document that the application uses (OpenID Connect Discovery 1.0). */
export interface ProviderMetadata {
  readonly authorizationEndpoint: string;
  readonly tokenEndpoint: string;
  readonly jwksUri: string;
  readonly userinfoEndpoint: string | undefined;
  readonly endSessionEndpoint: string | undefined;
  /** Client authentication methods of the token endpoint; `undefined` if it names none. */
  readonly tokenAuthMethods: readonly unknown[] | undefined;
  /** Whether every authorization response names its issuer (RFC 9207). */
  readonly namesIssuer: boolean;
}

/** The same for every provider without ID tokens; most document the secret in the form alone. */
const oauthMetadata: Omit<ProviderMetadata, keyof OAuthEndpoints> = {
  jwksUri: "",
  endSessionEndpoint: undefined,
  tokenAuthMethods: ["client_secret_post"],
  namesIssuer: false,
};

/** The endpoints and keys of a provider for one application, which stay in use during an outage. */
export class Provider {
  /** The origins that a logout or an anonymous user's form may redirect to. */
  origins: readonly string[];
  readonly #plan: ProviderPlan;
  readonly #settings: Pick<AuthSettings, "fetch" | "now">;
  readonly #metadata: Kept<ProviderMetadata>;
  readonly #keys: Kept<JwkSet>;
  readonly #allowsLoopback: boolean;
  /** The states of completed attempts: each works once, even if the browser kept its cookie. */
  readonly usedStates: OnceStore;

  constructor(app: Application, plan: ProviderPlan, settings: Pick<AuthSettings, "fetch" | "now">) {
    this.#plan = plan;
    this.#settings = settings;
    this.#allowsLoopback = app.env === "dev";
    this.origins = this.#originsOf();
    this.usedStates = findStores(app).once ?? memoryOnce({
      now: settings.now,
      onFull: () => app.log.warn("more sign-ins than can be remembered; limit the callback route"),
    });
    const { now } = settings;
    const onError = (error: unknown): void =>
      app.log.warn("the identity provider is down; previously fetched data stays in use", {
        issuer: plan.issuer,
        error,
      });
    this.#metadata = new Kept({ load: () => this.#loadMetadata(), onError, now });
    this.#keys = new Kept({ load: () => this.#loadKeys(), onError, now });
  }

  metadata(): Promise<ProviderMetadata> {
    return this.#metadata.get();
  }

  /** Returns the keys; looking up an unknown one refetches them, at most once a minute per token source. */
  keysFor(source: "exchange" | "post"): KeySource {
    return {
      find: async (wanted: WantedKey) => {
        const key = await (await this.#keys.get()).find(wanted);
        if (key !== undefined) return key;
        const { value, isNew } = await this.#keys.refetch(source);
        return await value?.find(wanted) ?? (isNew || source === "exchange" ? undefined : "late");
      },
    };
  }

  ask(url: string, init: RequestInit): ReturnType<typeof fetchProvider> {
    const { fetch } = this.#settings;
    return fetchProvider(url, init, { fetch, allowsLoopback: this.#allowsLoopback });
  }

  /** Reads JSON with an access token, if given. @throws {ProviderError} for any other response. */
  async readJson(url: string, accessToken?: string): Promise<unknown> {
    const authorization = accessToken && { authorization: `Bearer ${accessToken}` };
    const headers = { ...authorization, accept: "application/json" };
    const { status, body } = await this.ask(url, { headers });
    if (status === 200 && body !== undefined) return body;
    const what = status === 200 ? "a body that is not JSON" : `status ${status}`;
    throw new ProviderError(`${url} returned ${what}`);
  }

  async readObject(url: string, accessToken?: string): Promise<JsonObject> {
    const body = await this.readJson(url, accessToken);
    if (isJsonObject(body)) return body;
    throw new ProviderError(`${url} returned JSON that is not an object`);
  }

  async #loadMetadata(): Promise<ProviderMetadata> {
    const { issuer, documentIssuer = issuer, oauth, fault } = this.#plan;
    if (fault !== undefined && !this.#allowsLoopback) throw new TypeError(fault);
    if (oauth !== undefined) return { ...oauthMetadata, ...oauth.endpoints };
    const url = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
    const document = await this.readObject(url);
    if (document.issuer !== documentIssuer) {
      throw new ProviderError(
        `${url} names the issuer ${shownText(document.issuer)} instead of "${documentIssuer}": ` +
          "use the issuer exactly as the provider names it",
      );
    }
    const rules = { allowsLoopback: this.#allowsLoopback };
    const required = (name: string): string => checkProviderUrl(document[name], rules).href;
    const optional = (name: string): string | undefined =>
      (document[name] ?? "") === "" ? undefined : required(name);
    const { token_endpoint_auth_methods_supported: methods } = document;
    const metadata: ProviderMetadata = {
      tokenAuthMethods: Array.isArray(methods) ? methods : undefined,
      authorizationEndpoint: required("authorization_endpoint"),
      tokenEndpoint: required("token_endpoint"),
      jwksUri: required("jwks_uri"),
      userinfoEndpoint: optional("userinfo_endpoint"),
      endSessionEndpoint: optional("end_session_endpoint"),
      namesIssuer: document.authorization_response_iss_parameter_supported === true,
    };
    this.origins = this.#originsOf(metadata);
    return metadata;
  }

  #originsOf(metadata?: ProviderMetadata): readonly string[] {
    const { issuer, logoutUrl, redirectUrl, oauth } = this.#plan;
    const { authorizationEndpoint, endSessionEndpoint } = metadata ??
      { ...oauthMetadata, ...oauth?.endpoints };
    const urls = [issuer, logoutUrl?.(redirectUrl), authorizationEndpoint, endSessionEndpoint];
    return [...new Set(urls.filter((url) => url !== undefined).map((url) => new URL(url).origin))];
  }

  async #loadKeys(): Promise<JwkSet> {
    const { jwksUri } = await this.#metadata.get();
    const { keys } = await this.readObject(jwksUri);
    if (!Array.isArray(keys)) throw new ProviderError(`${jwksUri} does not contain a key set`);
    return new JwkSet(keys);
  }
}

/** Maximum age, in milliseconds, of a value that is used without a refetch. */
const freshMs = 10 * 60_000;

/** Maximum age, in milliseconds, of a value that is used while a refetch runs in the background. */
const staleMs = 60 * 60_000;

const pauseMs = 10_000;

const forcedMs = 60_000;

interface KeptOptions<T> {
  readonly load: () => Promise<T>;
  readonly onError: (error: unknown) => void;
  readonly now: () => number;
}

/**
 * Caches a value that is fetched over the network. After ten minutes it is refetched in the
 * background, after an hour in the foreground; if the fetch fails, the last value stays in use.
 */
export class Kept<T> {
  readonly #options: KeptOptions<T>;
  #value: { readonly value: T; readonly atMs: number } | undefined = undefined;
  #pending: Promise<T> | undefined = undefined;
  #failure: { readonly error: unknown; readonly atMs: number } | undefined = undefined;
  readonly #forcedMs: Map<string, number> = new Map();

  constructor(options: KeptOptions<T>) {
    this.#options = options;
  }

  /** Returns the value, fetching a missing or outdated one. @throws the fetch error, cached for ten seconds. */
  async get(): Promise<T> {
    const kept = this.#value;
    const now = this.#options.now();
    const age = kept === undefined ? Infinity : Math.abs(now - kept.atMs);
    if (kept !== undefined && age <= freshMs) return kept.value;
    const failure = this.#failure;
    if (failure !== undefined && Math.abs(now - failure.atMs) < pauseMs) {
      if (kept !== undefined) return kept.value;
      throw failure.error;
    }
    const fetched = this.#fetch();
    if (kept === undefined) return await fetched;
    const outcome = fetched.catch((error: unknown) => {
      this.#options.onError(error);
      return kept.value;
    });
    return age <= staleMs ? kept.value : await outcome;
  }

  /** Refetches regardless of age, at most once a minute. Returns the last value, and whether it is new. */
  async refetch(budget: string): Promise<{ readonly value: T | undefined; isNew: boolean }> {
    const now = this.#options.now();
    const isSoon = Math.abs(now - (this.#forcedMs.get(budget) ?? -Infinity)) < forcedMs;
    if (!isSoon) this.#forcedMs.set(budget, now);
    const before = this.#value;
    // The pending fetch reports its own error.
    if (isSoon) await this.#pending?.catch(() => {});
    else await this.#fetch().catch(this.#options.onError);
    return { value: this.#value?.value, isNew: this.#value !== before };
  }

  #fetch(): Promise<T> {
    return this.#pending ??= this.#load().finally(() => this.#pending = undefined);
  }

  async #load(): Promise<T> {
    try {
      const value = await this.#options.load();
      this.#value = { value, atMs: this.#options.now() };
      this.#failure = undefined;
      return value;
    } catch (error) {
      this.#failure = { error, atMs: this.#options.now() };
      throw error;
    }
  }
}
