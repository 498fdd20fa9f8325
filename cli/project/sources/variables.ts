/**
 * Finds the environment variables that the project's sources read.
 *
 * @module
 */
import type ts from "typescript";
import type { Position } from "../../problem.ts";
import { positionOf, type TypeScript } from "./exports.ts";
import type { Source, Sources } from "./sources.ts";

/** A call such as `Deno.env.get("NAME")` or `variable(app, "NAME")`. */
export interface VariableRead extends Position {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
  readonly variable: string;
}

const wanted = /\bDeno\s*\.\s*env\s*\.\s*(?:get|has)\s*\(|\bvariable\s*\(/;

/**
 * Finds `Deno.env.get`, `Deno.env.has` and `variable` of the library with a literal name. Tests are not searched.
 *
 * @param sources The project's sources.
 */
export function findVariableReads(sources: Sources): VariableRead[] {
  return sources.list().flatMap((path) => {
    const source = sources.read(path);
    return source !== undefined && wanted.test(source.text) ? readsIn(sources.ts, source) : [];
  });
}

function readsIn(ts: TypeScript, { path: file, tree }: Source): VariableRead[] {
  const reads: VariableRead[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const variable = nameOfRead(ts, node);
      if (variable !== undefined) reads.push({ file, ...positionOf(tree, node), variable });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return reads;
}

const callee = /^Deno\s*\.\s*env\s*\.\s*(?:get|has)$/;
const variableName = /^[A-Z][A-Z0-9_]*$/;

/** Returns the name in `Deno.env.get("NAME")` and `variable(app, "NAME")`. */
export function nameOfRead(ts: TypeScript, call: ts.CallExpression): string | undefined {
  const [first, second] = call.arguments;
  const called = call.expression.getText();
  const name = callee.test(called) ? first : called === "variable" ? second : undefined;
  if (name === undefined || !ts.isStringLiteralLike(name)) return undefined;
  // A function of the project may be called `variable` as well.
  return called !== "variable" || variableName.test(name.text) ? name.text : undefined;
}
