import { type HeaderPair, privateControl } from "./default_headers.ts";
import type { Exchange } from "./exchange.ts";

/** Adds headers to a response that has none of them. */
export function appendHeaders(headers: Headers, pairs: readonly HeaderPair[]): void {
  for (const [name, value] of pairs) headers.append(name, value);
}

/**
 * Creates a response with headers. They are set afterwards: as a constructor option they make the server
 * build a second, native response, which costs a tenth more (`bench/http`).
 */
export function makeResponse(
  body: BodyInit,
  options: {
    readonly status: number;
    readonly type: string;
    readonly headers: readonly HeaderPair[];
  },
): Response {
  const { status, type, headers } = options;
  const response = status === 200 ? new Response(body) : new Response(body, { status });
  response.headers.set("content-type", type);
  appendHeaders(response.headers, headers);
  return response;
}

/**
 * Creates a JSON response; bigints are written exactly.
 *
 * @param headers The headers besides its type.
 * @throws {TypeError} for a value without a JSON form.
 * @throws {RangeError} for an invalid status, and for one without a body.
 */
export function jsonResponse(
  status: number,
  value: unknown,
  headers: readonly HeaderPair[],
): Response {
  if (status === 200) {
    try {
      // The platform's own method is the fastest (`bench/http`), but does not support bigints.
      const response = Response.json(value);
      // Accessing the headers of a response loses the server's fastest path.
      if (headers.length > 0) appendHeaders(response.headers, headers);
      return response;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  refuseStatus(status, "json");
  return makeResponse(toJson(value), { status, type: "application/json", headers });
}

/** Writes JSON in which a bigint is a number with all its digits. */
export function toJson(value: unknown): string {
  let body: string | undefined;
  try {
    body = JSON.stringify(value);
  } catch (error) {
    // Looking for bigints in every value would slow every response down for the few that hold one.
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
 * Creates a plain-text response.
 *
 * @param headers The headers besides its type.
 * @throws {RangeError} for an invalid status, and for one without a body.
 */
export function textResponse(
  status: number,
  body: string,
  headers: readonly HeaderPair[],
): Response {
  refuseStatus(status, "text");
  return makeResponse(body, { status, type: "text/plain; charset=utf-8", headers });
}

/**
 * Creates an HTML response, which varies: a fragment request gets no layouts.
 *
 * @param c The values that select its security headers.
 * @throws {RangeError} for an invalid status, and for one without a body.
 */
export function htmlResponse(
  status: number,
  body: BodyInit,
  c: Pick<
    Exchange,
    | "defaults"
    | "policyNonce"
    | "formActions"
    | "audience"
    | "stagedHeaders"
    | "spoken"
    | "isExport"
  >,
): Response {
  refuseStatus(status, "html");
  const { page, csp } = c.defaults;
  const response = makeResponse(body, { status, type: "text/html; charset=utf-8", headers: page });
  const { spoken } = c;
  response.headers.append("vary", spoken?.pageVary ?? "FW-Fragment");
  // A host of files would need a rule for each page, whose `lang` says it as well.
  if (spoken !== undefined && !c.isExport) {
    response.headers.append("content-language", spoken.language);
  }
  if (csp !== undefined) {
    response.headers.append("content-security-policy", csp(c.policyNonce, c.formActions));
  }
  // Set here, where it costs no merge; without a policy the default headers do not say it.
  if (
    csp === undefined && c.audience === "browser" && c.stagedHeaders?.has("cache-control") !== true
  ) response.headers.append("cache-control", privateControl);
  return response;
}

function refuseStatus(status: number, method: string): void {
  if (status === 200) return;
  const isStatus = Number.isInteger(status) && status >= 200 && status <= 599;
  const fix = !isStatus
    ? "give a whole number from 200 to 599"
    : status === 204 || status === 205 || status === 304
    ? "that status has no body; use c.noContent()"
    : undefined;
  if (fix === undefined) return;
  throw new RangeError(`Cannot answer with c.${method}(${status}, …): ${fix}.`);
}
