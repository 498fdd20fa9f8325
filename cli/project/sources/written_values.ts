/** Evaluates expressions from the syntax, without running code. */
import ts from "npm:typescript@6.0.3";
import type { Io } from "../../io.ts";
import type { Names } from "./names.ts";
import { unwrap } from "./syntax.ts";
import { nameOfRead } from "./calls.ts";

type Scalar = string | number | boolean | undefined;

export type KnownValue = Scalar | readonly Scalar[];

export type WrittenValue =
  | { readonly kind: "known"; readonly value: KnownValue; readonly variable?: string }
  | { readonly kind: "off" };

export interface ValueScope {
  readonly names: Names;
  readonly file: string;
  /** The environment variables; without them, their values are unknown. */
  readonly env?: Io["env"];
  /** The value of `config.maxBodyBytes`, if it is known. */
  readonly maxBodyBytes?: number | undefined;
}

const arithmetic = new Map<string, (left: number, right: number) => number>([
  ["*", (left, right) => left * right],
  ["+", (left, right) => left + right],
  ["-", (left, right) => left - right],
  ["/", (left, right) => left / right],
  ["Math.max", Math.max],
  ["Math.min", Math.min],
]);

/** Maximum number of possible values: a constant that names another one twice doubles them. */
const maxValues = 64;

interface Scope extends ValueScope {
  /** The values of constants, empty while one is read, so that a cycle has no value. */
  readonly seen: Map<ts.Node, readonly WrittenValue[]>;
}

/** Lists the possible values of an expression, for both branches; empty if one is unknown. */
export function writtenValues(written: ts.Expression, scope: ValueScope): readonly WrittenValue[] {
  return evaluate(written, { ...scope, seen: new Map() });
}

/** Returns the number that an expression has; `undefined` if it is unknown. */
export function writtenNumber(written: ts.Expression, scope: ValueScope): number | undefined {
  return numberIn(writtenValues(written, scope));
}

function evaluate(written: ts.Expression, scope: Scope): readonly WrittenValue[] {
  const expression = unwrap(written);
  const { TrueKeyword, FalseKeyword } = ts.SyntaxKind;
  if (ts.isStringLiteralLike(expression)) return known(expression.text);
  if (ts.isNumericLiteral(expression)) return known(Number(expression.text));
  if (expression.kind === TrueKeyword || expression.kind === FalseKeyword) {
    return known(expression.kind === TrueKeyword);
  }
  if (ts.isIdentifier(expression)) return ofName(expression.text, scope);
  if (ts.isPropertyAccessExpression(expression)) {
    const text = expression.getText().replaceAll(/\s+/g, "");
    const isLimit = /(?:^|\.)app\.config\.maxBodyBytes$/.test(text);
    return isLimit && scope.maxBodyBytes !== undefined ? known(scope.maxBodyBytes) : [];
  }
  if (ts.isConditionalExpression(expression)) {
    const { whenTrue, whenFalse } = expression;
    const branches = [whenTrue, whenFalse].map((branch) => evaluate(branch, scope));
    const isKnown = branches.every(({ length }) => length > 0);
    return isKnown && branches.flat().length <= maxValues ? branches.flat() : [];
  }
  if (ts.isArrayLiteralExpression(expression)) {
    const items = expression.elements.map((item) => evaluate(item, scope));
    const values = items.flatMap(([item, ...others]) =>
      item?.kind === "known" && others.length === 0 && !Array.isArray(item.value)
        ? [item.value as Scalar]
        : []
    );
    return values.length === items.length ? known(values) : [];
  }
  if (ts.isCallExpression(expression)) {
    const variable = variableIn(expression, scope);
    if (variable === undefined) {
      return calculate(expression.expression.getText(), expression.arguments, scope);
    }
    return [{ kind: "known", value: scope.env?.[variable] || undefined, variable }];
  }
  if (!ts.isBinaryExpression(expression)) return [];
  const { left, right, operatorToken } = expression;
  const operator = operatorToken.getText();
  if (operator !== "??" && operator !== "||") return calculate(operator, [left, right], scope);
  // `Deno.env.get("NAME") ?? "fallback"`
  const variable = variableIn(unwrap(left), scope);
  return variable === undefined ? [] : evaluate(scope.env?.[variable] ? left : right, scope);
}

function ofName(name: string, scope: Scope): readonly WrittenValue[] {
  const { names, seen } = scope;
  if (name === "undefined") return known(undefined);
  const origin = names.origin(scope.file, name);
  if (origin?.kind === "package" && /^(?:Off|NoTimeout)$/.test(origin.name)) {
    return [{ kind: "off" }];
  }
  if (origin?.kind !== "declaration") return [];
  const { file, node } = origin.declaration;
  // A variable that is not `const` may have other values.
  const isConst = (ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const) !== 0;
  if (!ts.isVariableDeclaration(node) || !isConst || node.initializer === undefined) return [];
  if (!seen.has(node)) {
    seen.set(node, []);
    seen.set(node, evaluate(node.initializer, { ...scope, file }));
  }
  return seen.get(node) ?? [];
}

function calculate(
  operator: string,
  operands: readonly ts.Expression[],
  scope: Scope,
): readonly WrittenValue[] {
  const apply = arithmetic.get(operator);
  if (apply === undefined || operands.length === 0) return [];
  const numbers = operands.flatMap((operand) => numberIn(evaluate(operand, scope)) ?? []);
  if (numbers.length < operands.length) return [];
  return known(numbers.reduce((left, right) => apply(left, right)));
}

function known(value: KnownValue): readonly WrittenValue[] {
  return [{ kind: "known", value }];
}

function numberIn([value, ...others]: readonly WrittenValue[]): number | undefined {
  const number = value?.kind === "known" && others.length === 0 ? value.value : undefined;
  return typeof number === "number" ? number : undefined;
}

function variableIn(expression: ts.Expression, { env, names }: Scope): string | undefined {
  if (env === undefined || !ts.isCallExpression(expression)) return undefined;
  const isTest = expression.expression.getText() === "Deno.env.has";
  return isTest ? undefined : nameOfRead(expression, names);
}
