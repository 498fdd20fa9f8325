/**
 * Finds the variables of the environment that the project's own sources read.
 *
 * @module
 */
import { join } from "@std/path";
import type ts from "typescript";
import type { TypeScript } from "./exports.ts";
import { listSources } from "./calls.ts";
import type { Position } from "../../problem.ts";

/** One `Deno.env.get("NAME")`. */
export interface VariableRead extends Position {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
  /** The variable's name. */
  readonly variable: string;
}

const wanted = /\bDeno\s*\.\s*env\s*\.\s*(?:get|has)\s*\(/;

/**
 * Finds `Deno.env.get` and `Deno.env.has` with a name that stands in the code. Tests, and what the
 * project did not write, are left out.
 *
 * @param root The project's folder, absolute.
 */
export async function findVariableReads(root: string): Promise<VariableRead[]> {
  const { default: ts } = await import("typescript");
  const reads: VariableRead[] = [];
  for await (const file of listSources(root)) {
    const text = await Deno.readTextFile(join(root, file));
    if (wanted.test(text)) reads.push(...readsIn(ts, { file, text }));
  }
  return reads;
}

function readsIn(
  ts: TypeScript,
  { file, text }: { readonly file: string; readonly text: string },
): VariableRead[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.ESNext);
  const reads: VariableRead[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && callee.test(node.expression.getText(source))) {
      const [first] = node.arguments;
      if (first !== undefined && ts.isStringLiteralLike(first)) {
        const { line, character } = source.getLineAndCharacterOfPosition(node.getStart(source));
        reads.push({ file, line: line + 1, column: character + 1, variable: first.text });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return reads;
}

const callee = /^Deno\s*\.\s*env\s*\.\s*(?:get|has)$/;
