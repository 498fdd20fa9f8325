import { escapeText, failsafe, stringify } from "./html.ts";
import { bytesOf } from "../run/values.ts";
import { safeKindOf, safeTextOf } from "../safe.ts";

const schemes = /^(?:https?|mailto)$/i;

/** Reports whether a URL has no scheme or a harmless one: `http`, `https`, `mailto`. */
function isSafeUrl(url: string): boolean {
  const colon = url.indexOf(":");
  if (colon < 0) return true;
  const scheme = url.slice(0, colon);
  return scheme.includes("/") || schemes.test(scheme);
}

/** Refuses a URL whose scheme may run code; other values are unchanged. */
export function filterUrl(value: unknown): unknown {
  if (safeKindOf(value) === "url") return value;
  const url = stringify(value);
  return isSafeUrl(url) ? url : `#${failsafe}`;
}

/** Refuses the values of an animation if any of them, used as a link, may run code. */
export function filterAnimation(value: unknown): unknown {
  if (safeKindOf(value) === "url") return value;
  const text = stringify(value);
  return text.split(";").every(isSafeUrl) ? text : `#${failsafe}`;
}

const notNormal = /[^A-Za-z0-9\-._~!#$&*+,/:;=?@[\]%]+|%(?![0-9A-Fa-f]{2})/g;
const notUnreserved = /[^A-Za-z0-9\-._~]+/g;

function percent(text: string): string {
  let out = "";
  for (const byte of bytesOf(text)) out += `%${byte < 16 ? "0" : ""}${byte.toString(16)}`;
  return out;
}

/** Encodes characters that a URL cannot contain; those with a meaning in URLs stay. */
export function normalizeUrl(value: unknown): string {
  return stringify(value).replace(notNormal, percent);
}

/** Encodes a URL in CSS, without the character references that a style of SVG decodes. */
export function normalizeCssUrl(value: unknown): string {
  return normalizeUrl(value).replace(/&(?=#|[A-Za-z]+;|quot)/gi, "\\26 ");
}

/** Matches most links: no scheme and nothing to encode. Only `&` is special in an attribute. */
const plainLink = /^[A-Za-z0-9\-._~!#$&*,/;=?@[\]]*$/;

export function escapeLink(value: unknown): string {
  if (typeof value === "string" && plainLink.test(value)) return escapeAmpersands(value);
  return escapeText(normalizeUrl(filterUrl(value)));
}

function escapeAmpersands(text: string): string {
  let out = "";
  let from = 0;
  for (let at = text.indexOf("&"); at >= 0; at = text.indexOf("&", from)) {
    out += text.slice(from, at) + "&amp;";
    from = at + 1;
  }
  return from === 0 ? text : out + text.slice(from);
}

/** Encodes a value for a query or a fragment, so that no character has a special meaning. */
export function escapeUrl(value: unknown): string {
  if (safeKindOf(value) === "url") return normalizeUrl(value);
  return stringify(value).replace(notUnreserved, percent);
}

/** Encodes a value for a query, as the function `urlquery` does: a space is a plus sign. */
export function queryEscape(text: string): string {
  return text.replace(notUnreserved, (part) => percent(part).toUpperCase()).replaceAll("%20", "+");
}

export function escapeSrcset(value: unknown): string {
  const kind = safeKindOf(value);
  if (kind === "srcset") return safeTextOf(value);
  // A comma separates images.
  if (kind === "url") return normalizeUrl(value).replaceAll(",", "%2c");
  return stringify(value).split(",").map(srcsetItem).join(",");
}

const item = /([\t\n\f\r ]*)([^\t\n\f\r ]*)/y;

function srcsetItem(text: string): string {
  item.lastIndex = 0;
  const [whole = "", before = "", url = ""] = item.exec(text) ?? [];
  const after = text.slice(whole.length);
  const isImage = /^[\t\n\f\r A-Za-z0-9.]*$/.test(after) && isSafeUrl(url);
  return isImage ? before + normalizeUrl(url) + after : `#${failsafe}`;
}
