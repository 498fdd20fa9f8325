import { httpError } from "../base/errors/errors.ts";
import type { JsonBody, RequestBody } from "./body.ts";
import { refuseCodings, unsupportedType } from "./type.ts";

export function readJson(body: RequestBody): Promise<JsonBody> {
  return body.json ??= readOnce(body);
}

async function readOnce(body: RequestBody): Promise<JsonBody> {
  const { type } = body;
  if (type?.kind !== "json") throw unsupportedType(type?.essence ?? "", "application/json");
  refuseCodings(body.request.headers, type);
  const text = decodeJson(await body.bytes("c.bindJson"));
  const members = countMembers(text, body);
  return { value: parseJsonBody(text), isPlainText: !unplain.test(text), members };
}

/** Parses a body. @throws {HttpError} 400 for text that is not JSON. */
export function parseJsonBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidJson(describeFault(error));
  }
}

/** In JSON only an escape can produce a lone surrogate or a control character, except DEL. */
const unplain = /\x7f|\\[bf]|\\u(?:[dD][89a-fA-F]|00[01]|007[fF])/;
const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeJson(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidJson("it is not UTF-8");
  }
}

/** Refuses JSON that is too deep or has too many members; returns the number of members. */
function countMembers(text: string, body: RequestBody): number {
  const { maxJsonDepth, maxJsonKeys } = body.settings.limits;
  // Many small arrays and objects cost most to parse.
  const maxContainers = 10 * maxJsonKeys;
  const { containers, depth, keys } = scanJson(text);
  const fault = depth > maxJsonDepth
    ? ["json_too_deep", `is nested deeper than ${maxJsonDepth} levels`]
    : keys > maxJsonKeys
    ? ["json_too_many_keys", `has over ${maxJsonKeys} members`]
    : containers > maxContainers
    ? ["json_too_many_containers", `has over ${maxContainers} arrays and objects`]
    : undefined;
  if (fault === undefined) return keys;
  const [code = "", reason] = fault;
  throw httpError(400, `the JSON ${reason}`, { code });
}

/** Returns the platform's message without its quote of the body: bodies stay out of the log. */
function describeFault(error: unknown): string {
  const [message = ""] = String((error as SyntaxError).message).split(/, (?:\.{3})?"/, 1);
  return message.charAt(0).toLowerCase() + message.slice(1);
}

function invalidJson(reason: string): Error {
  return httpError(400, `the JSON is invalid: ${reason}`, { code: "invalid_json" });
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** Measures JSON in one pass before parsing, which refuses malformed text whatever the numbers are. */
function scanJson(text: string): Readonly<Record<"depth" | "keys" | "containers", number>> {
  let depth = 0;
  let deepest = 0;
  let keys = 0;
  let containers = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = stringEnd(text, i);
        break;
      case COLON:
        keys++;
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        containers++;
        if (++depth > deepest) deepest = depth;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
    }
  }
  return { depth: deepest, keys, containers };
}

/** Returns the index of the quote that ends the string; the text's length when there is none. */
function stringEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++;
    if (slashes % 2 === 0) return end;
  }
  return text.length;
}
