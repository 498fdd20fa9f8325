import { redirect, type RedirectStatus } from "../base/errors/errors.ts";
import type { Cookie, Flash, FlashKind } from "../base/ctx/answers.ts";
import { headerError } from "../base/headers.ts";
import type { TextScope } from "../base/texts.ts";
import { buildHref, type HrefParams, type HrefPattern } from "../base/url/href.ts";
import { joinBase } from "../base/url/path.ts";
import { serializeCookie, stageCookie } from "./cookies.ts";
import type { Exchange } from "./exchange.ts";
import { queueFlash, takeFlashes } from "./flash.ts";
import { declareCacheControl, declareEtag, declareLastModified } from "./http_cache.ts";
import { RequestInput } from "./input.ts";
import { writeSigned } from "./signed.ts";

/**
 * Refuses a change of the head once it has been sent.
 *
 * @param what What would change, for the message.
 * @throws {TypeError} when it has been sent.
 */
export function refuseSealed(c: Exchange, what: string): void {
  if (c.isSealed) throw new TypeError(`Cannot set ${what}: the head has been sent.`);
}

/** What handlers stage for a response, and the responses without a body. Like its base, without state. */
export abstract class ResponseOutput extends RequestInput {
  status(this: Exchange, code: number): void {
    refuseSealed(this, "the status");
    if (!Number.isInteger(code) || code < 200 || code > 599) {
      throw new RangeError(`Cannot set the status "${code}": give a whole number from 200 to 599.`);
    }
    this.stagedStatus = code;
  }

  header(this: Exchange, name: string, value: string): void {
    refuseSealed(this, `the header "${name}"`);
    this.stagedHeaders ??= new Headers();
    try {
      if (/^(?:vary|set-cookie)$/i.test(name)) this.stagedHeaders.append(name, value);
      else this.stagedHeaders.set(name, value);
    } catch (error) {
      throw headerError(name, error);
    }
  }

  setCookie(this: Exchange, cookie: Cookie): void {
    refuseSealed(this, `the cookie "${cookie.name}"`);
    this.stagedHeaders ??= new Headers();
    stageCookie(
      this.stagedHeaders,
      serializeCookie(cookie, {
        path: this.base === "" ? "/" : this.base,
        isSecure: this.isSecure,
      }),
    );
  }

  setSigned(this: Exchange, name: string, value: string, ttlMs: number): void {
    refuseSealed(this, `the cookie "${name}"`);
    writeSigned(this, { name, value, ttlMs });
  }

  flash(this: Exchange, kind: FlashKind, text: string): void {
    refuseSealed(this, "a flash message");
    queueFlash(this, { kind, text });
  }

  flashes(this: Exchange): readonly Flash[] {
    return takeFlashes(this);
  }

  noContent(this: Exchange): Response {
    return this.keep(new Response(null, { status: 204 }));
  }

  redirect(this: Exchange, url: string, status: RedirectStatus = 303): Response {
    const { location } = redirect(url, status);
    return this.keep(new Response(null, { status, headers: { location } }));
  }

  etag(this: Exchange, tag: string | undefined): boolean {
    return declareEtag(this, tag);
  }

  lastModified(this: Exchange, date: Date | undefined): boolean {
    return declareLastModified(this, date);
  }

  cacheControl(this: Exchange, value: string): void {
    declareCacheControl(this, value);
  }

  href<To extends HrefPattern>(
    this: Exchange & TextScope,
    pattern: To,
    ...rest: HrefParams<To>
  ): string {
    const path = buildHref(pattern, rest);
    return joinBase(
      this.base,
      this.location?.language === undefined ? path : this.languagePrefix + path,
    );
  }
}
