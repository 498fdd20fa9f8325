import ts from "npm:typescript@6.0.3";
import type { Position } from "../../problem.ts";
import type { Sources } from "./sources.ts";
import { nodePlace, walk, writtenText } from "./syntax.ts";
import { Names } from "./names.ts";

export interface SourceCall extends Position {
  readonly file: string;
  readonly name: string;
  /** Whether the receiver is a request's context: a parameter of type `Ctx`, or an untyped one named `c`. */
  readonly isOnContext: boolean;
  readonly node: ts.CallExpression;
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
      node,
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

/** A call such as `Deno.env.get("NAME")`. */
export interface VariableRead extends Position {
  readonly file: string;
  readonly variable: string;
}

const wanted = /\bDeno\s*\.\s*env\s*\.\s*(?:get|has)\s*\(|\bvariable\b/;

/** Finds `Deno.env.get`, `Deno.env.has` and `variable` of the library with a literal name, outside tests. */
export function findVariableReads(sources: Sources): VariableRead[] {
  const reads: VariableRead[] = [];
  const names = new Names(sources);
  walkCalls(sources, wanted, (call) => {
    const variable = nameOfRead(call, names);
    if (variable !== undefined) reads.push({ ...nodePlace(call), variable });
  });
  return reads;
}

const callee = /^Deno\s*\.\s*env\s*\.\s*(?:get|has)$/;
const variableName = /^[A-Z][A-Z0-9_]*$/;

/** Returns the name in `Deno.env.get("NAME")` and `variable(app, "NAME")` of the library. */
export function nameOfRead(call: ts.CallExpression, names: Names): string | undefined {
  const [first, second] = call.arguments;
  if (callee.test(call.expression.getText())) return writtenText(first);
  const name = writtenText(second);
  if (name === undefined || !variableName.test(name)) return undefined;
  const { fileName } = call.getSourceFile();
  return names.isFramework(fileName, call.expression, { as: "variable" }) ? name : undefined;
}
