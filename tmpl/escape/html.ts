import { attributeKind } from "./attributes.ts";
import { safeKindOf, safeTextOf } from "../safe.ts";
import { printValue } from "../run/format.ts";
import { stripTags } from "./edit_text.ts";

/** The replacement of a value that its context refuses, as in Go. */
export const failsafe = "ZgotmplZ";

/** Returns the text of a value; empty for nil. */
export function stringify(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : printValue(value);
}

const special = /[\0"&'+<>]/g;
const specialButReferences = /[\0"'+<>]/g;

/** Escapes text, as Go does: `"` is `&#34;` and `+` is `&#43;`. */
export function escapeText(text: string): string {
  // If a stack overflow ended an earlier call, the pattern must not resume where that call stopped.
  special.lastIndex = 0;
  return special.test(text) ? replaceSpecial(text) : text;
}

/** The references by code; all special characters are below 64. */
const references: readonly (string | undefined)[] = Array.from({ length: 64 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (char === "\0") return "\ufffd";
  if (char === '"' || char === "'" || char === "+") return `&#${code};`;
  return { "&": "&amp;", "<": "&lt;", ">": "&gt;" }[char];
});

function replaceSpecial(text: string): string {
  let out = "";
  let from = 0;
  do {
    const at = special.lastIndex - 1;
    out += text.slice(from, at) + references[text.charCodeAt(at)];
    from = at + 1;
  } while (special.test(text));
  return out + text.slice(from);
}

function reference(char: string): string {
  return references[char.charCodeAt(0)] ?? char;
}

/** Escapes text but leaves its character references unchanged. */
function escapeNormal(text: string): string {
  return text.replace(specialButReferences, reference);
}

/** Escapes a value for text, or for an inner document, whose attribute is escaped next. */
export function escapeHtml(value: unknown): string {
  if (typeof value === "string") return escapeText(value);
  if (typeof value === "number" && Number.isSafeInteger(value)) {
    return String(value === 0 ? 0 : value);
  }
  if (safeKindOf(value) === "html") return safeTextOf(value);
  return escapeText(stringify(value));
}

export function escapeAttribute(value: unknown): string {
  if (typeof value === "string") return escapeText(value);
  if (safeKindOf(value) === "html") return escapeNormal(stripTags(safeTextOf(value)));
  return escapeText(stringify(value));
}

export function escapeRcdata(value: unknown): string {
  if (safeKindOf(value) === "html") return escapeNormal(safeTextOf(value));
  return escapeText(stringify(value));
}

const unquoted = /[\0\t\n\v\f\r "&'+<=>`\ufdd0-\ufdef\ufff0-\uffff]/g;
const unquotedButReferences = /[\0\t\n\v\f\r "'+<=>`\ufdd0-\ufdef\ufff0-\uffff]/g;

/** Writes an unquoted value. If it were empty, the next attribute would become the value. */
export function escapeUnquoted(value: unknown): string {
  const isHtml = safeKindOf(value) === "html";
  const text = isHtml ? stripTags(safeTextOf(value)) : stringify(value);
  if (text === "") return failsafe;
  return text.replace(isHtml ? unquotedButReferences : unquoted, unquotedReference);
}

function unquotedReference(char: string): string {
  const code = char.charCodeAt(0);
  if (char === "&" || char === "<" || char === ">") return reference(char);
  return code === 0 || code > 0x7f ? `&#x${(code || 0xfffd).toString(16)};` : `&#${code};`;
}

/** Writes a value as an attribute's name or a part of one: only letters and digits. */
export function filterName(value: unknown): string {
  if (safeKindOf(value) === "attribute") return safeTextOf(value);
  const name = stringify(value).toLowerCase();
  const isPlain = /^[a-z0-9]+$/.test(name) && attributeKind(name) === "None";
  return isPlain ? name : failsafe;
}

/** Escapes the rest of an element's name that may become `script`: only digits are allowed. */
export function filterElementName(value: unknown): string {
  const name = filterName(value);
  return safeKindOf(value) === "attribute" || /^[0-9]+$/.test(name) ? name : failsafe;
}
