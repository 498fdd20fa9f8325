import { httpError } from "../base/errors.ts";
import type { HasBody, JsonBody, RequestBody } from "./body.ts";
import { refuseCodings, unsupportedType } from "./body_type.ts";
import { findJsonFault, scanJson } from "./json_scan.ts";

/**
 * Reads the body as JSON. There is one parse: every later call gives the same promise.
 *
 * @param c The context.
 * @returns What `JSON.parse` gives: of a name that comes twice the last value, and `__proto__` as a
 * member like any other.
 * @throws {HttpError} 400 for malformed JSON, naming the place; 408, 413 or 415.
 * @throws {TypeError} when something else has read the body.
 */
export function readJson(c: HasBody): Promise<JsonBody> {
  return c.body.json ??= readOnce(c.body);
}

async function readOnce(body: RequestBody): Promise<JsonBody> {
  const { type } = body;
  if (type?.kind !== "json") throw unsupportedType(type?.essence ?? "", "application/json");
  refuseCodings(body.request.headers, type);
  const text = decodeJson(await body.bytes("c.bindJson"));
  refuseComplex(text, body);
  try {
    // Decoded UTF-8 has no lone surrogate: only an escape can make one.
    return { value: JSON.parse(text), isWellFormed: !/\\u[dD][89a-fA-F]/.test(text) };
  } catch {
    throw invalidJson(describeFault(text));
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeJson(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidJson("it is not UTF-8");
  }
}

function refuseComplex(text: string, body: RequestBody): void {
  const { maxJsonDepth, maxJsonKeys } = body.settings.limits;
  const { depth, keys } = scanJson(text);
  if (depth > maxJsonDepth) {
    throw httpError(400, `the JSON is nested deeper than ${maxJsonDepth} levels`, {
      code: "json_too_deep",
    });
  }
  if (keys > maxJsonKeys) {
    throw httpError(400, `the JSON has over ${maxJsonKeys} members`, {
      code: "json_too_many_keys",
    });
  }
}

function describeFault(text: string): string {
  const at = findJsonFault(text) ?? text.length;
  if (at >= text.length) return `it ends early, at position ${text.length}`;
  const before = text.slice(0, at).split("\n");
  const column = (before.at(-1) ?? "").length + 1;
  return `unexpected character at position ${at} (line ${before.length}, column ${column})`;
}

function invalidJson(reason: string): Error {
  return httpError(400, `the JSON is invalid: ${reason}`, { code: "invalid_json" });
}
