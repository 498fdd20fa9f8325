import { isNode } from "../../html/node.ts";
import type { Result } from "../base/types.ts";
import { keepPrivate } from "./cache_privacy.ts";
import type { RequestContext } from "./context.ts";
import {
  appendCors,
  appendFragmentVary,
  appendHeaders,
  missingDefaults,
} from "./default_headers.ts";
import { writeFlashes } from "./flash.ts";

/**
 * Turns what a handler gave into an answer, or throws the error that it gave.
 *
 * @param given What `next()` gave, for a middleware that returns nothing.
 */
export function answer(
  c: RequestContext,
  result: Result,
  given?: Promise<Response>,
): Response | Promise<Response> {
  if (result instanceof Response) {
    // A middleware may have read what the context made further in.
    if (result !== c.made || given !== undefined) refuseUnusable(c, result);
    return result;
  }
  if (result === undefined || result === null) {
    const staged = c.takeStaged();
    if (staged === undefined) return given?.then((value) => checked(c, value)) ?? emptyResponse(c);
    if (staged !== c.made) refuseUnusable(c, staged);
    return staged;
  }
  if (isNode(result)) return c.renderNow(c.stagedStatus || 200, result);
  // A plain error counts too, whatever the types say: returned and thrown mean the same.
  if (result instanceof Error) throw result;
  throw new TypeError(
    `Cannot answer with ${describe(result)}: the route "${c.pattern}" (${
      c.route?.source ?? "no file"
    }) must return a Response, a node, an error or nothing.`,
  );
}

function checked(c: RequestContext, response: Response): Response {
  refuseUnusable(c, response);
  return response;
}

function emptyResponse(c: RequestContext): Response {
  return c.made = new Response(null, { status: c.stagedStatus || 204 });
}

/** A foreign answer whose body was read, or that stands for a network error, cannot be sent. */
function refuseUnusable(c: RequestContext, response: Response): void {
  const reason = response.bodyUsed
    ? "its body has been read already; build a new Response for each request"
    : response.type === "error"
    ? "Response.error() stands for a failed fetch"
    : undefined;
  if (reason === undefined) return;
  throw new TypeError(
    `Cannot send the Response of the route "${c.pattern}" (${
      c.route?.source ?? "no file"
    }): ${reason}.`,
  );
}

function describe(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}

/**
 * Puts what was staged on the answer: staged headers replace those of the same name, `Vary` and
 * `Set-Cookie` append, and what is for one browser is no shared cache's. Then the default headers fill
 * the gaps. Whatever a page route answers to `GET` or `HEAD` varies by
 * `FW-Fragment`. A foreign answer is rebuilt once at most, never changed; a 101 passes untouched.
 */
export function mergeHeaders(c: RequestContext, response: Response): Response {
  writeFlashes(c, response);
  const staged = c.stagedHeaders;
  if (response.status === 101) return response;
  const isDressed = response === c.dressed && staged?.has("content-type") !== true;
  const isOwn = response === c.made || response === c.dressed;
  // Answers that the context made behind a guard say already that they are for one user.
  const isOpen = isDressed || c.audience === "anybody";
  const cors = c.cors?.(c.headers.get("origin"));
  if (staged === undefined && isOpen) {
    const gaps = isDressed ? [] : missingDefaults(response, c);
    if (gaps.length === 0 && cors === undefined && !c.lacksVary(response)) return response;
    // A body that somebody reads already can be sent for HEAD only, which gives it up.
    if (!isOwn && response.body?.locked === true) return response;
    const merged = isOwn ? response : new Response(response.body, response);
    appendHeaders(merged.headers, gaps);
    if (c.lacksVary(response)) appendFragmentVary(merged.headers);
    if (cors !== undefined) appendCors(merged.headers, cors);
    return merged;
  }
  const merged = isOwn ? response : new Response(response.body, response);
  for (const [name, value] of staged ?? []) {
    if (name === "vary" || name === "set-cookie") merged.headers.append(name, value);
    else merged.headers.set(name, value);
  }
  keepPrivate(c, merged.headers, { isDressed });
  if (!isDressed) appendHeaders(merged.headers, missingDefaults(merged, c));
  if (c.lacksVary(response)) appendFragmentVary(merged.headers);
  if (cors !== undefined) appendCors(merged.headers, cors);
  return merged;
}
