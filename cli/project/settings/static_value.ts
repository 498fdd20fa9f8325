/**
 * Reads the value of an expression by its syntax alone: no code runs, no type is resolved.
 *
 * @module
 */
import type ts from "typescript";
import type { TypeScript } from "../sources/exports.ts";

/** What an expression stands for, as far as its syntax tells. */
export type StaticValue =
  | { readonly kind: "literal"; readonly value: string | number | boolean | undefined }
  /** The library's constants `Off` and `NoTimeout`. */
  | { readonly kind: "off" }
  | { readonly kind: "list"; readonly items: readonly StaticValue[] }
  | { readonly kind: "group"; readonly members: ReadonlyMap<string, StaticValue> }
  /** An environment variable; `otherwise` is what stands in for it where it is missing or empty. */
  | { readonly kind: "variable"; readonly name: string; readonly otherwise: StaticValue }
  /** Something that only a run can tell. */
  | { readonly kind: "unknown" };

/** What names stand for at a place of a file. */
export interface Scope {
  /** The parser. */
  readonly ts: TypeScript;
  /** The constants that can be seen, by name, with the expressions that they are set to. */
  readonly constants: ReadonlyMap<string, ts.Expression>;
  /** Names that are imported from the library, with what they are there. */
  readonly imported: ReadonlyMap<string, string>;
  /** Whether a comparison of `config.env` is true in production; `undefined` where it is none. */
  readonly inProduction: (condition: ts.Expression) => boolean | undefined;
}

/** A value that is not set. */
export const absent: StaticValue = { kind: "literal", value: undefined };

/** A value that only a run can tell. */
export const unknown: StaticValue = { kind: "unknown" };

// A constant may be set to another one; a circle must end.
const maxDepth = 16;

/**
 * Reads the value of an expression.
 *
 * @param scope What names stand for.
 * @param expression The expression.
 */
export function readValue(scope: Scope, expression: ts.Expression): StaticValue {
  return read(scope, expression, { depth: 0 });
}

interface At {
  readonly depth: number;
}

function read(scope: Scope, expression: ts.Expression, { depth }: At): StaticValue {
  const { ts } = scope;
  if (depth > maxDepth) return unknown;
  const at = { depth: depth + 1 };
  const inner = (each: ts.Expression): StaticValue => read(scope, each, at);
  if (isWrapper(ts, expression)) return inner(expression.expression);
  if (ts.isStringLiteralLike(expression)) return { kind: "literal", value: expression.text };
  if (ts.isNumericLiteral(expression)) return { kind: "literal", value: Number(expression.text) };
  if (expression.kind === ts.SyntaxKind.TrueKeyword) return { kind: "literal", value: true };
  if (expression.kind === ts.SyntaxKind.FalseKeyword) return { kind: "literal", value: false };
  if (ts.isIdentifier(expression)) return readName(scope, expression.text, at);
  if (ts.isArrayLiteralExpression(expression)) {
    return { kind: "list", items: expression.elements.map(inner) };
  }
  if (ts.isObjectLiteralExpression(expression)) return readGroup(scope, expression, at);
  if (ts.isConditionalExpression(expression)) {
    const isTrue = scope.inProduction(expression.condition);
    if (isTrue === undefined) return unknown;
    return inner(isTrue ? expression.whenTrue : expression.whenFalse);
  }
  if (ts.isBinaryExpression(expression)) return readBinary(scope, expression, at);
  const variable = variableOf(ts, expression);
  return variable === undefined ? unknown : { kind: "variable", name: variable, otherwise: absent };
}

type Wrapper =
  | ts.ParenthesizedExpression
  | ts.AsExpression
  | ts.SatisfiesExpression
  | ts.NonNullExpression
  | ts.AwaitExpression;

/** What stands around an expression without changing its value. */
function isWrapper(ts: TypeScript, node: ts.Expression): node is Wrapper {
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) || ts.isNonNullExpression(node) || ts.isAwaitExpression(node);
}

function readName(scope: Scope, name: string, at: At): StaticValue {
  if (name === "undefined") return absent;
  const original = scope.imported.get(name);
  if (original === "Off" || original === "NoTimeout") return { kind: "off" };
  const constant = scope.constants.get(name);
  return constant === undefined ? unknown : read(scope, constant, at);
}

function readGroup(scope: Scope, literal: ts.ObjectLiteralExpression, at: At): StaticValue {
  const { ts } = scope;
  const members = new Map<string, StaticValue>();
  for (const property of literal.properties) {
    if (ts.isShorthandPropertyAssignment(property)) {
      members.set(property.name.text, readName(scope, property.name.text, at));
    } else if (ts.isPropertyAssignment(property) && isPlainName(ts, property.name)) {
      members.set(property.name.text, read(scope, property.initializer, at));
    } else if (ts.isMethodDeclaration(property) && isPlainName(ts, property.name)) {
      members.set(property.name.text, unknown);
    } else {
      // What is spread in, or named by code, may hold anything.
      return unknown;
    }
  }
  return { kind: "group", members };
}

function isPlainName(
  ts: TypeScript,
  name: ts.PropertyName,
): name is ts.Identifier | ts.StringLiteral {
  return ts.isIdentifier(name) || ts.isStringLiteral(name);
}

function readBinary(scope: Scope, expression: ts.BinaryExpression, at: At): StaticValue {
  const { SyntaxKind } = scope.ts;
  const { kind } = expression.operatorToken;
  if (kind !== SyntaxKind.QuestionQuestionToken && kind !== SyntaxKind.BarBarToken) return unknown;
  const left = read(scope, expression.left, at);
  if (left.kind === "variable") {
    return left.otherwise === absent
      ? { ...left, otherwise: read(scope, expression.right, at) }
      : unknown;
  }
  if (left.kind !== "literal") return left;
  const isLeft = kind === SyntaxKind.BarBarToken ? Boolean(left.value) : left.value !== undefined;
  return isLeft ? left : read(scope, expression.right, at);
}

/** The name in `Deno.env.get("NAME")` and in `process.env.NAME`. */
function variableOf(ts: TypeScript, expression: ts.Expression): string | undefined {
  if (ts.isCallExpression(expression)) {
    const [name, ...others] = expression.arguments;
    if (expression.expression.getText() !== "Deno.env.get" || others.length > 0) return undefined;
    return name !== undefined && ts.isStringLiteralLike(name) ? name.text : undefined;
  }
  if (!ts.isPropertyAccessExpression(expression)) return undefined;
  return expression.expression.getText() === "process.env" ? expression.name.text : undefined;
}
