/** Values as JSON that is safe in a script: what Go's `json.Marshal` writes. */

import { formatFloat } from "../run/numbers.ts";
import { kindOf, maxDepth, plainTextOf, sortedEntries, stringOf, tooDeep } from "../run/values.ts";

/** A value that cannot be written: the template writes a comment and `null` instead, as Go does. */
export class JsonFault extends Error {}

/**
 * Writes a value as JSON with sorted keys, in which `<`, `>`, `&`, U+2028 and U+2029 are escapes.
 *
 * @throws {JsonFault} for NaN and the infinities.
 * @throws {Fault} for a value that holds itself.
 */
export function scriptJson(value: unknown): string {
  return write(value, 0) ?? "null";
}

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
    // A replacement of itself would go on for ever.
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
    // In a script it would set the prototype of the object that is written.
    if (key === "__proto__") continue;
    const text = member === undefined ? undefined : write(member, depth + 1);
    if (text !== undefined) members.push(`${quote(plainTextOf(key) ?? String(key))}:${text}`);
  }
  return `{${members.join(",")}}`;
}

const special =
  // deno-lint-ignore no-control-regex -- controls are what it escapes
  /["\\<>&\x00-\x1f\u2028\u2029]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

const short: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function quote(text: string): string {
  return `"${text.replace(special, escapeOf)}"`;
}

function escapeOf(char: string): string {
  const code = char.charCodeAt(0);
  if (code >= 0xd800 && code <= 0xdfff) return "\\ufffd";
  return short[char] ?? `\\u${code.toString(16).padStart(4, "0")}`;
}
