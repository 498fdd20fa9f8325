import ts from "npm:typescript@6.0.3";
import type { Position } from "../../problem.ts";
import { walkCalls } from "./calls.ts";
import { frameworkEntry, importsOf } from "./imports.ts";
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
  walkCalls(sources, wanted, (call) => {
    const variable = nameOfRead(call);
    if (variable !== undefined) reads.push({ ...nodePlace(call), variable });
  });
  return reads;
}

const callee = /^Deno\s*\.\s*env\s*\.\s*(?:get|has)$/;
const variableName = /^[A-Z][A-Z0-9_]*$/;

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
