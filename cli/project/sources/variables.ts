/**
 * Finds the environment variables that the project's sources read.
 *
 * @module
 */
import type ts from "typescript";
import type { Position } from "../../problem.ts";
import { positionOf, type TypeScript } from "./exports.ts";
import type { Source, Sources } from "./sources.ts";

/** A call such as `Deno.env.get("NAME")`. */
export interface VariableRead extends Position {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
  readonly variable: string;
}

const wanted = /\bDeno\s*\.\s*env\s*\.\s*(?:get|has)\s*\(/;

/**
 * Finds `Deno.env.get` and `Deno.env.has` with a literal name. Tests are not searched.
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
    if (ts.isCallExpression(node) && callee.test(node.expression.getText(tree))) {
      const [first] = node.arguments;
      if (first !== undefined && ts.isStringLiteralLike(first)) {
        reads.push({ file, ...positionOf(tree, node), variable: first.text });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return reads;
}

const callee = /^Deno\s*\.\s*env\s*\.\s*(?:get|has)$/;
