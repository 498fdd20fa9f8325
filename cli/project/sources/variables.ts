import type ts from "npm:typescript@6.0.3";
import type { Position } from "../../problem.ts";
import { positionOf, type TypeScript } from "./module_names.ts";
import { frameworkEntry, importsOf } from "./imports.ts";
import type { Source, Sources } from "./sources.ts";

/** A call such as `Deno.env.get("NAME")`, or a name such as `"FW_MAIL_URL"` beside a read by another expression. */
export interface VariableRead extends Position {
  readonly file: string;
  readonly variable: string;
}

const wanted = /\bDeno\s*\.\s*env\s*\.\s*(?:get|has)\s*\(|\bvariable\b/;

/**
 * Finds `Deno.env.get`, `Deno.env.has` and `variable` of the library with a literal name. Where a file reads
 * one by another expression, such as the parameter of a helper, its literals and keys that start with `FW_`
 * count as read. Tests are not searched.
 */
export function findVariableReads(sources: Sources): VariableRead[] {
  return sources.list().flatMap((path) => {
    const source = sources.read(path);
    return source !== undefined && wanted.test(source.text) ? readsIn(sources.ts, source) : [];
  });
}

function readsIn(ts: TypeScript, { path: file, tree }: Source): VariableRead[] {
  const reads: VariableRead[] = [];
  const named: VariableRead[] = [];
  let hasUnknown = false;
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const variable = nameOfRead(ts, node);
      if (variable !== undefined) reads.push({ file, ...positionOf(tree, node), variable });
      else hasUnknown ||= isReadByExpression(ts, node);
    }
    const name = ownName(ts, node);
    if (name !== undefined) named.push({ file, ...positionOf(tree, node), variable: name });
    ts.forEachChild(node, visit);
  };
  visit(tree);
  if (!hasUnknown) return reads;
  const known = new Set(reads.map(({ variable }) => variable));
  return [...reads, ...named.filter(({ variable }) => !known.has(variable))];
}

const callee = /^Deno\s*\.\s*env\s*\.\s*(?:get|has)$/;
const variableName = /^[A-Z][A-Z0-9_]*$/;
const ownVariable = /^FW_[A-Z0-9_]+$/;

function ownName(ts: TypeScript, node: ts.Node): string | undefined {
  const isKey = ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent) &&
    node.parent.name === node;
  return (isKey || ts.isStringLiteralLike(node)) && ownVariable.test(node.text)
    ? node.text
    : undefined;
}

function isReadByExpression(ts: TypeScript, call: ts.CallExpression): boolean {
  const isOfDeno = callee.test(call.expression.getText());
  const name = call.arguments[isOfDeno ? 0 : 1];
  if (name === undefined || ts.isStringLiteralLike(name)) return false;
  return isOfDeno || isLibraryCall(ts, call);
}

/** Returns the name in `Deno.env.get("NAME")` and `variable(app, "NAME")` of the library. */
export function nameOfRead(ts: TypeScript, call: ts.CallExpression): string | undefined {
  if (callee.test(call.expression.getText())) {
    const [name] = call.arguments;
    return name !== undefined && ts.isStringLiteralLike(name) ? name.text : undefined;
  }
  const [, name] = call.arguments;
  if (name === undefined || !ts.isStringLiteralLike(name)) return undefined;
  return variableName.test(name.text) && isLibraryCall(ts, call) ? name.text : undefined;
}

/** Reports whether the called function is `variable` of the library, by the imports of its file. */
function isLibraryCall(ts: TypeScript, { expression }: ts.CallExpression): boolean {
  const imports = importsOf(ts, expression.getSourceFile())
    .filter(({ specifier }) => frameworkEntry(specifier) === "");
  if (ts.isIdentifier(expression)) {
    return imports.some(({ name, local }) => name === "variable" && local === expression.text);
  }
  return ts.isPropertyAccessExpression(expression) && expression.name.text === "variable" &&
    imports.some(({ name, local }) => name === "*" && local === expression.expression.getText());
}
