import { isNode } from "../../html/node.ts";
import { isFwError } from "../base/errors.ts";
import type { Result } from "../base/types.ts";
import type { RequestContext } from "./ctx.ts";

// Made once: an options object a response is measurable (`bench/http`).
const htmlOk: ResponseInit = {
  status: 200,
  headers: { "content-type": "text/html; charset=utf-8" },
};
const textOk: ResponseInit = {
  status: 200,
  headers: { "content-type": "text/plain; charset=utf-8" },
};
/**
 * Makes an answer in JSON; bigints are written exactly.
 *
 * @throws {TypeError} for a value without a JSON form, and for a status that has no body.
 */
export function jsonResponse(status: number, value: unknown): Response {
  if (status === 200) {
    try {
      // The platform's own way is the fastest (`bench/http`); it knows no bigints.
      return Response.json(value);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  refuseNullBody(status, "json");
  return new Response(toJson(value), {
    status,
    headers: { "content-type": "application/json" },
  });
}

/** Writes JSON in which a bigint is a number with all its digits. */
export function toJson(value: unknown): string {
  let body: string | undefined;
  try {
    body = JSON.stringify(value);
  } catch (error) {
    // Looking for bigints in every value would slow all answers down for the few that hold one.
    if (!(error instanceof TypeError)) throw error;
    body = JSON.stringify(value, writeBigint);
  }
  if (body === undefined) {
    throw new TypeError(`Cannot write JSON of a ${typeof value}: give an object, a list or null.`);
  }
  return body;
}

/** `JSON.rawJSON`, which the platform's declarations do not have yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

function writeBigint(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJSON(value.toString()) : value;
}

/**
 * Makes an answer in plain text.
 *
 * @throws {RangeError} for a status that has no body.
 */
export function textResponse(status: number, body: string): Response {
  if (status === 200) return new Response(body, textOk);
  refuseNullBody(status, "text");
  return new Response(body, { ...textOk, status });
}

/**
 * Makes an answer in HTML.
 *
 * @throws {RangeError} for a status that has no body.
 */
export function htmlResponse(status: number, body: string): Response {
  if (status === 200) return new Response(body, htmlOk);
  refuseNullBody(status, "html");
  return new Response(body, { ...htmlOk, status });
}

function refuseNullBody(status: number, method: string): void {
  if (status === 204 || status === 205 || status === 304 || status < 200) {
    throw new RangeError(
      `Cannot answer with c.${method}(${status}, …): that status has no body; use c.noContent().`,
    );
  }
}

/**
 * Turns what a handler gave into an answer, or throws the error that it gave.
 *
 * @param given What `next()` gave, for a middleware that returns nothing.
 */
export function answer(
  c: RequestContext,
  result: Result,
  given?: Response | Promise<Response>,
): Response | Promise<Response> {
  if (result instanceof Response) {
    if (result !== c.made) refuseUnusable(c, result);
    return result;
  }
  if (result === undefined || result === null) {
    const staged = c.takeStaged();
    if (staged === undefined) return given ?? emptyResponse(c);
    if (staged !== c.made) refuseUnusable(c, staged);
    return staged;
  }
  if (isNode(result)) return c.renderNow(c.stagedStatus || 200, result);
  if (isFwError(result)) throw result;
  throw new TypeError(
    `Cannot answer with ${describe(result)}: the route "${c.pattern}" (${
      c.route?.source ?? "no file"
    }) must return a Response, a node, an error or nothing.`,
  );
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
  if (value instanceof Error) return `the ${value.name} "${value.message}"`;
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}

/**
 * Puts what was staged on the answer: staged headers replace those of the same name, `Vary` and
 * `Set-Cookie` append. A foreign answer is rebuilt, never changed; a 101 passes untouched.
 */
export function mergeStaged(c: RequestContext, response: Response): Response {
  const staged = c.stagedHeaders;
  if (staged === undefined || response.status === 101) return response;
  const merged = response === c.made ? response : new Response(response.body, response);
  for (const [name, value] of staged) {
    if (name === "vary" || name === "set-cookie") merged.headers.append(name, value);
    else merged.headers.set(name, value);
  }
  return merged;
}
