import { isJsonObject, type JsonObject } from "../runtime/addon.ts";

/** Maximum nesting of objects and arrays: the claims of providers use fewer than six levels. */
const maxDepth = 16;

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses JSON strictly (RFC 8259): UTF-8 without a byte order mark, no repeated name in an object
 * (RFC 7515, section 4), a depth of at most 16; `undefined` for anything else.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  try {
    const text = utf8.decode(bytes);
    const value: unknown = JSON.parse(text);
    return isPlain(text) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function parseJsonObject(bytes: Uint8Array): JsonObject | undefined {
  const value = parseStrictJson(bytes);
  return isJsonObject(value) ? value : undefined;
}

/** Reports whether valid JSON has no repeated names and is not nested too deeply. */
function isPlain(text: string): boolean {
  const open: Set<string>[] = [];
  // Parsers disagree on repeated names, so one could check a value that another ignores.
  for (const [token, name, colon] of text.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}[\]]/g)) {
    if (token === "{" || token === "[") {
      if (open.push(new Set()) > maxDepth) return false;
    } else if (name === undefined) {
      open.pop();
    } else if (colon !== undefined) {
      const names = open.at(-1);
      const unescaped: string = JSON.parse(name);
      if (names === undefined || names.has(unescaped)) return false;
      names.add(unescaped);
    }
  }
  return true;
}

/** Decodes base64url strictly (RFC 4648, section 5), so that a value has one spelling; else `undefined`. */
export function decodeBase64url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return undefined;
  const bytes = Uint8Array.fromBase64(text, { alphabet: "base64url" });
  return encodeBase64url(bytes) === text ? bytes : undefined;
}

export function encodeBase64url(bytes: Uint8Array): string {
  return bytes.toBase64({ alphabet: "base64url", omitPadding: true });
}
