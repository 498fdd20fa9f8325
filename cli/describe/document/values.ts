/**
 * Reads plain values of a document that may come from anywhere: own members only, and no getter of a
 * prototype.
 *
 * @module
 */

/** An object of a JSON document. */
export type JsonObject = { readonly [name: string]: unknown };

/** Returns the value if it is an object and no array. */
export function objectOf(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? value as JsonObject
    : undefined;
}

/** Returns an own member of an object; `undefined` for anything else. */
export function memberOf(value: unknown, name: string): unknown {
  const object = objectOf(value);
  return object !== undefined && Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Returns the own members of an object; none for anything else. */
export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return Object.entries(objectOf(value) ?? {});
}

/** Returns an array; an empty one for anything else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the texts of an array. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((each) => typeof each === "string");
}

/** Returns a text; `undefined` for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/**
 * Finds what a local reference names (RFC 6901 in a URI fragment).
 *
 * @param ref Such as `#/components/schemas/Event`.
 * @returns `undefined` if there is nothing, and for a reference to another document.
 */
export function findReference(document: unknown, ref: string): unknown {
  const parts = pointerParts(ref);
  return parts === undefined ? undefined : findAt(document, parts);
}

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
