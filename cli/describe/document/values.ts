/**
 * Follows the references of an OpenAPI document, which may come from anywhere.
 *
 * @module
 */
import { memberOf, textOf } from "../../project/json.ts";

/**
 * Finds what a local reference names (RFC 6901 in a URI fragment).
 *
 * @param ref Such as `#/components/schemas/Event`.
 * @returns `undefined` if there is nothing, and for a reference to another document.
 */
export function findReference(document: unknown, ref: string): unknown {
  if (typeof document !== "object" || document === null) return undefined;
  const known = targets.get(document) ?? new Map<string, unknown>();
  targets.set(document, known);
  if (known.has(ref)) return known.get(ref);
  const parts = pointerParts(ref);
  const found = parts === undefined ? undefined : findAt(document, parts);
  known.set(ref, found);
  return found;
}

/** The targets that were found. A document does not change once it is parsed, and references repeat. */
const targets = new WeakMap<object, Map<string, unknown>>();

/** Finds the value at a place, by the names of the members that lead there. */
export function findAt(document: unknown, parts: readonly string[]): unknown {
  let found: unknown = document;
  for (const part of parts) {
    if (Array.isArray(found)) found = /^\d{1,9}$/.test(part) ? found[Number(part)] : undefined;
    else found = memberOf(found, part);
  }
  return found;
}

/** Splits a local reference into member names; `undefined` for one that is not local or malformed. */
export function pointerParts(ref: string): string[] | undefined {
  if (ref === "#") return [];
  if (!ref.startsWith("#/")) return undefined;
  try {
    return ref.slice(2).split("/").map((part) =>
      decodeURIComponent(part).replaceAll("~1", "/").replaceAll("~0", "~")
    );
  } catch {
    return undefined;
  }
}

/** The number of references that are followed one after another. */
const maxSteps = 32;

/**
 * Follows `$ref` until there is none.
 *
 * @returns The value; `undefined` for a circle, a missing target and one outside the document.
 */
export function followReferences(document: unknown, value: unknown): unknown {
  let found = value;
  for (let step = 0; step < maxSteps; step++) {
    const ref = textOf(memberOf(found, "$ref"));
    if (ref === undefined) return found;
    found = findReference(document, ref);
  }
  return undefined;
}
