import type ts from "npm:typescript@6.0.3";
import type { Position } from "../../problem.ts";
import { walkCalls } from "./calls.ts";
import { Names } from "./names.ts";
import type { Sources } from "./sources.ts";
import { nodePlace, writtenText } from "./syntax.ts";

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
