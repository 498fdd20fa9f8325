/**
 * Distinguishes the requests and responses of a schema: what it marks `readOnly` only the server sends, and
 * what it marks `writeOnly` only the client.
 *
 * @module
 */
import { entriesOf, listOf, memberOf, textOf } from "../../project/json.ts";
import { findAt, pointerParts } from "../document/values.ts";

/** Who sends a value. */
export type Side = "request" | "response";

/** How deep `allOf` is followed for the members that it leaves out. */
const maxDepth = 8;

/** The schemas of a document by who sends them. */
export class SchemaSides {
  readonly #document: unknown;
  /** The objects from which a mark is reached; in most documents there is none. */
  readonly #apart: ReadonlySet<unknown>;

  constructor(document: unknown) {
    this.#document = document;
    this.#apart = findApart(document, (schema) => this.#follow(schema));
  }

  /** Returns the members that a side leaves out of a schema and of what `allOf` joins with it. */
  leftOut(schema: unknown, side: Side | undefined): ReadonlySet<string> {
    const names = new Set<string>();
    if (this.#apart.size === 0 || side === undefined) return names;
    const mark = side === "request" ? "readOnly" : "writeOnly";
    const seen = new Set<unknown>();
    const visit = (each: unknown, depth: number): void => {
      const target = this.#follow(each);
      if (depth > maxDepth || seen.has(target)) return;
      seen.add(target);
      for (const [name, member] of entriesOf(memberOf(target, "properties"))) {
        const isMarked = [member, this.#follow(member)]
          .some((place) => memberOf(place, mark) === true);
        if (isMarked) names.add(name);
      }
      for (const part of listOf(memberOf(target, "allOf"))) visit(part, depth + 1);
    };
    visit(schema, 0);
    return names;
  }

  /**
   * Reports whether requests and responses of a named schema differ, in itself or in what it refers
   * to.
   */
  areApart(parts: readonly string[]): boolean {
    return this.#apart.has(findAt(this.#document, parts));
  }

  /** Follows one reference; what has none is returned. */
  #follow(schema: unknown): unknown {
    const ref = textOf(memberOf(schema, "$ref"));
    const parts = ref === undefined ? undefined : pointerParts(ref);
    return parts === undefined ? schema : findAt(this.#document, parts);
  }
}

function isMarked(value: object): boolean {
  return memberOf(value, "readOnly") === true || memberOf(value, "writeOnly") === true;
}

/**
 * Finds the objects of a document from which a mark is reached, through their members and references:
 * once for all of them, since a chain of references would be followed again from each of its links.
 */
function findApart(
  document: unknown,
  follow: (schema: unknown) => unknown,
): ReadonlySet<unknown> {
  const parents = new Map<object, object[]>();
  const marked: object[] = [];
  const stack = [document];
  const seen = new Set<unknown>();
  while (stack.length > 0) {
    const next = stack.pop();
    if (typeof next !== "object" || next === null || seen.has(next)) continue;
    seen.add(next);
    if (isMarked(next)) marked.push(next);
    for (const child of [...Object.values(next), follow(next)]) {
      if (typeof child !== "object" || child === null || child === next) continue;
      const known = parents.get(child);
      if (known === undefined) parents.set(child, [next]);
      else known.push(next);
      stack.push(child);
    }
  }
  const apart = new Set<unknown>();
  while (marked.length > 0) {
    const next = marked.pop();
    if (next === undefined || apart.has(next)) continue;
    apart.add(next);
    for (const parent of parents.get(next) ?? []) marked.push(parent);
  }
  return apart;
}
