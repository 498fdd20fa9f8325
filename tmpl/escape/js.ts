import { stringify } from "./html.ts";
import { safeKindOf, safeTextOf } from "../safe.ts";
import { formatFloat } from "../run/numbers.ts";
import { kindOf, maxDepth, plainTextOf, sortedEntries, stringOf, tooDeep } from "../run/values.ts";

export function escapeJsValue(value: unknown): string {
  const kind = safeKindOf(value);
  if (kind === "js") return safeTextOf(value);
  if (kind === "jsText") return `"${safeTextOf(value)}"`;
  const json = jsonOf(value);
  // Names and numbers must not merge with an adjacent keyword.
  return /^[$\w]|[$\w]$/.test(json) ? ` ${json} ` : json;
}

function jsonOf(value: unknown): string {
  const hasOwnJson = typeof value === "object" && value !== null && "toJSON" in value;
  const text = hasOwnJson ? undefined : stringOf(value);
  try {
    return write(text ?? value, 0) ?? "null";
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    // Without the space, a preceding slash would make this a line comment.
    return ` /* ${error.message} */null `;
  }
}

const common = "\\0-\\x1f\"&'+/<>`\\u2028\\u2029";
const inString = new RegExp(`[${common}\\\\]`, "g");
const inSafeString = new RegExp(`[${common}]`, "g");
const inTemplate = new RegExp(`[${common}\\\\$\{}]`, "g");
const inRegexp = new RegExp(`[${common.replace("\`", "")}\\\\$()*\\-.?[\\]^{|}]`, "g");

const short: Readonly<Record<string, string>> = {
  "\t": "\\t",
  "\n": "\\n",
  "\f": "\\f",
  "\r": "\\r",
  "/": "\\/",
  "\\": "\\\\",
};

function unicode(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function inStringEscape(char: string): string {
  return short[char] ?? unicode(char);
}

export function escapeJsString(value: unknown): string {
  const pattern = safeKindOf(value) === "jsText" ? inSafeString : inString;
  return stringify(value).replace(pattern, inStringEscape);
}

export function escapeJsTemplate(value: unknown): string {
  return stringify(value).replace(inTemplate, inStringEscape);
}

/** Escapes a value for a regular expression that matches it literally. */
export function escapeJsRegexp(value: unknown): string {
  const text = stringify(value).replace(inRegexp, regexpEscape);
  // `//` would be a comment.
  return text === "" ? "(?:)" : text;
}

function regexpEscape(char: string): string {
  if ("$()*-.?[]^{|}".includes(char)) return `\\${char}`;
  return short[char] ?? unicode(char);
}

/** Escapes a string as the template function `js` does. */
export function jsEscape(text: string): string {
  return text.replace(jsSpecial, (char) => {
    if (char === "\\" || char === "'" || char === '"') return `\\${char}`;
    const code = char.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).toUpperCase().padStart(4, "0")}`;
  });
}

// deno-lint-ignore no-control-regex -- controls are what it escapes
const jsSpecial = /[\\'"<>&=\x00-\x1f]|[^\x00-\x7f\p{L}\p{M}\p{N}\p{P}\p{S}]/gu;

/** An unsupported value: the template writes a comment and `null` instead, as Go does. */
class JsonFault extends Error {}

/**
 * Writes a value as JSON with sorted keys, in which `<`, `>`, `&`, U+2028 and U+2029 are escapes;
 * `undefined` for a function.
 *
 * @throws {JsonFault} for NaN and the infinities.
 * @throws {Fault} for a circular value.
 */
function write(value: unknown, depth: number): string | undefined {
  if (depth > maxDepth) throw tooDeep();
  switch (kindOf(value)) {
    case "nil":
      return "null";
    case "bool":
    case "int":
      return String(value === 0 ? 0 : value);
    case "float":
      if (Number.isFinite(value)) return String(value);
      throw new JsonFault(
        `json: unsupported value: ${formatFloat(value as number, "g", undefined)}`,
      );
    case "string":
      return quote(plainTextOf(value) ?? "");
    case "function":
      return undefined;
    default:
      return writeObject(value as object, depth);
  }
}

function writeObject(value: object, depth: number): string | undefined {
  const method: unknown = Reflect.get(value, "toJSON");
  if (typeof method === "function") {
    const replaced: unknown = method.call(value);
    // A `toJSON` that returns the object itself would recurse forever.
    return write(replaced === value ? null : replaced, depth + 1);
  }
  if (value instanceof Promise) return quote(stringOf(value) ?? "");
  const kind = kindOf(value);
  if (kind === "list" || kind === "iterable") {
    const items = Array.from(
      value as Iterable<unknown>,
      (item) => write(item, depth + 1) ?? "null",
    );
    return `[${items.join(",")}]`;
  }
  const entries = sortedEntries(value) ?? Object.entries(value);
  const members: string[] = [];
  for (const [key, member] of entries) {
    // In a script, this key would set the object's prototype.
    if (key === "__proto__") continue;
    const text = member === undefined ? undefined : write(member, depth + 1);
    if (text !== undefined) members.push(`${quote(plainTextOf(key) ?? String(key))}:${text}`);
  }
  return `{${members.join(",")}}`;
}

const jsonSpecial =
  // deno-lint-ignore no-control-regex -- controls are what it escapes
  /["\\<>&\x00-\x1f\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const jsonShort: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function quote(text: string): string {
  return `"${text.replace(jsonSpecial, jsonEscape)}"`;
}

function jsonEscape(char: string): string {
  const code = char.charCodeAt(0);
  if (code >= 0xd800 && code <= 0xdfff) return "\\ufffd";
  return jsonShort[char] ?? `\\u${code.toString(16).padStart(4, "0")}`;
}
