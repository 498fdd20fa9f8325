import type { Ctx, Key } from "../base/ctx/ctx.ts";
import type { FileRules } from "../base/ctx/input.ts";
import { key } from "../base/keys.ts";
import type { Logger } from "../base/observe/logger.ts";
import type { SessionOwner } from "../base/stores/session.ts";
import { readJson } from "../body/json.ts";
import { warnOfReach } from "../body/format.ts";
import { prefersPage } from "../request/answer.ts";
import { staysUnseen } from "../request/flash.ts";
import { requestCtx } from "../request/request_ctx.ts";

/**
 * Returns whether an error of the request would be shown as a page: the kind of the route decides, then
 * `Accept`.
 *
 * @returns `false` for a client that gets problem documents.
 */
export function wantsHtml(c: Ctx): boolean {
  return prefersPage(requestCtx(c));
}

/** The signed-in account of a request. The sign-in sets it, and add-ons count limits by it. */
export const signedIn: Key<SessionOwner> = key("fw.signed-in");

/**
 * Reads the body of a request as JSON, within the limits of the application.
 *
 * @returns What `JSON.parse` returns.
 * @throws {HttpError} 400 for malformed JSON, 408, 413 or 415.
 */
export async function readJsonBody(c: Ctx): Promise<unknown> {
  return (await readJson(requestCtx(c).body)).value;
}

/**
 * Returns the received headers of a request. `c.request.headers` are the same, but `c.request` first wraps
 * its methods with the body limits, which is a measurable cost for a small request.
 */
export function requestHeaders(c: Ctx): Headers {
  return requestCtx(c).headers;
}

/**
 * Returns whether the CORS policy of the route, else that of the application, lets pages of an origin
 * call.
 *
 * @param origin The value of the header `Origin`.
 */
export function allowsOrigin(c: Ctx, origin: string): boolean {
  const headers = requestCtx(c).cors?.(origin);
  return headers?.some(([name]) => name === "access-control-allow-origin") === true;
}

/**
 * Returns whether the response may never be shown, because the request is a `HEAD` or a prefetch. Such a
 * request must not use up what works once, nor store what would replace something in use.
 */
export function isLookahead(c: Ctx): boolean {
  return staysUnseen(requestCtx(c));
}

/**
 * Repeats a check while the request lasts, so that it ends for a user who was signed out: after a body that
 * took longer than a second to arrive, and every 30 seconds while its event stream or WebSocket is open.
 *
 * @param check Throws the refusal.
 */
export function repeatCheck(c: Ctx, check: () => Promise<void>): void {
  requestCtx(c).checks.push(check);
}

const warned = new Set<string>();

/**
 * Warns once, in development, about a form whose file may be larger than the limit of its request's body.
 *
 * @param c The context of the request that shows the form; the form is assumed to be sent to the same route.
 * @param field The name of the file's field.
 * @param rules The rules of the file.
 */
export function warnOfFileLimit(c: Ctx, field: string, rules: FileRules): void {
  if (c.env !== "dev") return;
  const { app, pattern, touchedBody } = requestCtx(c);
  const route = app.routes.find((each) => each.pattern === pattern);
  // `MiddlewarePOST` has not run yet and may raise the limit.
  if (route?.middleware?.some(({ MiddlewarePOST }) => MiddlewarePOST !== undefined)) return;
  const at = `${pattern} ${field}`;
  const log = (): Logger => (warned.add(at), c.log);
  const { maxBytes } = touchedBody ?? { maxBytes: app.config.maxBodyBytes };
  if (!warned.has(at)) warnOfReach({ maxBytes }, field, { rules, pattern, log });
}
