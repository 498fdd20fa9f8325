import ts from "npm:typescript@6.0.3";
import type { Position } from "../../problem.ts";
import { frameworkEntry, importsOf } from "./imports.ts";
import type { Source, Sources } from "./sources.ts";
import { nodePlace, walk, writtenText } from "./syntax.ts";

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
    return source !== undefined && wanted.test(source.text) ? readsIn(source) : [];
  });
}

function readsIn({ tree }: Source): VariableRead[] {
  const reads: VariableRead[] = [];
  const named: VariableRead[] = [];
  let hasUnknown = false;
  walk(tree, (node) => {
    if (ts.isCallExpression(node)) {
      const variable = nameOfRead(node);
      if (variable !== undefined) reads.push({ ...nodePlace(node), variable });
      else hasUnknown ||= isReadByExpression(node);
    }
    const isKey = ts.isIdentifier(node) && ts.isPropertyAssignment(node.parent) &&
      node.parent.name === node;
    const name = isKey ? node.text : writtenText(node);
    if (/^FW_[A-Z0-9_]+$/.test(name ?? "")) {
      named.push({ ...nodePlace(node), variable: name ?? "" });
    }
  });
  if (!hasUnknown) return reads;
  const known = new Set(reads.map(({ variable }) => variable));
  return [...reads, ...named.filter(({ variable }) => !known.has(variable))];
}

const callee = /^Deno\s*\.\s*env\s*\.\s*(?:get|has)$/;
const variableName = /^[A-Z][A-Z0-9_]*$/;

function isReadByExpression(call: ts.CallExpression): boolean {
  const isOfDeno = callee.test(call.expression.getText());
  const name = call.arguments[isOfDeno ? 0 : 1];
  if (name === undefined || writtenText(name) !== undefined) return false;
  return isOfDeno || isLibraryCall(call);
}

/** Returns the name in `Deno.env.get("NAME")` and `variable(app, "NAME")` of the library. */
export function nameOfRead(call: ts.CallExpression): string | undefined {
  const [first, second] = call.arguments;
  if (callee.test(call.expression.getText())) return writtenText(first);
  const name = writtenText(second);
  return name !== undefined && variableName.test(name) && isLibraryCall(call) ? name : undefined;
}

/** Reports whether the called function is `variable` of the library, by the imports of its file. */
function isLibraryCall({ expression }: ts.CallExpression): boolean {
  const imports = importsOf(expression.getSourceFile())
    .filter(({ specifier }) => frameworkEntry(specifier) === "");
  if (ts.isIdentifier(expression)) {
    return imports.some(({ name, local }) => name === "variable" && local === expression.text);
  }
  return ts.isPropertyAccessExpression(expression) && expression.name.text === "variable" &&
    imports.some(({ name, local }) => name === "*" && local === expression.expression.getText());
}
