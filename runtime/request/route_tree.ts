import { canonicalText } from "../base/url/path.ts";
import type { Segment } from "../base/url/pattern.ts";

/** The piece of a pattern that matches one segment. */
const PARAM = "{}";
/** The piece of a pattern that matches the rest of the path. */
const REST = "{...}";

// The packed tree is a sequence of records, a head followed by a body. Positions in it are numbers;
// 0, where the root's head is, stands for "none", since nothing leads to the root.
/** Head of a literal: the next literal whose first character falls into the same bucket. */
export const SIBLING = 0;
/** Head of a literal: how many char codes follow. */
export const LENGTH = 1;
/** Head of a literal: its first char code. The body follows the last one. */
export const TEXT = 2;
/** Head of a capture: 1 for the rest of the path, 0 for one segment. */
export const IS_REST = 0;
/** Head of a capture: how many captures come before it. */
export const INDEX = 1;
/** Head of a capture: how many literal characters lie between it and the capture before. */
export const GAP = 2;
/** The offset of a capture's body. */
export const CAPTURE_SIZE = 3;
/** Body: the position of the capture to try when this node does not match. */
export const RETRY = 0;
/** Body: the index of the pattern that ends here, plus one; 0 for none. */
export const LEAF = 1;
/** Body: picks a bucket, as `code & mask`. */
export const MASK = 2;
/** Body: the first bucket, the position of a literal or 0. */
export const BUCKETS = 3;

// Covers ASCII without collisions; a power of two, so that a mask picks the bucket.
const MAX_BUCKETS = 128;

export class TreeNode {
  /** The char codes that lead into the node; empty for a capture and for the root. */
  codes: number[];
  children: TreeNode[] = [];
  param: TreeNode | undefined = undefined;
  rest: TreeNode | undefined = undefined;
  /** The index of the pattern that ends here, plus one; 0 for none. */
  leaf = 0;
  position = 0;

  constructor(codes: number[]) {
    this.codes = codes;
  }
}

/** Cuts a pattern into literal texts, slashes included, and the marks `PARAM` and `REST`. */
export function toPieces(segments: readonly Segment[]): string[] {
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

/** Grows the tree by one pattern. @returns The node where the pattern ends. */
export function insertPieces(root: TreeNode, pieces: readonly string[]): TreeNode {
  let node = root;
  for (const piece of pieces) {
    if (piece === PARAM) node = node.param ??= new TreeNode([]);
    else if (piece === REST) node = node.rest ??= new TreeNode([]);
    else node = insertLiteral(node, toCodes(piece));
  }
  return node;
}

function toCodes(text: string): number[] {
  return Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
}

function insertLiteral(from: TreeNode, codes: number[]): TreeNode {
  let node = from;
  let left = codes;
  while (left.length > 0) {
    const child = node.children.find((one) => one.codes[0] === left[0]);
    if (child === undefined) {
      const added = new TreeNode(left);
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

function splitNode(node: TreeNode, at: number): void {
  const lower = new TreeNode(node.codes.slice(at));
  lower.children = node.children;
  lower.param = node.param;
  lower.rest = node.rest;
  lower.leaf = node.leaf;
  node.codes = node.codes.slice(0, at);
  node.children = [lower];
  node.param = node.rest = undefined;
  node.leaf = 0;
}

export interface PackedTree {
  readonly cells: Int32Array;
  readonly start: number;
}

/** A node to pack, with the facts about the path to it. */
interface Step {
  readonly node: TreeNode;
  readonly kind: "literal" | "param" | "rest";
  /** Node to try when this one does not match and has no capture of its own. */
  readonly inherited: TreeNode | undefined;
  readonly captures: number;
  /** Number of literal characters between the last capture and the node's end. */
  readonly gap: number;
}

/** Packs a tree into one array, so that a lookup reads few cache lines. */
export function packTree(root: TreeNode): PackedTree {
  const steps = listSteps(root);
  const buckets = new Map(steps.map(({ node }) => [node, toBuckets(node.children)]));
  let size = 0;
  for (const { node, kind } of steps) {
    node.position = size;
    size += bodyOffset(node, kind) + BUCKETS + (buckets.get(node)?.length ?? 0);
  }
  const cells = new Int32Array(size);
  for (const step of steps) {
    const { node, kind, inherited } = step;
    const at = node.position;
    if (kind === "literal") {
      cells[at + LENGTH] = node.codes.length;
      cells.set(node.codes, at + TEXT);
    } else {
      cells.set([kind === "rest" ? 1 : 0, step.captures, step.gap], at);
    }
    const body = at + bodyOffset(node, kind);
    const heads = buckets.get(node) ?? [];
    cells[body + RETRY] = (node.param ?? node.rest ?? inherited)?.position ?? 0;
    cells[body + LEAF] = node.leaf;
    cells[body + MASK] = heads.length - 1;
    heads.forEach((bucket, i) => {
      cells[body + BUCKETS + i] = bucket[0]?.position ?? 0;
      bucket.forEach((child, j) => {
        cells[child.position + SIBLING] = bucket[j + 1]?.position ?? 0;
      });
    });
  }
  return { cells, start: bodyOffset(root, "literal") };
}

function bodyOffset(node: TreeNode, kind: Step["kind"]): number {
  return kind === "literal" ? TEXT + node.codes.length : CAPTURE_SIZE;
}

function listSteps(root: TreeNode): Step[] {
  const steps: Step[] = [];
  const open: Step[] = [{ node: root, kind: "literal", inherited: undefined, captures: 0, gap: 0 }];
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    steps.push(step);
    const { node, kind, inherited } = step;
    const captures = step.captures + (kind === "literal" ? 0 : 1);
    const gap = kind === "literal" ? step.gap : 0;
    const { param, rest } = node;
    if (rest !== undefined) open.push({ node: rest, kind: "rest", inherited, captures, gap });
    if (param !== undefined) {
      open.push({ node: param, kind: "param", inherited: rest ?? inherited, captures, gap });
    }
    const next = param ?? rest ?? inherited;
    for (const child of node.children) {
      const length = child.codes.length;
      open.push({ node: child, kind: "literal", inherited: next, captures, gap: gap + length });
    }
  }
  return steps;
}

/** Distributes literals by the low bits of their first char code, into the fewest distinct buckets. */
function toBuckets(children: readonly TreeNode[]): TreeNode[][] {
  let size = 1;
  const firsts = children.map((child) => child.codes[0] ?? 0);
  while (size < MAX_BUCKETS && new Set(firsts.map((code) => code % size)).size < firsts.length) {
    size *= 2;
  }
  return Array.from(
    { length: size },
    (_, i) => children.filter((_, j) => (firsts[j] ?? 0) % size === i),
  );
}
