/**
 * The router: patterns with values, looked up by canonical path.
 *
 * One radix tree over char codes holds all patterns; a node ends either inside or after a segment.
 * What is tried next when a node does not lead on is known at boot and stored in the node (`retry`),
 * so that a lookup needs no stack and no recursion. Each node is entered at most once per lookup,
 * from one place and at one position, since the segment of the path that it stands for is fixed by
 * its depth in the tree. A lookup is therefore bounded by the number of nodes, not by the number of
 * ways in which a hostile path can be split.
 *
 * @module
 */

import { canonicalText } from "../base/path.ts";
import { parsePattern, type Segment } from "../base/pattern.ts";

/** What a path led to. */
export interface Match<T> {
  /** The value that was added with the pattern. */
  readonly value: T;
  /**
   * The captured pieces of the path in the order of the pattern's parameters, in canonical form:
   * `decodeParam` gives the value of one. `undefined` for a pattern without parameters.
   */
  readonly params: readonly string[] | undefined;
  /** Whether the pattern has no parameter. */
  readonly isLiteral: boolean;
}

const SLASH = 0x2f;
const PARAM = "{}";
const REST = "{...}";
// A power of two, so that `code & mask` picks a bucket; covers ASCII without collisions.
const MAX_BUCKETS = 128;

/** How a node is entered: by its text, by one segment, or by the rest of the path. */
type NodeKind = "literal" | "param" | "rest";

class Node<T> {
  readonly kind: NodeKind;
  /** The char codes that lead into the node; empty for a parameter, a rest and the root. */
  codes: number[];
  children: Node<T>[] = [];
  param: Node<T> | undefined = undefined;
  rest: Node<T> | undefined = undefined;
  leaf: Leaf<T> | undefined = undefined;

  // Set by `link`.
  /** The children by `code & mask`, each the head of a list over `sibling`. */
  buckets: (Node<T> | undefined)[] = [undefined];
  mask = 0;
  sibling: Node<T> | undefined = undefined;
  /** The parameter or rest to try when this node does not lead on. */
  retry: Node<T> | undefined = undefined;
  /** Of a parameter or rest: how many come before it. */
  index = 0;
  /** Of a parameter or rest: how many literal characters lie between it and the one before. */
  offset = 0;

  constructor(kind: NodeKind, codes: number[]) {
    this.kind = kind;
    this.codes = codes;
  }
}

/** The end of a pattern. */
interface Leaf<T> {
  readonly pattern: string;
  readonly value: T;
  /** The match of a pattern without parameters: the same object for every lookup. */
  readonly literal: Match<T> | undefined;
  /** For each parameter, the number of literal characters between it and the one before. */
  readonly offsets: readonly number[];
}

/**
 * Patterns with values. Per segment from left to right, a literal wins over a parameter and a
 * parameter over a catch-all; a choice that leads nowhere is taken back. A parameter takes one
 * segment of at least one character; a catch-all takes at least one character.
 *
 * Literals are compared in canonical form, so that the literal `café` matches `/caf%C3%A9`.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { Router } from "./router.ts";
 *
 * const router = new Router<string>();
 * router.add("/blog/{slug}", "post");
 * assertEquals(router.find("/blog/hello")?.params, ["hello"]);
 * ```
 */
export class Router<T> {
  #root = new Node<T>("literal", []);
  #patterns = new Map<string, string>();
  #isLinked = false;
  // Where each capture of the running lookup ends. Lookups are synchronous: they can share it.
  #ends: number[] = [];

  /**
   * Adds a pattern.
   *
   * @param pattern A pattern as `parsePattern` reads it.
   * @param value What a match gives.
   * @throws {TypeError} When the pattern is malformed, or when a pattern was added that matches the
   * same paths.
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
    const offsets: number[] = [];
    let node = this.#root;
    let literalLength = 0;
    for (const piece of pieces) {
      if (piece === PARAM || piece === REST) {
        node = piece === PARAM
          ? node.param ??= new Node("param", [])
          : node.rest ??= new Node("rest", []);
        offsets.push(literalLength);
        literalLength = 0;
      } else {
        node = insertLiteral(node, toCodes(piece));
        literalLength = piece.length;
      }
    }
    const literal = names.length === 0 ? { value, params: undefined, isLiteral: true } : undefined;
    node.leaf = { pattern, value, literal, offsets };
    this.#isLinked = false;
  }

  /**
   * Looks a path up.
   *
   * @param path A canonical path, as `decodePath` gives it.
   * @returns The match, or `undefined` when no pattern matches.
   */
  find(path: string): Match<T> | undefined {
    if (!this.#isLinked) this.#link();
    const length = path.length;
    const ends = this.#ends;
    let node = this.#root;
    let i = 0;
    // Measured against a Map per segment and against recursion in bench/router.
    descend: for (;;) {
      if (i < length) {
        const code = path.charCodeAt(i);
        let child = node.buckets[code & node.mask];
        candidates: for (; child !== undefined; child = child.sibling) {
          const codes = child.codes;
          const end = i + codes.length;
          if (codes[0] !== code || end > length) continue;
          for (let j = 1; j < codes.length; j++) {
            if (codes[j] !== path.charCodeAt(i + j)) continue candidates;
          }
          node = child;
          i = end;
          continue descend;
        }
      } else if (node.leaf !== undefined) {
        return toMatch(node.leaf, path, ends);
      }
      // The node does not lead on: try the parameters and catch-alls passed by, the last one first.
      for (;;) {
        const next = node.retry;
        if (next === undefined) return undefined;
        node = next;
        const index = node.index;
        const start = (index === 0 ? 0 : ends[index - 1] ?? 0) + node.offset;
        i = node.kind === "rest" ? length : segmentEnd(path, start);
        if (i <= start) continue;
        ends[index] = i;
        continue descend;
      }
    }
  }

  #link(): void {
    const open: Step<T>[] = [{ node: this.#root, inherited: undefined, captures: 0, tail: 0 }];
    let deepest = 0;
    for (let step = open.pop(); step !== undefined; step = open.pop()) {
      const { node, inherited, captures, tail } = step;
      const { param, rest } = node;
      node.retry = param ?? rest ?? inherited;
      fillBuckets(node);
      for (const child of node.children) {
        open.push({
          node: child,
          inherited: node.retry,
          captures,
          tail: tail + child.codes.length,
        });
      }
      for (const dynamic of [param, rest]) {
        if (dynamic === undefined) continue;
        dynamic.index = captures;
        dynamic.offset = tail;
        const next = dynamic === param ? rest ?? inherited : inherited;
        open.push({ node: dynamic, inherited: next, captures: captures + 1, tail: 0 });
      }
      deepest = Math.max(deepest, captures);
    }
    this.#ends = new Array<number>(deepest).fill(0);
    this.#isLinked = true;
  }
}

/** A node to link: what to try when it does not lead on, and what lies before its end. */
interface Step<T> {
  readonly node: Node<T>;
  readonly inherited: Node<T> | undefined;
  readonly captures: number;
  /** Literal characters since the last capture. */
  readonly tail: number;
}

function toMatch<T>(leaf: Leaf<T>, path: string, ends: readonly number[]): Match<T> {
  if (leaf.literal !== undefined) return leaf.literal;
  const params: string[] = [];
  let end = 0;
  for (let i = 0; i < leaf.offsets.length; i++) {
    const start = end + (leaf.offsets[i] ?? 0);
    end = ends[i] ?? start;
    params.push(path.slice(start, end));
  }
  return { value: leaf.value, params, isLiteral: false };
}

function segmentEnd(path: string, start: number): number {
  let i = start;
  while (i < path.length && path.charCodeAt(i) !== SLASH) i++;
  return i;
}

/** The pattern as literal pieces, slashes included, and the marks between them. */
function toPieces(segments: readonly Segment[]): string[] {
  const pieces: string[] = [];
  let literal = "/";
  segments.forEach((segment, i) => {
    if (i > 0) literal += "/";
    if (segment.kind === "literal") {
      literal += canonicalText(segment.text);
    } else {
      pieces.push(literal, segment.kind === "param" ? PARAM : REST);
      literal = "";
    }
  });
  if (literal !== "") pieces.push(literal);
  return pieces;
}

function toCodes(text: string): number[] {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

function insertLiteral<T>(from: Node<T>, codes: number[]): Node<T> {
  let node = from;
  let left = codes;
  while (left.length > 0) {
    const child = node.children.find((one) => one.codes[0] === left[0]);
    if (child === undefined) {
      const added = new Node<T>("literal", left);
      node.children.push(added);
      return added;
    }
    const length = commonLength(child.codes, left);
    if (length < child.codes.length) splitNode(child, length);
    node = child;
    left = left.slice(length);
  }
  return node;
}

function commonLength(a: readonly number[], b: readonly number[]): number {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i++;
  return i;
}

function splitNode<T>(node: Node<T>, at: number): void {
  const lower = new Node<T>("literal", node.codes.slice(at));
  lower.children = node.children;
  lower.param = node.param;
  lower.rest = node.rest;
  lower.leaf = node.leaf;
  node.codes = node.codes.slice(0, at);
  node.children = [lower];
  node.param = node.rest = node.leaf = undefined;
}

function fillBuckets<T>(node: Node<T>): void {
  const firsts = node.children.map((child) => child.codes[0] ?? 0);
  let size = 1;
  while (size < MAX_BUCKETS && new Set(firsts.map((code) => code % size)).size < firsts.length) {
    size *= 2;
  }
  node.mask = size - 1;
  node.buckets = new Array<Node<T> | undefined>(size).fill(undefined);
  node.children.forEach((child, i) => {
    const bucket = (firsts[i] ?? 0) & node.mask;
    child.sibling = node.buckets[bucket];
    node.buckets[bucket] = child;
  });
}
