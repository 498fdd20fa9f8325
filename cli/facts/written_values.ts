/** Evaluates what the code writes as numbers and texts; no code runs. */
import { calculate } from "../project/settings/production.ts";
import { unwrap } from "../project/sources/functions.ts";
import type { Reach } from "./reach.ts";
import type ts from "npm:typescript@6.0.3";

export interface ValueScope {
  readonly reach: Reach;
  readonly file: string;
  readonly maxBodyBytes?: number | undefined;
}

interface Scope<T> extends ValueScope {
  /** The values of constants: `undefined` at first, so a circle has none. */
  readonly known: Map<ts.Node, T | undefined>;
}

/** Evaluates literals, constants, `config.maxBodyBytes`, and arithmetic, `Math.max` and `Math.min` of such. */
export function numberOf(expression: ts.Expression, scope: ValueScope): number | undefined {
  return evaluate(expression, { ...scope, known: new Map() });
}

function evaluate(written: ts.Expression, scope: Scope<number>): number | undefined {
  const { ts } = scope.reach.sources;
  const expression = unwrap(ts, written);
  if (ts.isNumericLiteral(expression)) return Number(expression.text.replaceAll("_", ""));
  if (ts.isBinaryExpression(expression)) {
    const left = evaluate(expression.left, scope);
    const right = evaluate(expression.right, scope);
    if (left === undefined || right === undefined) return undefined;
    return calculate(expression.operatorToken.getText(), left, right);
  }
  if (ts.isCallExpression(expression)) return choose(expression, scope);
  if (ts.isPropertyAccessExpression(expression)) {
    const text = expression.getText().replaceAll(/\s+/g, "");
    return /(?:^|\.)app\.config\.maxBodyBytes$/.test(text) ? scope.maxBodyBytes : undefined;
  }
  return ofConstant(expression, scope, evaluate);
}

function choose(call: ts.CallExpression, scope: Scope<number>): number | undefined {
  const [, name] = /^Math\.(max|min)$/.exec(call.expression.getText()) ?? [];
  if (name === undefined || call.arguments.length === 0) return undefined;
  const values = call.arguments.map((argument) => evaluate(argument, scope));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return undefined;
  return name === "max" ? Math.max(...known) : Math.min(...known);
}

/** Lists the texts that an expression may be, those of both branches of a condition; `undefined` for any other. */
export function writtenTexts(written: ts.Expression, scope: ValueScope): string[] | undefined {
  return listTexts(written, { ...scope, known: new Map() });
}

function listTexts(written: ts.Expression, scope: Scope<string[]>): string[] | undefined {
  const { ts } = scope.reach.sources;
  const expression = unwrap(ts, written);
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isConditionalExpression(expression)) {
    const whenTrue = listTexts(expression.whenTrue, scope);
    const whenFalse = listTexts(expression.whenFalse, scope);
    return whenTrue && whenFalse && [...new Set([...whenTrue, ...whenFalse])];
  }
  return ofConstant(expression, scope, listTexts);
}

function ofConstant<T>(
  expression: ts.Expression,
  scope: Scope<T>,
  evaluateWith: (written: ts.Expression, scope: Scope<T>) => T | undefined,
): T | undefined {
  const { reach, file, known } = scope;
  const { ts } = reach.sources;
  if (!ts.isIdentifier(expression)) return undefined;
  const found = reach.local(file, expression.text);
  if (found === undefined || !ts.isVariableDeclaration(found.node)) return undefined;
  const { node } = found;
  // What is assigned again has other values too.
  if ((ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const) === 0) return undefined;
  if (known.has(node)) return known.get(node);
  known.set(node, undefined);
  const value = node.initializer && evaluateWith(node.initializer, { ...scope, file: found.file });
  known.set(node, value);
  return value;
}
