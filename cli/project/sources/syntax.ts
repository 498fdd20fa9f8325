import ts from "npm:typescript@6.0.3";
import type { Place, Position } from "../../problem.ts";

export function functionIn(node: ts.Node | undefined): ts.FunctionLikeDeclaration | undefined {
  const value = initialValue(node) ?? node;
  const isFunction = value !== undefined &&
    (ts.isFunctionDeclaration(value) || ts.isArrowFunction(value) ||
      ts.isFunctionExpression(value) || ts.isMethodDeclaration(value));
  return isFunction ? value : undefined;
}

export function initialValue(node: ts.Node | undefined): ts.Expression | undefined {
  const written = node !== undefined && ts.isVariableDeclaration(node) && node.initializer;
  return written ? unwrap(written) : undefined;
}

/** Returns the expression inside parentheses, `as`, `satisfies`, `!` and `await`. */
export function unwrap(expression: ts.Expression): ts.Expression {
  let at = expression;
  while (
    ts.isParenthesizedExpression(at) || ts.isAsExpression(at) || ts.isSatisfiesExpression(at) ||
    ts.isNonNullExpression(at) || ts.isAwaitExpression(at)
  ) at = at.expression;
  return at;
}

/** Calls a function for a node and its descendants; `false` skips the descendants. */
export function walk(node: ts.Node, look: (node: ts.Node) => void | false): void {
  if (look(node) === false) return;
  ts.forEachChild(node, (child) => walk(child, look));
}

export function containsNode(node: ts.Node, test: (node: ts.Node) => boolean): boolean {
  return test(node) ||
    ts.forEachChild(node, (child) => containsNode(child, test) || undefined) === true;
}

export function endsFunction(node: ts.Node): boolean {
  return !ts.isFunctionLike(node) && (ts.isReturnStatement(node) ||
    ts.forEachChild(node, (child) => endsFunction(child) || undefined) === true);
}

export function writtenText(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** Returns a member's name if it is an identifier, a string or a number, also as `["name"]`. */
export function writtenName(name: ts.PropertyName | undefined): string | undefined {
  if (name !== undefined && ts.isComputedPropertyName(name)) return writtenText(name.expression);
  const isNamed = name !== undefined &&
    (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name));
  return isNamed ? name.text : undefined;
}

export function memberNamed(
  literal: ts.Node | undefined,
  name: string,
): ts.ObjectLiteralElementLike | undefined {
  return literal !== undefined && ts.isObjectLiteralExpression(literal)
    ? literal.properties.find((each) => writtenName(each.name) === name)
    : undefined;
}

export function memberValue(member: ts.Node | undefined): ts.Expression | undefined {
  if (member === undefined) return undefined;
  if (ts.isPropertyAssignment(member)) return member.initializer;
  return ts.isShorthandPropertyAssignment(member) ? member.name : undefined;
}

export function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  const { FirstAssignment, LastAssignment } = ts.SyntaxKind;
  return ts.isBinaryExpression(node) && node.operatorToken.kind >= FirstAssignment &&
    node.operatorToken.kind <= LastAssignment;
}

/** Returns the start of a node of the project, whose trees have relative paths as names. */
export function nodePlace(node: ts.Node): Place & Position {
  const source = node.getSourceFile();
  return { file: source.fileName, ...positionAt(source, node.getStart(source)) };
}

export function positionAt(source: ts.SourceFile, offset: number): Position {
  const { line, character } = source.getLineAndCharacterOfPosition(offset);
  return { line: line + 1, column: character + 1 };
}
