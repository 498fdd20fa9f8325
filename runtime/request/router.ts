/**
 * The router: patterns with values, looked up by canonical path.
 *
 * One radix tree over char codes holds all patterns; a node ends either inside or after a segment. The node
 * to try when one does not match is computed at boot and stored in the node (`retry`), so that a lookup needs
 * no stack and no recursion. Each node is entered at most once per lookup, from one place and at one
 * position, since the path segment that it matches is fixed by its depth in the tree. A lookup is therefore
 * bounded by the number of nodes, not by the ways in which a hostile path can be split.
 */

import { notFound } from "../base/errors/errors.ts";
import type { AnyField } from "../base/standard_schema.ts";
import { decodeParam, isRelativeRest } from "../base/url/path.ts";
import { parsePattern } from "../base/url/pattern.ts";
import { parseText } from "../schema/result.ts";
import type { RequestCtx } from "./request_ctx.ts";
import {
  BUCKETS,
  CAPTURE_SIZE,
  GAP,
  INDEX,
  insertPieces,
  IS_REST,
  LEAF,
  LENGTH,
  MASK,
  type PackedTree,
  packTree,
  RETRY,
  SIBLING,
  TEXT,
  toPieces,
  TreeNode,
} from "./route_tree.ts";

export interface Match<T> {
  readonly value: T;
  /**
   * The captured pieces of the path in the order of the pattern's parameters, in canonical form:
   * `decodeParam` decodes one. `undefined` for a pattern without parameters.
   */
  readonly params: readonly string[] | undefined;
  readonly isLiteral: boolean;
}

/**
 * Patterns with values. Per segment from left to right, a literal wins over a parameter and a parameter over
 * a catch-all; a failed choice is undone. A parameter matches one segment of at least one character; a
 * catch-all matches at least one character, and only a relative path (see {@linkcode isRelativeRest}).
 *
 * Literals are compared in canonical form, so that the literal `café` matches `/caf%C3%A9`.
 */
export class Router<T> {
  #root = new TreeNode([]);
  #tree: PackedTree | undefined = undefined;
  #values: T[] = [];
  // The match of a pattern without parameters is the same object for every lookup.
  #literals: (Match<T> | undefined)[] = [];
  #patterns = new Map<string, string>();
  // Start and end of each capture of the running lookup. Lookups are synchronous, so they share it.
  #marks = new Int32Array(0);

  /**
   * Adds a pattern.
   *
   * @throws {TypeError} When the pattern is malformed, or when another pattern matches the same paths.
   */
  add(pattern: string, value: T): void {
    const { segments, names } = parsePattern(pattern);
    const pieces = toPieces(segments);
    const shape = pieces.join("");
    const taken = this.#patterns.get(shape);
    if (taken !== undefined) {
      throw new TypeError(
        `Cannot add the route "${pattern}": "${taken}" already matches the same paths; remove one`,
      );
    }
    this.#patterns.set(shape, pattern);
    insertPieces(this.#root, pieces).leaf = this.#values.push(value);
    const isLiteral = names.length === 0;
    this.#literals.push(isLiteral ? { value, params: undefined, isLiteral } : undefined);
    this.#marks = new Int32Array(Math.max(this.#marks.length, 2 * names.length));
    this.#tree = undefined;
  }

  /** Looks a path up. @returns The match, or `undefined` when no pattern matches. */
  find(path: string): Match<T> | undefined {
    const { cells, start } = this.#tree ??= packTree(this.#root);
    const marks = this.#marks;
    const length = path.length;
    let node = start;
    let i = 0;
    let marked = 0;
    // One array, char codes and no recursion are the fastest form (`bench/router`).
    descend: for (;;) {
      if (i < length) {
        const code = path.charCodeAt(i);
        let child = cells[node + BUCKETS + (code & (cells[node + MASK] ?? 0))] ?? 0;
        while (child !== 0) {
          const end = i + (cells[child + LENGTH] ?? 0);
          if (cells[child + TEXT] === code && end <= length) {
            let at = child + TEXT + 1;
            let j = i + 1;
            while (j < end && cells[at] === path.charCodeAt(j)) {
              at++;
              j++;
            }
            if (j === end) {
              node = at;
              i = end;
              continue descend;
            }
          }
          child = cells[child + SIBLING] ?? 0;
        }
      } else {
        const leaf = cells[node + LEAF] ?? 0;
        if (leaf !== 0) {
          if (marked === 0) return this.#literals[leaf - 1];
          const value = this.#values[leaf - 1] as T;
          return { value, params: cutMarked(path, marks, marked), isLiteral: false };
        }
      }
      // The node does not match: try the skipped captures, the last one first.
      for (;;) {
        const capture = cells[node + RETRY] ?? 0;
        if (capture === 0) return undefined;
        node = capture + CAPTURE_SIZE;
        const mark = 2 * (cells[capture + INDEX] ?? 0);
        const from = (mark === 0 ? 0 : marks[mark - 1] ?? 0) + (cells[capture + GAP] ?? 0);
        const isRest = cells[capture + IS_REST] === 1;
        const slash = isRest ? -1 : path.indexOf("/", from);
        i = slash < 0 ? length : slash;
        if (i <= from || (isRest && !isRelativeRest(path, from))) continue;
        marks[mark] = from;
        marks[mark + 1] = i;
        marked = mark + 2;
        continue descend;
      }
    }
  }
}

function cutMarked(path: string, marks: Int32Array, marked: number): string[] {
  // An array literal is of exact size; pushing to an empty array reserves room for many more.
  const first = path.slice(marks[0], marks[1]);
  if (marked === 2) return [first];
  const params = [first, path.slice(marks[2], marks[3])];
  for (let i = 4; i < marked; i += 2) params.push(path.slice(marks[i], marks[i + 1]));
  return params;
}

/** Implements `c.param`: a 404 for a value that does not fit the field. */
export function routeParam<T>(
  { route, location }: RequestCtx,
  name: string,
  field?: AnyField<T>,
): string | T {
  const capture = location?.captures?.[route?.names.indexOf(name) ?? -1];
  if (capture === undefined) {
    const others = route?.names.length ? `only ${route.names.join(", ")}` : "none";
    throw new TypeError(
      `Cannot read the parameter "${name}": the route "${route?.pattern ?? ""}" has ${others}.`,
    );
  }
  const value = decodeParam(capture);
  if (field === undefined) return value;
  const parsed = parseText(value, field);
  if (parsed === undefined) throw notFound();
  return parsed.value;
}
