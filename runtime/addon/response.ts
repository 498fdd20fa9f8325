import type { Ctx } from "../base/ctx/ctx.ts";
import { mark, markCookieRead as varyResponse } from "../request/stage.ts";
import { requestCtx } from "../request/request_ctx.ts";
import { noteCookie } from "../request/validators.ts";

/**
 * Marks the response of a request as user-specific: shared caches must not store it. A response that
 * sets no `Cache-Control` gets `private`.
 */
export function markPrivate(c: Ctx): void {
  mark(requestCtx(c), "user");
}

/**
 * Marks a response as guarded: no cache stores it unless the application overrides that, and a shared cache
 * never does. A call before the handler runs costs almost nothing.
 *
 * @param fact The identity behind the cookie that let the request pass, such as a session id: tags of
 * `c.etag` stay valid while it is the same.
 */
export function markGuarded(
  c: Ctx,
  fact?: { readonly name: string; readonly value: string | undefined },
): void {
  const made = requestCtx(c);
  mark(made, "no-store");
  if (fact !== undefined) noteCookie(made, fact.name, fact.value);
}

/**
 * Adds `Vary: Cookie` to the response, because its content depends on a cookie.
 *
 * @param fact The identity behind the cookie, such as a session id: tags of `c.etag` stay valid while it is
 * the same.
 * @default the value of each cookie that `c.cookie` has read
 */
export function varyByCookie(
  c: Ctx,
  fact?: { readonly name: string; readonly value: string | undefined },
): void {
  const made = requestCtx(c);
  varyResponse(made);
  if (fact !== undefined) noteCookie(made, fact.name, fact.value);
}

/**
 * Returns whether the head of the response has been sent, so that no cookie can be set any more: in a
 * stream, a deferred part or after a WebSocket was opened.
 *
 * @returns `true` once the head has been sent.
 */
export function isHeadSent(c: Ctx): boolean {
  return requestCtx(c).answer.state === "sealed";
}

/**
 * Adds origins to the directive `form-action` of the response's Content Security Policy. Browsers apply
 * it to redirects that follow a form submission as well, so a form whose handler redirects to another
 * site needs that origin listed. Applies to pages rendered after the call.
 *
 * @param origins Origins such as `https://id.example`.
 */
export function allowFormActions(c: Ctx, origins: readonly string[]): void {
  const { answer } = requestCtx(c);
  const present = answer.formActions ?? origins;
  // Each lookup of the signed-in user adds the same list again.
  answer.formActions = present === origins ? origins : [...new Set([...present, ...origins])];
}
