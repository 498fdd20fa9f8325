import { dataKeywords } from "../../schema/check.ts";
import { isJsonObject } from "../../json.ts";

/** A parameter of a tool that a header repeats (`x-mcp-header`). */
export interface HeaderParam {
  readonly header: string;
  readonly path: readonly string[];
}

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const primitives = new Set(["string", "integer", "boolean"]);
const keyword = "x-mcp-header";

/** Maximum number of nodes visited in one schema, which may be untrusted. */
const maxNodes = 20_000;

/** Maximum number of properties above a parameter, because each has a path of its own. */
const maxPathNames = 64;

/**
 * Finds the parameters that headers repeat ("Custom Headers from Tool Parameters" of revision
 * 2026-07-28), or returns why the schema is invalid, such as an annotation that no chain of `properties` reaches.
 */
export function findHeaderParams(schema: unknown): readonly HeaderParam[] | string {
  const params: HeaderParam[] = [];
  const seen = new Set<string>();
  // A work list instead of recursion, because an untrusted schema may be deep.
  const work: { node: unknown; path?: readonly string[] }[] = [{ node: schema, path: [] }];
  let nodes = 0;
  for (let item = work.pop(); item !== undefined; item = work.pop()) {
    if (++nodes > maxNodes) return `its schema has over ${maxNodes} parts`;
    const { node, path } = item;
    if (Array.isArray(node)) {
      for (const inner of node) work.push({ node: inner });
      continue;
    }
    if (!isJsonObject(node)) continue;
    if (Object.hasOwn(node, keyword)) {
      const found = readAnnotation(node, path);
      if (typeof found === "string") return found;
      if (seen.has(found.header)) return `two parameters have the header ${found.header}`;
      seen.add(found.header);
      params.push(found);
    }
    for (const [key, inner] of Object.entries(node)) {
      if (key === "properties" && isJsonObject(inner)) {
        for (const [name, property] of Object.entries(inner)) {
          const isNear = path !== undefined && path.length < maxPathNames;
          work.push({ node: property, ...(isNear && { path: [...path, name] }) });
        }
      } else if (typeof inner === "object" && inner !== null && !dataKeywords.has(key)) {
        work.push({ node: inner });
      }
    }
  }
  return params;
}

function readAnnotation(
  node: Readonly<Record<string, unknown>>,
  path: readonly string[] | undefined,
): HeaderParam | string {
  const name = node[keyword];
  if (typeof name !== "string" || !token.test(name)) return `"${keyword}" is not a header name`;
  if (path === undefined || path.length === 0) {
    return `"${keyword}" stands where no chain of up to ${maxPathNames} properties leads`;
  }
  if (typeof node.type !== "string" || !primitives.has(node.type)) {
    return `"${keyword}" is on a parameter that is not a string, integer or boolean`;
  }
  return { header: `mcp-param-${name.toLowerCase()}`, path };
}

/** Returns the value at a path of the arguments; `undefined` if it is missing or `null`. */
export function valueAt(args: unknown, path: readonly string[]): unknown {
  let value: unknown = args;
  for (const name of path) {
    if (!isJsonObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value ?? undefined;
}

/** Returns a parameter as text for its header; `undefined` if a header cannot contain it. */
export function headerText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  return typeof value === "number" && Number.isSafeInteger(value) ? String(value) : undefined;
}

const prefix = "=?base64?";
const suffix = "?=";

/** Matches a value that needs no encoding in a header: printable ASCII without spaces at its ends. */
const plain = /^(?:[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?)?$/;

function isMarked(value: string): boolean {
  return value.startsWith(prefix) && value.endsWith(suffix) &&
    value.length >= prefix.length + suffix.length;
}

export function encodeHeaderValue(text: string): string {
  if (plain.test(text) && !isMarked(text)) return text;
  return `${prefix}${new TextEncoder().encode(text).toBase64()}${suffix}`;
}

/** Decodes `Mcp-Name` or `Mcp-Param-*`; `undefined` for invalid characters, Base64 or UTF-8. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!plain.test(value)) return undefined;
  if (!isMarked(value)) return value;
  try {
    const text = value.slice(prefix.length, -suffix.length);
    // The decoder would skip white space.
    if (/\s/.test(text)) return undefined;
    const bytes = Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
