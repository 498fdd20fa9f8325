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

/** One operand. */
export type Operand =
  | { readonly kind: "bool"; readonly at: number; readonly value: boolean }
  | { readonly kind: "dot"; readonly at: number }
  | { readonly kind: "nil"; readonly at: number }
  | {
    readonly kind: "number";
    readonly at: number;
    readonly value: number | bigint;
    readonly text: string;
  }
  | { readonly kind: "string"; readonly at: number; readonly value: string; readonly text: string }
  | { readonly kind: "field"; readonly at: number; readonly path: readonly string[] }
  | {
    readonly kind: "variable";
    readonly at: number;
    readonly name: string;
    readonly path: readonly string[];
  }
  | { readonly kind: "name"; readonly at: number; readonly name: string }
  | {
    readonly kind: "chain";
    readonly at: number;
    readonly base: Operand;
    readonly path: readonly string[];
  }
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
    case "field":
      return operand.path.map((name) => `.${name}`).join("");
    case "variable":
      return operand.name + operand.path.map((name) => `.${name}`).join("");
    case "name":
      return operand.name;
    case "chain": {
      const base = operandText(operand.base);
      const shown = operand.base.kind === "pipe" ? `(${base})` : base;
      return shown + operand.path.map((name) => `.${name}`).join("");
    }
    case "pipe":
      return pipeText(operand);
  }
}

/** Writes a pipeline as messages show it. */
export function pipeText(pipe: PipeNode): string {
  const variables = pipe.variables.length === 0
    ? ""
    : `${pipe.variables.join(", ")} ${pipe.isAssign ? "=" : ":="} `;
  return variables + pipe.commands.map(commandText).join(" | ");
}

/** Writes a command as messages show it. */
function commandText(command: CommandNode): string {
  return command.args.map((arg) => arg.kind === "pipe" ? `(${pipeText(arg)})` : operandText(arg))
    .join(" ");
}

/** Whether a tree has nothing but space. */
export function isEmptyTree(list: ListNode): boolean {
  return list.nodes.every((node) => node.kind === "text" && node.text.trim() === "");
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
