import { base64url, deriveKey, randomToken } from "../base/crypto.ts";
import type { Config } from "../base/ctx/config.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import { nodeBuffer, nodeCrypto } from "../base/node.ts";
import { createFirstCheck } from "../base/values.ts";
import { markCookieRead, setCookie } from "./stage.ts";
import { findCookie } from "./cookies.ts";
import type { RequestCtx } from "./request_ctx.ts";
import { noteCookie } from "./validators.ts";

/** The maximum length of a cookie value that is verified: browsers store no longer ones. */
const maxSignedChars = 4_096;

/**
 * Signs and verifies strings by HMAC with SHA-256 (RFC 2104). A signed text is
 * `<value in base64url>.<expiry in milliseconds, base 36>.<code in base64url>`; the code covers a name as
 * well, so that a value signed for one cookie is invalid in another.
 */
export class Signer {
  /** The current secret first, then the one that is being rotated out. */
  readonly #secrets: readonly (string | Uint8Array)[];
  readonly canSign: boolean;
  #derived: readonly Uint8Array[] | undefined;
  readonly isFirstRefusal: (name: string) => boolean = createFirstCheck(100);

  /** @param settings `previousSecret` is being rotated out: it verifies, and signs nothing. */
  constructor(settings: Pick<Config, "secret" | "previousSecret" | "env">) {
    const { previousSecret, env } = settings;
    const secret = settings.secret ?? (env === "dev" ? randomToken() : undefined);
    this.#secrets = [secret, previousSecret].filter((each) => each !== undefined);
    this.canSign = secret !== undefined;
  }

  /** Derives keys of 32 bytes for another purpose: the current one first; none without a secret. */
  keysFor(use: string): readonly Uint8Array[] {
    return this.canSign ? this.#derive(use) : [];
  }

  #derive(use: string): readonly Uint8Array[] {
    return this.#secrets.map((secret) => deriveKey(secret, use));
  }

  sign(name: string, value: string, options: { readonly ttlMs: number }): string {
    const [key] = this.#derived ??= this.#derive(purpose);
    if (!this.canSign || key === undefined) {
      throw new TypeError(
        `Cannot sign "${name}": the application has no secret; set FW_SECRET to 32 bytes or more.`,
      );
    }
    const { ttlMs } = options;
    if (!(ttlMs > 0 && ttlMs <= maxTtlMs)) {
      throw new RangeError(
        `Cannot sign "${name}" for "${ttlMs}" milliseconds: use a number from 1 to ten years.`,
      );
    }
    if (!value.isWellFormed()) {
      throw new TypeError(`Cannot sign "${name}": its value holds half a surrogate pair.`);
    }
    const expiry = Math.ceil(Date.now() + ttlMs).toString(36);
    const payload = `${new TextEncoder().encode(value).toBase64(base64url)}.${expiry}`;
    return `${payload}.${macOf(key, name, payload).toString("base64url")}`;
  }

  /** Returns the value signed for the name, or `undefined`; never throws, even for arbitrary text. */
  verify(name: string, text: string): string | undefined {
    if (text.length > maxSignedChars) return undefined;
    const match = /^([A-Za-z0-9_-]*)\.([0-9a-z]{1,11})\.([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])$/
      .exec(text);
    if (match === null) return undefined;
    const [, value = "", expiry = "", code = ""] = match;
    const given = nodeBuffer().from(code, "base64url");
    this.#derived ??= this.#derive(purpose);
    const isGenuine = this.#derived.some((key) =>
      nodeCrypto().timingSafeEqual(macOf(key, name, `${value}.${expiry}`), given)
    );
    if (!isGenuine || parseInt(expiry, 36) <= Date.now()) return undefined;
    return nodeBuffer().from(value, "base64url").toString("utf8");
  }
}

const purpose = "fw signed cookies 1";

/** Ten years; a longer `ttlMs` is a mistake. */
const maxTtlMs = 10 * 366 * 86_400_000;

// Cached here, so that signing a cookie calls one function fewer.
let createHmac: ReturnType<typeof nodeCrypto>["createHmac"] | undefined;

function macOf(key: Uint8Array, name: string, payload: string): Buffer {
  // A cookie's name contains no NUL, so the boundary between the two parts is unambiguous.
  createHmac ??= nodeCrypto().createHmac;
  return createHmac("sha256", key).update(`${name}\0${payload}`, "utf8").digest();
}

const signers: WeakMap<object, Signer> = new WeakMap();

export function setSigner(app: object, signer: Signer): void {
  signers.set(app, signer);
}

/** Returns the signer of an application. @throws {TypeError} before the application is compiled. */
export function signerOf(app: object): Signer {
  const signer = signers.get(app);
  if (signer !== undefined) return signer;
  throw new TypeError(
    "Cannot sign a cookie: the application has no keys yet; call app.handler() first.",
  );
}

export function writeSigned(
  c: RequestCtx,
  cookie: { readonly name: string; readonly value: string; readonly ttlMs: number },
): void {
  const { name, value, ttlMs } = cookie;
  const signer = signerOf(c.app);
  if (!signer.canSign) warnUnsigned(c, name);
  setCookie(c, {
    name,
    value: signer.sign(name, value, { ttlMs }),
    maxAgeSeconds: Math.ceil(ttlMs / 1_000),
  });
}

export function warnUnsigned(c: Ctx, name: string): void {
  if (!signerOf(c.app).isFirstRefusal(name)) return;
  c.log.warn("a cookie cannot be signed: set FW_SECRET to 32 bytes or more", {
    cookie: name,
    route: c.pattern,
  });
}

/** @param options `isTagged`: whether validators depend on the cookie. */
export function signedValue(
  c: RequestCtx,
  name: string,
  options: { readonly isTagged: boolean },
): string | undefined {
  markCookieRead(c);
  const text = findCookie(c.cookieHeader, name);
  const value = text === undefined ? undefined : signerOf(c.app).verify(name, text);
  // The signed text, not the value: a short value could be guessed from its fingerprint.
  if (options.isTagged) noteCookie(c, name, value === undefined ? undefined : text);
  return value;
}
