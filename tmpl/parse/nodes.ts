/** The tree of a parsed template. */

import type { Source } from "../error.ts";

export interface At<K extends string> {
  readonly kind: K;
  /** The position, in UTF-16 code units from the start of the source. */
  readonly at: number;
}

/** A named template: a file, or one created by `define` or `block`. */
export interface Tree {
  readonly name: string;
  readonly source: Source;
  readonly root: ListNode;
}

export interface ListNode extends At<"list"> {
  readonly nodes: readonly Node[];
}

export interface TextNode extends At<"text"> {
  readonly text: string;
}

export interface ActionNode extends At<"action"> {
  readonly pipe: PipeNode;
}

export interface BranchNode extends At<"if" | "with" | "range"> {
  readonly pipe: PipeNode;
  /** Rendered if the value is true, or for each element. */
  readonly list: ListNode;
  /** Rendered otherwise; `undefined` without an `else`. */
  readonly elseList: ListNode | undefined;
}

export type JumpNode = At<"break" | "continue">;

export interface TemplateNode extends At<"template"> {
  readonly name: string;
  /** The data of the call; `undefined` for none. */
  readonly pipe: PipeNode | undefined;
}

export type Node = TextNode | ActionNode | BranchNode | JumpNode | TemplateNode;

/** A pipeline: the result of each command is the last argument of the next. */
export interface PipeNode extends At<"pipe"> {
  readonly variables: readonly string[];
  /** Whether existing variables are assigned, with `=` instead of `:=`. */
  readonly isAssign: boolean;
  readonly commands: readonly CommandNode[];
  /** The source text, for messages. */
  readonly text: string;
}

export interface CommandNode {
  readonly at: number;
  /** The function or the value, then the arguments. */
  readonly args: readonly Operand[];
  readonly text: string;
}

export interface Constant<K extends string, T> extends At<K> {
  readonly value: T;
}

/** A member of a value, possibly nested: `path` has at least one name. */
export interface Path extends At<"path"> {
  readonly base: Operand;
  readonly path: readonly string[];
}

export type Operand =
  | Constant<"bool", boolean>
  | (At<"dot"> | At<"nil"> | Constant<"number", number | bigint> | Constant<"string", string>)
  | (At<"name" | "variable"> & { readonly name: string })
  | (Path | PipeNode);

export function isEmptyTree(list: ListNode): boolean {
  return list.nodes.every((node) => node.kind === "text" && node.text.trim() === "");
}

export function callsIn({ nodes }: ListNode): readonly TemplateNode[] {
  return nodes.flatMap((node) => {
    if (node.kind === "template") return [node];
    if (!("list" in node)) return [];
    return [...callsIn(node.list), ...(node.elseList === undefined ? [] : callsIn(node.elseList))];
  });
}
