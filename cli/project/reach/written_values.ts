/**
 * Evaluates what the code writes as the argument of a call, from its syntax alone.
 *
 * @module
 */
import type ts from "typescript";
import { calculate } from "../settings/value.ts";
import { unwrap } from "../sources/unwrap.ts";
import type { Reach } from "./reach.ts";

export interface ValueScope {
  readonly reach: Reach;
  /** The file of the expression. */
  readonly file: string;
  /** The value of `config.maxBodyBytes`, if it is known. */
  readonly maxBodyBytes?: number | undefined;
}

interface Scope extends ValueScope {
  readonly depth: number;
}

// Constants may refer to each other in a circle.
const maxDepth = 8;

/**
 * Evaluates a number: a literal, a constant, `config.maxBodyBytes`, and what `*`, `+`, `-`, `/`,
 * `Math.max` and `Math.min` make of such.
 *
 * @returns `undefined` for any other expression.
 */
export function numberOf(expression: ts.Expression, scope: ValueScope): number | undefined {
  return evaluate(expression, { ...scope, depth: 0 });
}

function evaluate(written: ts.Expression, scope: Scope): number | undefined {
  const { reach: { sources: { ts } }, depth } = scope;
  const expression = unwrap(ts, written);
  if (depth > maxDepth) return undefined;
  const inner = { ...scope, depth: depth + 1 };
  if (ts.isNumericLiteral(expression)) return Number(expression.text.replaceAll("_", ""));
  if (ts.isBinaryExpression(expression)) {
    const left = evaluate(expression.left, inner);
    const right = evaluate(expression.right, inner);
    if (left === undefined || right === undefined) return undefined;
    return calculate(ts, { operator: expression.operatorToken.kind, left, right });
  }
  if (ts.isCallExpression(expression)) return choose(expression, inner);
  if (ts.isPropertyAccessExpression(expression)) {
    const text = expression.getText().replaceAll(/\s+/g, "");
    return /(?:^|\.)app\.config\.maxBodyBytes$/.test(text) ? scope.maxBodyBytes : undefined;
  }
  const constant = constantOf(expression, inner);
  return constant && evaluate(constant.value, { ...inner, file: constant.file });
}

function choose(call: ts.CallExpression, scope: Scope): number | undefined {
  const [, name] = /^Math\.(max|min)$/.exec(call.expression.getText()) ?? [];
  if (name === undefined || call.arguments.length === 0) return undefined;
  const values = call.arguments.map((argument) => evaluate(argument, scope));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return undefined;
  return name === "max" ? Math.max(...known) : Math.min(...known);
}

/**
 * Lists the texts that an expression may be: a literal, a constant, or those of both branches of a
 * condition, which is not evaluated.
 *
 * @returns `undefined` for any other expression.
 */
export function writtenTexts(written: ts.Expression, scope: ValueScope): string[] | undefined {
  return listTexts(written, { ...scope, depth: 0 });
}

function listTexts(written: ts.Expression, scope: Scope): string[] | undefined {
  const { reach: { sources: { ts } }, depth } = scope;
  const expression = unwrap(ts, written);
  if (depth > maxDepth) return undefined;
  const inner = { ...scope, depth: depth + 1 };
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isConditionalExpression(expression)) {
    const whenTrue = listTexts(expression.whenTrue, inner);
    const whenFalse = listTexts(expression.whenFalse, inner);
    return whenTrue && whenFalse && [...whenTrue, ...whenFalse];
  }
  const constant = constantOf(expression, inner);
  return constant && listTexts(constant.value, { ...inner, file: constant.file });
}

/** Returns the value of a constant at the top level of a file, by its name. */
function constantOf(
  expression: ts.Expression,
  { reach, file }: Scope,
): { readonly file: string; readonly value: ts.Expression } | undefined {
  const { ts } = reach.sources;
  if (!ts.isIdentifier(expression)) return undefined;
  const found = reach.local(file, expression.text);
  if (found === undefined || !ts.isVariableDeclaration(found.node)) return undefined;
  // What is assigned again has other values too.
  if ((ts.getCombinedNodeFlags(found.node) & ts.NodeFlags.Const) === 0) return undefined;
  const { initializer } = found.node;
  return initializer && { file: found.file, value: initializer };
}
