/** Evaluates what the code writes as numbers and texts; no code runs. */
import ts from "npm:typescript@6.0.3";
import { calculate } from "../project/settings/production.ts";
import { unwrap, writtenText } from "../project/sources/syntax.ts";
import type { Reach } from "./reach.ts";

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
  const expression = unwrap(written);
  if (ts.isNumericLiteral(expression)) return Number(expression.text.replaceAll("_", ""));
  if (ts.isBinaryExpression(expression)) {
    const [left, right] = [expression.left, expression.right].map((side) => evaluate(side, scope));
    if (left === undefined || right === undefined) return undefined;
    return calculate(expression.operatorToken.getText(), left, right);
  }
  if (ts.isCallExpression(expression)) {
    const [, name] = /^Math\.(max|min)$/.exec(expression.expression.getText()) ?? [];
    const values = expression.arguments.map((argument) => evaluate(argument, scope));
    const known = values.filter((value) => value !== undefined);
    if (name === undefined || known.length === 0 || known.length < values.length) return undefined;
    return name === "max" ? Math.max(...known) : Math.min(...known);
  }
  if (ts.isPropertyAccessExpression(expression)) {
    const text = expression.getText().replaceAll(/\s+/g, "");
    return /(?:^|\.)app\.config\.maxBodyBytes$/.test(text) ? scope.maxBodyBytes : undefined;
  }
  return ofConstant(expression, scope, evaluate);
}

/** Lists the texts that an expression may be, those of both branches of a condition; `undefined` for any other. */
export function writtenTexts(written: ts.Expression, scope: ValueScope): string[] | undefined {
  return listTexts(written, { ...scope, known: new Map() });
}

function listTexts(written: ts.Expression, scope: Scope<string[]>): string[] | undefined {
  const expression = unwrap(written);
  const text = writtenText(expression);
  if (text !== undefined) return [text];
  if (!ts.isConditionalExpression(expression)) return ofConstant(expression, scope, listTexts);
  const whenTrue = listTexts(expression.whenTrue, scope);
  const whenFalse = listTexts(expression.whenFalse, scope);
  return whenTrue && whenFalse && [...new Set([...whenTrue, ...whenFalse])];
}

function ofConstant<T>(
  expression: ts.Expression,
  scope: Scope<T>,
  evaluateWith: (written: ts.Expression, scope: Scope<T>) => T | undefined,
): T | undefined {
  const { reach, file, known } = scope;
  const found = ts.isIdentifier(expression) ? reach.local(file, expression.text) : undefined;
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
