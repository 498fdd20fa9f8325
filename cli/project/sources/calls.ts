import ts from "npm:typescript@6.0.3";
import type { Position } from "../../problem.ts";
import type { Sources } from "./sources.ts";
import { nodePlace, walk, writtenText } from "./syntax.ts";

export interface SourceCall extends Position {
  readonly file: string;
  readonly name: string;
  /** Whether the receiver is a request's context: a parameter of type `Ctx`, or an untyped one named `c`. */
  readonly isOnContext: boolean;
  readonly argumentCount: number;
  readonly node: ts.CallExpression;
  readonly firstText: string | undefined;
}

export function findCalls(sources: Sources, names: readonly string[]): SourceCall[] {
  const wanted = new RegExp(`\\.\\s*(?:${names.join("|")})\\s*(?:<[^;]{0,200}>\\s*)?\\(`);
  const calls: SourceCall[] = [];
  walkCalls(sources, wanted, (node) => {
    if (!ts.isPropertyAccessExpression(node.expression)) return;
    const { name } = node.expression;
    if (!names.includes(name.text)) return;
    calls.push({
      ...nodePlace(name),
      name: name.text,
      isOnContext: isOnContext(node),
      argumentCount: node.arguments.length,
      node,
      firstText: writtenText(node.arguments[0]),
    });
  });
  return calls;
}

/** Calls a function for each call in the sources whose text matches; others are not parsed. */
export function walkCalls(
  sources: Sources,
  wanted: RegExp,
  look: (call: ts.CallExpression, file: string) => void,
): void {
  for (const file of sources.list()) {
    const source = sources.read(file);
    if (source === undefined || !wanted.test(source.text)) continue;
    walk(source.tree, (node) => {
      if (ts.isCallExpression(node)) look(node, file);
    });
  }
}

/** Reports whether a call is of a method of a request's context. */
export function isOnContext(node: ts.CallExpression): boolean {
  const { expression: callee } = node;
  if (!ts.isPropertyAccessExpression(callee) || !ts.isIdentifier(callee.expression)) return false;
  const name = callee.expression.text;
  for (let at: ts.Node = node.parent; at !== undefined; at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    for (const parameter of at.parameters) {
      if (!ts.isIdentifier(parameter.name) || parameter.name.text !== name) continue;
      const type = parameter.type?.getText();
      return type === undefined
        ? name === "c" || name === "ctx"
        : /^(?:\w+\.)?Ctx(?:<|$)/.test(type);
    }
  }
  return false;
}
