import { stringify } from "./html.ts";
import { JsonFault, scriptJson } from "./json.ts";
import { safeKindOf, safeTextOf } from "../safe.ts";
import { stringOf } from "../run/values.ts";

export function escapeJsValue(value: unknown): string {
  const kind = safeKindOf(value);
  if (kind === "js") return safeTextOf(value);
  if (kind === "jsText") return `"${safeTextOf(value)}"`;
  const json = jsonOf(value);
  if (json === undefined) return " null ";
  // Names and numbers must not run into a keyword before or behind them.
  return /^[$\w]|[$\w]$/.test(json) ? ` ${json} ` : json;
}

function jsonOf(value: unknown): string | undefined {
  const hasOwnJson = typeof value === "object" && value !== null && "toJSON" in value;
  const text = hasOwnJson ? undefined : stringOf(value);
  try {
    return scriptJson(text ?? value);
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    // The space keeps a slash before it from making this a line comment.
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

/** Writes a value in a regular expression, where it matches itself. */
export function escapeJsRegexp(value: unknown): string {
  const text = stringify(value).replace(inRegexp, regexpEscape);
  // `//` would be a comment.
  return text === "" ? "(?:)" : text;
}

function regexpEscape(char: string): string {
  if ("$()*-.?[]^{|}".includes(char)) return `\\${char}`;
  return short[char] ?? unicode(char);
}

/** Returns a string as the constants of the language are escaped by the function `js`. */
export function jsEscape(text: string): string {
  return text.replace(jsSpecial, (char) => {
    if (char === "\\" || char === "'" || char === '"') return `\\${char}`;
    const code = char.codePointAt(0) ?? 0;
    return `\\u${code.toString(16).toUpperCase().padStart(4, "0")}`;
  });
}

// deno-lint-ignore no-control-regex -- controls are what it escapes
const jsSpecial = /[\\'"<>&=\x00-\x1f]|[^\x00-\x7f\p{L}\p{M}\p{N}\p{P}\p{S}]/gu;
