/** What every reader of syntax trees asks of a node. */
import ts from "npm:typescript@6.0.3";
import type { Place, Position } from "../../problem.ts";

export function functionIn(node: ts.Node | undefined): ts.FunctionLikeDeclaration | undefined {
  const value = node !== undefined && ts.isVariableDeclaration(node) && node.initializer
    ? unwrap(node.initializer)
    : node;
  const isFunction = value !== undefined &&
    (ts.isFunctionDeclaration(value) || ts.isArrowFunction(value) ||
      ts.isFunctionExpression(value) || ts.isMethodDeclaration(value));
  return isFunction ? value : undefined;
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

/** Calls a function for a node and all below it; `false` leaves out what is below. */
export function walk(node: ts.Node, look: (node: ts.Node) => void | false): void {
  if (look(node) === false) return;
  ts.forEachChild(node, (child) => walk(child, look));
}

/** Reports whether a node, or one below it, meets a test. */
export function containsNode(node: ts.Node, test: (node: ts.Node) => boolean): boolean {
  return test(node) ||
    ts.forEachChild(node, (child) => containsNode(child, test) || undefined) === true;
}

/** Reports whether a node may end the function around it. */
export function endsFunction(node: ts.Node): boolean {
  return !ts.isFunctionLike(node) && (ts.isReturnStatement(node) ||
    ts.forEachChild(node, (child) => endsFunction(child) || undefined) === true);
}

/** Returns a text that is written as a literal. */
export function writtenText(node: ts.Node | undefined): string | undefined {
  return node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;
}

/** Returns the name that an identifier, a string or a number gives to a member. */
export function writtenName(name: ts.PropertyName | undefined): string | undefined {
  const isNamed = name !== undefined &&
    (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name));
  return isNamed ? name.text : undefined;
}

export function isAssignment(node: ts.Node): node is ts.BinaryExpression {
  const { FirstAssignment, LastAssignment } = ts.SyntaxKind;
  return ts.isBinaryExpression(node) && node.operatorToken.kind >= FirstAssignment &&
    node.operatorToken.kind <= LastAssignment;
}

/** Returns where a node of the project starts: its trees are named by their paths. */
export function nodePlace(node: ts.Node): Place & Position {
  const source = node.getSourceFile();
  return { file: source.fileName, ...positionAt(source, node.getStart(source)) };
}

export function positionAt(source: ts.SourceFile, offset: number): Position {
  const { line, character } = source.getLineAndCharacterOfPosition(offset);
  return { line: line + 1, column: character + 1 };
}
