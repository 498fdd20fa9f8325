import { type Ctx, HttpError, key } from "@fw/fw";
import { createHash, timingSafeEqual } from "node:crypto";
import { pageWords } from "./page_words.ts";

/** The gate provided by `setup.ts`: `use(c, Partners)`. */
export const Partners = key<PartnerGate>("partner gate");

const minKeyChars = 32;

/** Admits clients with the partner key. If no key is set, it admits none. */
export class PartnerGate {
  readonly #digest: Uint8Array | undefined;

  /**
   * Sets the key.
   *
   * @throws {RangeError} for a key that could be guessed.
   */
  constructor(apiKey: string | undefined) {
    if (apiKey !== undefined && apiKey.length < minKeyChars) {
      throw new RangeError(
        `Cannot use EVENTS_API_KEY: it has ${apiKey.length} characters; give ${minKeyChars} or more, ` +
          "as `openssl rand -hex 32` makes them.",
      );
    }
    this.#digest = apiKey === undefined ? undefined : digestOf(apiKey);
  }

  /**
   * Checks the header `Authorization` (RFC 6750, section 2.1).
   *
   * @throws {HttpError} 401 with `WWW-Authenticate`.
   */
  check(c: Ctx, authorization: string | null): void {
    const [, token] = /^Bearer +([A-Za-z0-9._~+/-]+=*)$/i.exec(authorization ?? "") ?? [];
    if (token !== undefined && this.#isKey(token)) return;
    const fault = token === undefined ? "" : ', error="invalid_token"';
    throw new HttpError(401, c.t(pageWords, "partnerKey"), {
      headers: { "www-authenticate": `Bearer realm="partners"${fault}` },
    });
  }

  /** Compares digests of equal length, so that the time reveals nothing about the key. */
  #isKey(token: string): boolean {
    return this.#digest !== undefined && timingSafeEqual(this.#digest, digestOf(token));
  }
}

function digestOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
