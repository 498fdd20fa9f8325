import type ts from "npm:typescript@6.0.3";
import type { TypeScript } from "../sources/module_names.ts";
import { nameOfRead } from "../sources/variables.ts";
import { unwrap } from "../sources/functions.ts";

/** The value of an expression, as far as the syntax tells. */
export type StaticValue =
  | { readonly kind: "literal"; readonly value: string | number | boolean | undefined }
  /** The library's constants `Off` and `NoTimeout`. */
  | { readonly kind: "off" }
  | { readonly kind: "list"; readonly items: readonly StaticValue[] }
  | { readonly kind: "group"; readonly members: ReadonlyMap<string, StaticValue> }
  /** An environment variable; `otherwise` replaces it if it is missing or empty. */
  | { readonly kind: "variable"; readonly name: string; readonly otherwise: StaticValue }
  /** Known only at run time. */
  | { readonly kind: "unknown" };

/** The names of a file. */
export interface Scope {
  readonly ts: TypeScript;
  readonly constants: ReadonlyMap<string, ts.Expression>;
  /** The imported names, with their original names. */
  readonly imported: ReadonlyMap<string, string>;
}

export const absent: StaticValue = { kind: "literal", value: undefined };

export const unknown: StaticValue = { kind: "unknown" };

export function staticValueOf(scope: Scope, written: ts.Expression): StaticValue {
  const { ts } = scope;
  const expression = unwrap(ts, written);
  if (ts.isStringLiteralLike(expression)) return { kind: "literal", value: expression.text };
  if (ts.isNumericLiteral(expression)) return { kind: "literal", value: Number(expression.text) };
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return { kind: "literal", value: true };
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return { kind: "literal", value: false };
  if (ts.isIdentifier(expression)) return readName(scope, expression.text);
  if (ts.isArrayLiteralExpression(expression)) {
    return { kind: "list", items: expression.elements.map((item) => staticValueOf(scope, item)) };
  }
  if (ts.isObjectLiteralExpression(expression)) return readGroup(scope, expression);
  if (ts.isBinaryExpression(expression)) {
    return isFallback(ts, expression)
      ? readFallback(scope, expression)
      : readNumber(scope, expression);
  }
  const variable = variableOf(ts, expression);
  return variable === undefined ? unknown : { kind: "variable", name: variable, otherwise: absent };
}

function readName(scope: Scope, name: string): StaticValue {
  if (name === "undefined") return absent;
  const original = scope.imported.get(name);
  if (original === "Off" || original === "NoTimeout") return { kind: "off" };
  const constant = scope.constants.get(name);
  if (constant === undefined) return unknown;
  // Only one step, because constants may refer to each other in a circle.
  return staticValueOf({ ...scope, constants: new Map() }, constant);
}

function readGroup(scope: Scope, literal: ts.ObjectLiteralExpression): StaticValue {
  const { ts } = scope;
  const members = new Map<string, StaticValue>();
  for (const property of literal.properties) {
    // Spread or computed members may be anything.
    if (property.name === undefined || ts.isComputedPropertyName(property.name)) return unknown;
    const value = ts.isPropertyAssignment(property)
      ? staticValueOf(scope, property.initializer)
      : ts.isShorthandPropertyAssignment(property)
      ? readName(scope, property.name.text)
      : unknown;
    members.set(property.name.text, value);
  }
  return { kind: "group", members };
}

/** Evaluates what an operator makes of two numbers, such as `10 * 1024`. */
function readNumber(scope: Scope, expression: ts.BinaryExpression): StaticValue {
  const [left, right] = [expression.left, expression.right].map((side) =>
    staticValueOf(scope, side)
  );
  if (left?.kind !== "literal" || right?.kind !== "literal") return unknown;
  if (typeof left.value !== "number" || typeof right.value !== "number") return unknown;
  const value = calculate(scope.ts, {
    operator: expression.operatorToken.kind,
    left: left.value,
    right: right.value,
  });
  return value === undefined ? unknown : { kind: "literal", value };
}

/** Returns what `*`, `+`, `-` and `/` make of two numbers; `undefined` for any other operator. */
export function calculate(
  { SyntaxKind }: TypeScript,
  { operator, left, right }: {
    readonly operator: ts.SyntaxKind;
    readonly left: number;
    readonly right: number;
  },
): number | undefined {
  switch (operator) {
    case SyntaxKind.AsteriskToken:
      return left * right;
    case SyntaxKind.PlusToken:
      return left + right;
    case SyntaxKind.MinusToken:
      return left - right;
    case SyntaxKind.SlashToken:
      return left / right;
    default:
      return undefined;
  }
}

function isFallback({ SyntaxKind }: TypeScript, expression: ts.BinaryExpression): boolean {
  const { kind } = expression.operatorToken;
  return kind === SyntaxKind.QuestionQuestionToken || kind === SyntaxKind.BarBarToken;
}

/** Evaluates `Deno.env.get("NAME") ?? "fallback"`. */
function readFallback(scope: Scope, expression: ts.BinaryExpression): StaticValue {
  const left = staticValueOf(scope, expression.left);
  if (left.kind !== "variable" || left.otherwise !== absent) return unknown;
  return { ...left, otherwise: staticValueOf(scope, expression.right) };
}

/** Returns the name in `Deno.env.get("NAME")` and `variable(config, "NAME")`. */
function variableOf(ts: TypeScript, expression: ts.Expression): string | undefined {
  if (!ts.isCallExpression(expression)) return undefined;
  return expression.expression.getText() === "Deno.env.has"
    ? undefined
    : nameOfRead(ts, expression);
}
