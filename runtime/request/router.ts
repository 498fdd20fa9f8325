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
import {
  canonicalText,
  decodeParam,
  isRelativeRest,
  parsePattern,
  type Segment,
} from "../base/url/path.ts";
import { parseText } from "../schema/result.ts";
import type { RequestCtx } from "./request_ctx.ts";

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
  #root = new TreeNode("literal", "");
  #cells: Int32Array | undefined = undefined;
  #values: T[] = [];
  // The match of a pattern without parameters is the same object for every lookup.
  #literals: (Match<T> | undefined)[] = [];
  #patterns: string[] = [];
  // Start and end of each capture of the running lookup. Lookups are synchronous, so they share it.
  #marks = new Int32Array(0);

  /**
   * Adds a pattern.
   *
   * @throws {TypeError} When the pattern is malformed, or when another pattern matches the same paths.
   */
  add(pattern: string, value: T): void {
    const { segments, names } = parsePattern(pattern);
    const node = insertSegments(this.#root, segments);
    const taken = this.#patterns[node.leaf - 1];
    if (taken !== undefined) {
      throw new TypeError(
        `Cannot add the route "${pattern}": "${taken}" already matches the same paths; remove one`,
      );
    }
    this.#patterns.push(pattern);
    node.leaf = this.#values.push(value);
    const isLiteral = names.length === 0;
    this.#literals.push(isLiteral ? { value, params: undefined, isLiteral } : undefined);
    const marks = 2 * names.length;
    if (marks > this.#marks.length) this.#marks = new Int32Array(marks);
    this.#cells = undefined;
  }

  /** Looks a path up. @returns The match, or `undefined` when no pattern matches. */
  find(path: string): Match<T> | undefined {
    const cells = this.#cells ??= packTree(this.#root);
    const marks = this.#marks;
    const length = path.length;
    // The root has no text.
    let node = TEXT;
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

// The packed tree is a sequence of records, a head followed by a body. Positions in it are numbers;
// 0, where the root's head is, stands for "none", since nothing leads to the root.
/** Head of a literal: the next literal whose first character falls into the same bucket. */
const SIBLING = 0;
/** Head of a literal: how many char codes follow. */
const LENGTH = 1;
/** Head of a literal: its first char code. The body follows the last one. */
const TEXT = 2;
/** Head of a capture: 1 for the rest of the path, 0 for one segment. */
const IS_REST = 0;
/** Head of a capture: how many captures come before it. */
const INDEX = 1;
/** Head of a capture: how many literal characters lie between it and the capture before. */
const GAP = 2;
/** The offset of a capture's body. */
const CAPTURE_SIZE = 3;
/** Body: the position of the capture to try when this node does not match. */
const RETRY = 0;
/** Body: the index of the pattern that ends here, plus one; 0 for none. */
const LEAF = 1;
/** Body: picks a bucket, as `code & mask`. */
const MASK = 2;
/** Body: the first bucket, the position of a literal or 0. */
const BUCKETS = 3;

// Covers ASCII without collisions; a power of two, so that a mask picks the bucket.
const MAX_BUCKETS = 128;

class TreeNode {
  readonly kind: Segment["kind"];
  /** The text that leads into the node; empty for a capture and for the root. */
  text: string;
  children: TreeNode[] = [];
  param: TreeNode | undefined = undefined;
  rest: TreeNode | undefined = undefined;
  /** The index of the pattern that ends here, plus one; 0 for none. */
  leaf = 0;
  readonly captures: number = 0;
  /** The number of literal characters since the last capture: up to the start of a capture, or a literal's end. */
  readonly gap: number = 0;
  /** The capture to try when the node does not match. */
  retry: TreeNode | undefined = undefined;
  position = 0;

  constructor(kind: Segment["kind"], text: string, parent?: TreeNode) {
    this.kind = kind;
    this.text = text;
    if (parent === undefined) return;
    const isLiteral = parent.kind === "literal";
    this.captures = parent.captures + (isLiteral ? 0 : 1);
    this.gap = (isLiteral ? parent.gap : 0) + text.length;
  }
}

/** Grows the tree by one pattern. @returns The node where the pattern ends. */
function insertSegments(root: TreeNode, segments: readonly Segment[]): TreeNode {
  let node = root;
  let literal = "/";
  for (const [i, segment] of segments.entries()) {
    if (i > 0) literal += "/";
    if (segment.kind === "literal") literal += canonicalText(segment.text);
    else {
      node = insertLiteral(node, literal);
      node = node[segment.kind] ??= new TreeNode(segment.kind, "", node);
      literal = "";
    }
  }
  return insertLiteral(node, literal);
}

function insertLiteral(from: TreeNode, literal: string): TreeNode {
  let node = from;
  let left = literal;
  while (left !== "") {
    const at = node.children.findIndex(({ text }) => text[0] === left[0]);
    const child = node.children[at];
    let common = 1;
    while (common < left.length && child?.text[common] === left[common]) common++;
    if (child !== undefined && common === child.text.length) node = child;
    else {
      const added = new TreeNode(
        "literal",
        child === undefined ? left : left.slice(0, common),
        node,
      );
      if (child === undefined) node.children.push(added);
      else {
        // The new node is the common start, with the rest of the old one below it.
        node.children[at] = added;
        added.children.push(child);
        child.text = child.text.slice(common);
      }
      node = added;
    }
    left = left.slice(node.text.length);
  }
  return node;
}

/** Packs a tree into one array, so that a lookup reads few cache lines. */
function packTree(root: TreeNode): Int32Array {
  const nodes = linkNodes(root);
  const buckets = nodes.map(({ children }) => toBuckets(children));
  let size = 0;
  nodes.forEach((node, i) => {
    node.position = size;
    size += bodyOffset(node) + BUCKETS + (buckets[i]?.length ?? 0);
  });
  const cells = new Int32Array(size);
  nodes.forEach((node, i) => {
    const { kind, text, position: at } = node;
    if (kind === "literal") {
      cells[at + LENGTH] = text.length;
      for (let j = 0; j < text.length; j++) cells[at + TEXT + j] = text.charCodeAt(j);
    } else cells.set([kind === "rest" ? 1 : 0, node.captures, node.gap], at);
    const heads = buckets[i] ?? [];
    const body = at + bodyOffset(node);
    cells.set([node.retry?.position ?? 0, node.leaf, heads.length - 1], body);
    heads.forEach((bucket, j) => {
      cells[body + BUCKETS + j] = bucket[0]?.position ?? 0;
      bucket.forEach((child, k) => {
        cells[child.position + SIBLING] = bucket[k + 1]?.position ?? 0;
      });
    });
  });
  return cells;
}

function bodyOffset({ kind, text }: TreeNode): number {
  return kind === "literal" ? TEXT + text.length : CAPTURE_SIZE;
}

/** Lists the nodes of a tree and sets what each tries when it does not match. */
function linkNodes(root: TreeNode): TreeNode[] {
  const nodes: TreeNode[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes.push(node);
    // Until then, `retry` is the inherited capture, for a node without its own.
    const { param, rest, retry } = node;
    node.retry = param ?? rest ?? retry;
    for (const capture of [rest, param]) {
      if (capture === undefined) continue;
      capture.retry = capture === param ? rest ?? retry : retry;
      open.push(capture);
    }
    for (const child of node.children) child.retry = node.retry;
    open.push(...node.children);
  }
  return nodes;
}

const noBuckets: readonly TreeNode[][] = [[]];

/** Distributes literals by the low bits of their first char code, into the fewest distinct buckets. */
function toBuckets(children: readonly TreeNode[]): readonly TreeNode[][] {
  // Most nodes are leaves.
  if (children.length === 0) return noBuckets;
  let size = 1;
  const firsts = children.map(({ text }) => text.charCodeAt(0));
  while (size < MAX_BUCKETS && new Set(firsts.map((code) => code % size)).size < firsts.length) {
    size *= 2;
  }
  return Array.from(
    { length: size },
    (_, i) => children.filter((_, j) => (firsts[j] ?? 0) % size === i),
  );
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
