/** The tree of a parsed template, and how its nodes are written in messages. */

import type { Source } from "./error.ts";

/** A template of its own: a file, or what `define` and `block` made. */
export interface Tree {
  readonly name: string;
  readonly source: Source;
  readonly root: ListNode;
}

/** Nodes in their order. */
export interface ListNode {
  readonly kind: "list";
  readonly at: number;
  readonly nodes: readonly Node[];
}

/** Text between actions. */
export interface TextNode {
  readonly kind: "text";
  readonly at: number;
  readonly text: string;
}

/** A pipeline whose value is written. */
export interface ActionNode {
  readonly kind: "action";
  readonly at: number;
  readonly pipe: PipeNode;
}

/** `if`, `with` and `range`. */
export interface BranchNode {
  readonly kind: "if" | "with" | "range";
  readonly at: number;
  readonly pipe: PipeNode;
  readonly list: ListNode;
  readonly elseList: ListNode | undefined;
}

/** `break` and `continue`. */
export interface JumpNode {
  readonly kind: "break" | "continue";
  readonly at: number;
}

/** A call of another template. */
export interface TemplateNode {
  readonly kind: "template";
  readonly at: number;
  readonly name: string;
  readonly pipe: PipeNode | undefined;
}

/** What a template is made of. */
export type Node = TextNode | ActionNode | BranchNode | JumpNode | TemplateNode;

/** Commands, each the last argument of the next, with the variables that keep the value. */
export interface PipeNode {
  readonly kind: "pipe";
  readonly at: number;
  readonly variables: readonly string[];
  readonly isAssign: boolean;
  readonly commands: readonly CommandNode[];
}

/** A function or a value, with arguments. */
export interface CommandNode {
  readonly at: number;
  readonly args: readonly Operand[];
}

interface At<K extends string> {
  readonly kind: K;
  readonly at: number;
}

type Constant<K extends string, T> = At<K> & { readonly value: T; readonly text: string };
type Path<K extends string> = At<K> & { readonly path: readonly string[] };

/** One operand. */
export type Operand =
  | (At<"bool"> & { readonly value: boolean })
  | (At<"dot"> | At<"nil"> | Constant<"number", number | bigint> | Constant<"string", string>)
  | (Path<"field"> | (Path<"variable"> & { readonly name: string }))
  | ((At<"name"> & { readonly name: string }) | (Path<"chain"> & { readonly base: Operand }))
  | PipeNode;

/** Writes an operand as messages show it. */
export function operandText(operand: Operand): string {
  switch (operand.kind) {
    case "bool":
      return String(operand.value);
    case "dot":
      return ".";
    case "nil":
      return "nil";
    case "number":
    case "string":
      return operand.text;
    case "name":
      return operand.name;
    case "field":
      return pathText(operand);
    case "variable":
      return operand.name + pathText(operand);
    case "chain":
      return argumentText(operand.base) + pathText(operand);
    case "pipe":
      return pipeText(operand);
  }
}

function pathText({ path }: { readonly path: readonly string[] }): string {
  return path.map((name) => `.${name}`).join("");
}

function argumentText(operand: Operand): string {
  return operand.kind === "pipe" ? `(${pipeText(operand)})` : operandText(operand);
}

/** Writes a pipeline as messages show it. */
export function pipeText(pipe: PipeNode): string {
  const variables = pipe.variables.length === 0
    ? ""
    : `${pipe.variables.join(", ")} ${pipe.isAssign ? "=" : ":="} `;
  return variables +
    pipe.commands.map(({ args }) => args.map(argumentText).join(" ")).join(" | ");
}

/** Whether a tree has nothing but space. */
export function isEmptyTree(list: ListNode): boolean {
  return list.nodes.every((node) => node.kind === "text" && node.text.trim() === "");
}

/** Lists the calls of other templates. */
export function callsIn({ nodes }: ListNode): readonly TemplateNode[] {
  return nodes.flatMap((node) => {
    if (node.kind === "template") return [node];
    if (!("list" in node)) return [];
    return [...callsIn(node.list), ...(node.elseList === undefined ? [] : callsIn(node.elseList))];
  });
}

/** Copies a list down to its pipelines: edits of one copy do not touch the other. */
export function copyList(list: ListNode): ListNode {
  return { ...list, nodes: list.nodes.map(copyNode) };
}

function copyNode(node: Node): Node {
  if (node.kind !== "if" && node.kind !== "with" && node.kind !== "range") return { ...node };
  const elseList = node.elseList === undefined ? undefined : copyList(node.elseList);
  return { ...node, list: copyList(node.list), elseList };
}
