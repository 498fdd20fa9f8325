import { httpError } from "../base/errors/errors.ts";
import type { JsonBody, RequestBody } from "./body.ts";
import { refuseCodings, unsupportedType } from "./type.ts";
import { findJsonFault, scanJson } from "./json_scan.ts";

/** Reads the body as JSON. There is one parse: every later call gives the same promise. */
export function readJson(body: RequestBody): Promise<JsonBody> {
  return body.json ??= readOnce(body);
}

async function readOnce(body: RequestBody): Promise<JsonBody> {
  const { type } = body;
  if (type?.kind !== "json") throw unsupportedType(type?.essence ?? "", "application/json");
  refuseCodings(body.request.headers, type);
  const text = decodeJson(await body.bytes("c.bindJson"));
  const members = countMembers(text, body);
  try {
    return { value: JSON.parse(text), isPlainText: !unplain.test(text), members };
  } catch {
    throw invalidJson(describeFault(text));
  }
}

/** Only an escape can write a lone surrogate or a control character in JSON, DEL aside. */
const unplain = /\x7f|\\[bf]|\\u(?:[dD][89a-fA-F]|00[01]|007[fF])/;

const utf8 = new TextDecoder("utf-8", { fatal: true });

function decodeJson(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalidJson("it is not UTF-8");
  }
}

/** Refuses a string that is nested too deep or holds too much, and returns how many members it has. */
function countMembers(text: string, body: RequestBody): number {
  const { maxJsonContainers, maxJsonDepth, maxJsonKeys } = body.settings.limits;
  const { containers, depth, keys } = scanJson(text);
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
  if (containers > maxJsonContainers) {
    throw httpError(400, `the JSON has over ${maxJsonContainers} arrays and objects`, {
      code: "json_too_many_containers",
    });
  }
  return keys;
}

/**
 * Number of characters of a malformed text that are parsed again to locate the error: all of a large one would
 * cost three parses.
 */
const maxFaultChars = 65_536;

function describeFault(text: string): string {
  const head = text.slice(0, maxFaultChars);
  const at = findJsonFault(head) ?? head.length;
  if (at >= maxFaultChars) return `it breaks after position ${maxFaultChars}`;
  if (at >= text.length) return `it ends early, at position ${text.length}`;
  const { line, column } = placeOf(text, at);
  return `unexpected character at position ${at} (line ${line}, column ${column})`;
}

/** Counts without a list of the lines: a body of line breaks alone would be as many strings. */
function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const lineFeed = 10;
  let line = 1;
  let start = 0;
  for (let index = 0; index < at; index++) {
    if (text.charCodeAt(index) !== lineFeed) continue;
    line += 1;
    start = index + 1;
  }
  return { line, column: at - start + 1 };
}

function invalidJson(reason: string): Error {
  return httpError(400, `the JSON is invalid: ${reason}`, { code: "invalid_json" });
}
