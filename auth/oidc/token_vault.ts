import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Application, Ctx } from "../../mod.ts";
import { appKeys, type SessionStore, type StoredSession } from "../../runtime/addon.ts";
import { decodeBase64url, encodeBase64url } from "../strict_json.ts";
import {
  refreshFaults,
  type RegisteredClient,
  requestTokenResponse,
  tokenExpectations,
  type TokenResponse,
} from "./client.ts";
import { verifyIdToken } from "./id_token.ts";
import { ProviderError } from "./provider.ts";

/** Time before its expiry at which an access token is renewed, in milliseconds, because a request takes time. */
const marginMs = 30_000;

/** Maximum time for a replica to renew, in milliseconds; exceeds the four exchanges it may need. */
const claimMs = 30_000;

/** Initial and maximum interval for polling another replica's renewal, in milliseconds. */
const [firstPollMs, maxPollMs] = [100, 1_000];

export interface Registration extends RegisteredClient {
  vault?: TokenVault;
}

interface KeptTokens extends TokenResponse {
  /** The end of a replica's claim to renew the tokens; the others wait. */
  readonly claimedUntilMs?: number;
}

type TokenOwner = Pick<StoredSession, "provider" | "subject">;
type TokenSession = TokenOwner & Pick<StoredSession, "id" | "data">;

export class TokenVault {
  readonly #client: RegisteredClient;
  readonly #storeOf: (app: Application) => SessionStore;
  readonly #renewals: Map<string, Promise<string | undefined>> = new Map();

  /** @throws {TypeError} if the sessions have no store. */
  constructor(client: RegisteredClient) {
    this.#storeOf = client.manager.needStore("keep tokens");
    this.#client = client;
  }

  seal(app: Application, owner: TokenOwner, tokens: KeptTokens): string {
    return sealText(app, JSON.stringify(tokens), ownerText(owner));
  }

  /** Returns the ID token of a session, which tells the provider whom to sign out. */
  idToken(app: Application, session: TokenSession): string | undefined {
    const { idToken } = this.#open(app, session) ?? {};
    return typeof idToken === "string" ? idToken : undefined;
  }

  /** Returns an access token that has not expired. @throws {ProviderError} if the provider is down. */
  async accessToken(c: Ctx, session: TokenSession): Promise<string | undefined> {
    const tokens = this.#open(c.app, session);
    if (tokens === undefined || this.#isFresh(tokens)) return tokens?.accessToken;
    const renewal = this.#renewals.get(session.id) ??
      this.#renew(c, session.id).finally(() => this.#renewals.delete(session.id));
    this.#renewals.set(session.id, renewal);
    return await renewal;
  }

  /**
   * Renews the tokens of a session. A refresh token may work only once, and a provider may revoke
   * the grant if it is reused: the replica that replaces the data first renews, the others wait.
   */
  async #renew(c: Ctx, id: string): Promise<string | undefined> {
    const { settings } = this.#client;
    const store = this.#storeOf(c.app);
    for (let tries = 0; tries < claimMs / maxPollMs; tries++) {
      // The request may have read its session before another request renewed the tokens.
      const session = await store.read(id);
      const tokens = session && this.#open(c.app, session);
      if (session === undefined || tokens === undefined) return undefined;
      if (this.#isFresh(tokens)) return tokens.accessToken;
      if (tokens.refreshToken === undefined) return undefined;
      if ((tokens.claimedUntilMs ?? 0) <= settings.now()) {
        const claim = { ...tokens, claimedUntilMs: settings.now() + claimMs };
        const data = this.seal(c.app, session, claim);
        if (await store.replaceData(id, { from: session.data, to: data })) {
          return await this.#ask(c, { ...session, data }, tokens);
        }
      }
      const waitMs = Math.min(firstPollMs * 2 ** tries, maxPollMs);
      await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
    throw new ProviderError("another replica did not renew the tokens in time");
  }

  async #ask(c: Ctx, session: TokenSession, old: KeptTokens): Promise<string | undefined> {
    const { refreshToken = "" } = old;
    const put = async (kept: KeptTokens): Promise<boolean> =>
      await this.#storeOf(c.app).replaceData(session.id, {
        from: session.data,
        to: this.seal(c.app, session, kept),
      });
    try {
      const form = { grant_type: "refresh_token", refresh_token: refreshToken };
      const answer = await requestTokenResponse(c, this.#client, form);
      if (!answer.ok && !refreshFaults.has(answer.reason)) {
        throw new ProviderError(`the provider does not renew the tokens: ${answer.reason}`);
      }
      const tokens = answer.ok && await this.#isSameUser(c, session, answer.value)
        ? answer.value
        : undefined;
      if (tokens === undefined) {
        c.log.warn("the tokens were not renewed", { reason: answer.ok ? "user" : answer.reason });
        await put({ ...old, accessToken: "", refreshToken: undefined });
        return undefined;
      }
      const idToken = tokens.idToken ?? old.idToken;
      const isKept = await put({
        ...tokens,
        idToken,
        refreshToken: tokens.refreshToken ?? refreshToken,
      });
      // Meanwhile the session ended or another replica took over, so read the store again.
      return isKept ? tokens.accessToken : await this.#renew(c, session.id);
    } catch (error) {
      await put(old);
      throw error;
    }
  }

  /** Checks that a renewed ID token, if any, is for the same user (OpenID Connect Core, 12.2). */
  async #isSameUser(c: Ctx, session: TokenSession, tokens: TokenResponse): Promise<boolean> {
    if (tokens.idToken === undefined || this.#client.plan.oauth !== undefined) return true;
    const checked = await verifyIdToken(tokens.idToken, {
      ...tokenExpectations(c, this.#client),
      nonce: undefined,
      accessToken: tokens.accessToken,
    });
    return checked.ok && checked.value.sub === session.subject;
  }

  /** Reports whether the token is usable; without an expiry it lasts as long as the session. */
  #isFresh({ accessToken, expiresAtMs = Infinity }: KeptTokens): boolean {
    return accessToken !== "" && expiresAtMs - marginMs > this.#client.settings.now();
  }

  #open(app: Application, session: TokenSession): KeptTokens | undefined {
    if (session.data === undefined || session.provider !== this.#client.plan.issuer) {
      return undefined;
    }
    const text = openText(app, session.data, ownerText(session));
    return text === undefined ? undefined : JSON.parse(text);
  }
}

function ownerText({ provider, subject }: TokenOwner): string {
  return JSON.stringify([provider, subject]);
}

/** The sizes of AES-256-GCM, in bytes. */
const [nonceBytes, tagBytes] = [12, 16];

const purpose = "fw sign-in tokens 1";

/** Encrypts a string for the store with AES-256-GCM. @throws {TypeError} in production without `FW_SECRET`. */
function sealText(app: Application, text: string, subject: string): string {
  const [key] = appKeys(app, purpose);
  if (key === undefined) {
    throw new TypeError(
      "Cannot keep tokens: the application has no secret; set FW_SECRET to 32 bytes or more.",
    );
  }
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(subject));
  const sealed = [nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()];
  return encodeBase64url(Buffer.concat(sealed));
}

/** Decrypts a string of {@link sealText}; `undefined` for anything else, and for another secret. */
function openText(app: Application, sealed: string, subject: string): string | undefined {
  const bytes = decodeBase64url(sealed);
  if (bytes === undefined || bytes.length <= nonceBytes + tagBytes) return undefined;
  for (const key of appKeys(app, purpose)) {
    const opened = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes))
      .setAAD(Buffer.from(subject)).setAuthTag(bytes.subarray(-tagBytes));
    try {
      const text = opened.update(bytes.subarray(nonceBytes, -tagBytes));
      return Buffer.concat([text, opened.final()]).toString();
    } catch {
      // Sealed with another secret, or for another subject.
    }
  }
  return undefined;
}
