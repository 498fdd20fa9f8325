import { type Ctx, HttpError, key } from "@fw/fw";
import { createHash, timingSafeEqual } from "node:crypto";
import { pageWords } from "./page_words.ts";

/** The gate, as `setup.ts` provides it: `use(c, Partners)`. */
export const Partners = key<PartnerGate>("partner gate");

const minKeyChars = 32;

/** Lets those in who know the key of the partners. Without a key nobody gets in. */
export class PartnerGate {
  readonly #digest: Uint8Array | undefined;

  /**
   * Takes the key.
   *
   * @throws {RangeError} for one that could be guessed.
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

  /** Digests are compared, since they are of one length: the time tells nothing about the key. */
  #isKey(token: string): boolean {
    return this.#digest !== undefined && timingSafeEqual(this.#digest, digestOf(token));
  }
}

function digestOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
