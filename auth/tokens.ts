import { type Application, type Ctx, type FwError, httpError, type Key, key } from "../mod.ts";
import {
  appKeys,
  type Awaitable,
  findApplication,
  isHeadSent,
  markGuarded,
  markPrivate,
  perApplication,
  randomToken,
  repeatCheck,
  type SessionOwner,
  type SessionStore,
  signedIn,
  type StoredSession,
} from "../runtime/addon.ts";
import { createGuard } from "./guards.ts";
import { providedStore } from "./memory_store.ts";
import { longestMs, openStores, renewEveryMs } from "./session_options.ts";
import {
  createSession,
  hashId,
  isIdentifier,
  isStorableText,
  type SignIn,
  userOf,
} from "./session_record.ts";
import {
  checkScopes,
  findCredentials,
  maxTokenChars,
  signToken,
  tokenInfo,
  tokenScopes,
  verifyToken,
} from "./token_text.ts";
import type {
  IssuedToken,
  TokenGuard,
  TokenOptions,
  TokenOwner,
  Tokens,
  TokenUser,
} from "./token_types.ts";

const maxPerOwner = 100;
const maxTries = 5;

/**
 * Creates the tokens with which programs call an API for a user (RFC 6750). They are sent in
 * `Authorization`, which browsers do not add on their own.
 *
 * Without a store a token is signed with the application's secret: it is valid on every replica until it
 * expires, and cannot be revoked. With a store, it is 256 random bits, whose hash the store keeps, so
 * tokens can be listed and revoked. Tokens outlive their user's sessions and password, and keep the roles
 * at the time of issue: revoke them when the account loses rights or is deleted.
 *
 * @throws {RangeError} for an option that is out of range.
 * @example
 * ```ts
 * import { App } from "@fw/fw";
 * import { createTokens } from "@fw/fw/auth";
 * import { testRequest, withHeader } from "@fw/fw/testing";
 *
 * const tokens = createTokens({ stored: true });
 * const app = new App({ env: "dev", logRequest: () => false });
 * app.route({
 *   pattern: "/api/loans",
 *   kind: "api",
 *   middleware: [{ Middleware: tokens.requireScope("loans:read") }],
 *   methods: { GET: async (c) => c.json(200, (await tokens.user(c))?.subject) },
 * });
 * const { value } = await tokens.issue(app, { subject: "42" }, { scopes: ["loans:read"] });
 *
 * await testRequest(app, "GET", "/api/loans").wantStatus(401);
 * await testRequest(app, "GET", "/api/loans", withHeader("authorization", `Bearer ${value}`))
 *   .wantStatus(200).wantContains("42");
 * ```
 */
export function createTokens(options: TokenOptions = {}): Tokens {
  const { lifetimeMs = 90 * 86_400_000, scheme = "Bearer", now = Date.now } = options;
  const { stored = false, store = stored ? providedStore("tokens") : undefined } = options;
  if (!(lifetimeMs >= renewEveryMs && lifetimeMs <= longestMs)) {
    throw new RangeError(
      `Cannot create tokens with lifetimeMs "${lifetimeMs}": use 60000 (a minute) to ${longestMs} (a year).`,
    );
  }
  // Browsers send credentials of these schemes on their own, even in requests from other sites.
  const isAmbient = /^(?:basic|digest|negotiate|ntlm)$/i.test(scheme);
  if (isAmbient || !/^[\w!#$%&'*+.^`|~-]{1,40}$/.test(scheme)) {
    throw new RangeError(
      `Cannot create tokens with scheme "${scheme}": use the name of a scheme such as "Bearer", ` +
        "which browsers do not send on their own.",
    );
  }
  return new TokenManager({ lifetimeMs, scheme, now }, openStores(store, "token")).tokens;
}

type TokenSettings = Required<Pick<TokenOptions, "lifetimeMs" | "scheme" | "now">>;

interface Known {
  readonly found: Awaitable<StoredSession | undefined>;
  isMarked: boolean;
}

class TokenManager {
  readonly tokens: Tokens;
  readonly #settings: TokenSettings;
  readonly #storeOf: ((app: Application) => SessionStore) | undefined;
  readonly #keysOf: (app: Application) => readonly Uint8Array[];
  readonly #known: Key<Known> = key("fw.token");
  /** Prefix of the stored provider, so that a session is never accepted as a token or vice versa. */
  readonly #prefix: string;

  constructor(
    settings: TokenSettings,
    storeOf: ((app: Application) => SessionStore) | undefined,
  ) {
    this.#settings = settings;
    this.#storeOf = storeOf;
    this.#prefix = `tokens:${settings.scheme.toLowerCase()} `;
    this.#keysOf = perApplication((app) => appKeys(app, `fw ${this.#prefix}1`));
    this.tokens = {
      issue: async (at, user, given) => {
        if (!("app" in at)) return await this.#issue(at, user, given);
        // A response with a token must not be cached (RFC 6749, section 5.1).
        if (!isHeadSent(at)) markGuarded(at);
        return await this.#issue(at.app, user, given);
      },
      user: async (c) => {
        const record = await this.#look(c).found;
        this.#mark(c, record);
        return record && this.#userOf(record);
      },
      require: this.#guard("require", []),
      requireScope: (...scopes) => {
        if (scopes.length === 0) {
          throw new TypeError(
            'Cannot require a scope: name one, such as requireScope("loans:read").',
          );
        }
        checkScopes(scopes, "require");
        return this.#guard(`requireScope(${scopes.join(", ")})`, scopes);
      },
      list: async (at, owner) =>
        (await this.#needStore(at, "list tokens").list(this.#ownerOf(owner))).map(tokenInfo),
      revoke: async (at, { owner, id }) => {
        const store = this.#needStore(at, "revoke a token");
        const { provider, subject } = this.#ownerOf(owner);
        const token = isIdentifier(id) ? await store.read(id) : undefined;
        return token?.provider === provider && token.subject === subject && await store.delete(id);
      },
      revokeAll: async (at, owner) =>
        await this.#needStore(at, "revoke tokens").deleteBySubject(this.#ownerOf(owner)),
    };
  }

  #ownerOf({ provider = "", subject }: TokenOwner): SessionOwner {
    return { provider: this.#prefix + provider, subject };
  }

  #needStore(at: Ctx | Application, act: string): SessionStore {
    const store = this.#storeOf?.(findApplication(at));
    if (store !== undefined) return store;
    throw new TypeError(
      `Cannot ${act}: the tokens are signed and not kept; give them a store: ` +
        "createTokens({ stored: true }), and provideStores(app, …) in Setup.",
    );
  }

  async #issue(
    app: Application,
    who: SignIn & TokenOwner,
    { scopes, label = "" }: { readonly scopes: readonly string[]; readonly label?: string },
  ): Promise<IssuedToken> {
    checkScopes(scopes, "issue a token with");
    if (!isStorableText(label, 100)) {
      throw new TypeError("Cannot issue a token: use a label of up to 100 characters.");
    }
    const { lifetimeMs, now } = this.#settings;
    const store = this.#storeOf?.(app);
    const random = randomToken();
    const record = createSession(who, {
      part: { provider: this.#ownerOf(who).provider, data: JSON.stringify([...new Set(scopes)]) },
      settings: { absoluteMs: lifetimeMs, idleMs: lifetimeMs, now },
      id: this.#idOf(random),
      device: label,
    });
    const expiresAt = new Date(record.endsAtMs);
    if (store === undefined) return { value: signToken(record, this.#keysOf(app)), expiresAt };
    for (let tries = 1;; tries++) {
      const startedMs = performance.now();
      await store.create(record);
      // Count after creating, so that concurrent requests cannot exceed the maximum.
      if ((await store.list(record)).length <= maxPerOwner) return { value: random, expiresAt };
      await store.delete(record.id);
      // The last of several to give way sees a free place, and takes it.
      const isFull = (await store.list(record)).length >= maxPerOwner;
      if (isFull || tries === maxTries) break;
      // In proportion to the store's time, or a slow store would let the same ones meet again.
      const pauseMs = Math.random() * tries * Math.max(20, 4 * (performance.now() - startedMs));
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    const message = `There are ${maxPerOwner} tokens already: revoke one first.`;
    throw httpError(409, message, { code: "too_many_tokens" });
  }

  /** Hashes a token differently from a session's identifier, so that neither finds the other's record. */
  #idOf(token: string): string {
    return hashId(this.#prefix + token);
  }

  #look(c: Ctx): Known {
    const known = c.get(this.#known);
    if (known !== undefined) return known;
    const token = findCredentials(c, this.#settings.scheme);
    const found = token === undefined ? undefined : this.#load(c.app, token);
    if (found !== undefined) repeatCheck(c, () => this.#checkLive(c));
    const made: Known = { found, isMarked: false };
    c.set(this.#known, made);
    return made;
  }

  /** @throws {HttpError} 401 for a token that was revoked or expired after the request had looked it up. */
  async #checkLive(c: Ctx): Promise<void> {
    const record = await this.#look(c).found;
    const store = this.#storeOf?.(c.app);
    if (record === undefined) return;
    const isExpired = this.#settings.now() >= record.endsAtMs;
    if (isExpired || (store && await store.read(record.id) === undefined)) throw this.#refuse(c);
  }

  #load(app: Application, token: string): Awaitable<StoredSession | undefined> {
    if (token.length > maxTokenChars) return undefined;
    const store = this.#storeOf?.(app);
    if (store === undefined) return this.#use(verifyToken(token, this.#keysOf(app)), undefined);
    if (!isIdentifier(token)) return undefined;
    const read = store.read(this.#idOf(token));
    return read instanceof Promise
      ? read.then((record) => this.#use(record, store))
      : this.#use(read, store);
  }

  #use(
    record: StoredSession | undefined,
    store: SessionStore | undefined,
  ): Awaitable<StoredSession | undefined> {
    const now = this.#settings.now();
    if (record === undefined || now >= record.endsAtMs) return undefined;
    if (store === undefined || now - record.usedAtMs < renewEveryMs) return record;
    // A token revoked between the read and the touch must not pass.
    const isThere = store.touch(record.id, { usedAtMs: now, expiresAtMs: record.endsAtMs });
    if (isThere instanceof Promise) return isThere.then((is) => is ? record : undefined);
    return isThere ? record : undefined;
  }

  #userOf(record: StoredSession): TokenUser {
    const provider = record.provider.slice(this.#prefix.length);
    return { ...userOf({ ...record, provider }), scopes: tokenScopes(record) };
  }

  /** Marks the response as user-specific, and its ETags as valid only for the token. */
  #mark(c: Ctx, record: StoredSession | undefined): void {
    const known = this.#look(c);
    if (known.isMarked || isHeadSent(c)) return;
    known.isMarked = true;
    c.header("vary", "Authorization");
    markPrivate(c);
    if (record === undefined) return;
    const { provider, subject } = this.#userOf(record);
    c.set(signedIn, { provider, subject });
    markGuarded(c, { name: "authorization", value: record.id });
  }

  #guard(name: string, scopes: readonly string[]): TokenGuard {
    const check = (c: Ctx, record: StoredSession | undefined): FwError | undefined => {
      this.#mark(c, record);
      if (record === undefined) return this.#refuse(c);
      const held = tokenScopes(record);
      const isAllowed = scopes.every((scope) => held.includes(scope));
      return isAllowed ? undefined : this.#refuseScope(c, scopes);
    };
    return createGuard(name, {
      look: (c) => this.#look(c).found,
      check,
      userOf: (record) => this.#userOf(record),
    });
  }

  /** Returns a 401; a request without credentials gets no error code (RFC 6750, section 3.1). */
  #refuse(c: Ctx): FwError {
    const isSent = findCredentials(c, this.#settings.scheme) !== undefined;
    c.app.security.report(c, "auth", { reason: isSent ? "token-invalid" : "token-missing" });
    const code = isSent ? "invalid_token" : "token_required";
    return httpError(401, "This needs a valid token.", {
      code,
      headers: this.#challenge(isSent ? `, error="${code}"` : ""),
    });
  }

  #refuseScope(c: Ctx, scopes: readonly string[]): FwError {
    c.app.security.report(c, "auth", { reason: "scope-missing" });
    return httpError(403, "The token lacks a scope.", {
      code: "insufficient_scope",
      headers: this.#challenge(`, error="insufficient_scope", scope="${scopes.join(" ")}"`),
    });
  }

  #challenge(fault: string): Record<string, string> {
    return { "www-authenticate": `${this.#settings.scheme} realm="api"${fault}` };
  }
}
