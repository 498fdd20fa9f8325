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
