import type ts from "npm:typescript@6.0.3";

export function functionIn(
  parser: typeof ts,
  node: ts.Node | undefined,
): ts.FunctionLikeDeclaration | undefined {
  const value = node !== undefined && parser.isVariableDeclaration(node) && node.initializer
    ? unwrap(parser, node.initializer)
    : node;
  const isFunction = value !== undefined &&
    (parser.isFunctionDeclaration(value) || parser.isArrowFunction(value) ||
      parser.isFunctionExpression(value) || parser.isMethodDeclaration(value));
  return isFunction ? value : undefined;
}

/** Returns the expression inside parentheses, `as`, `satisfies`, `!` and `await`. */
export function unwrap(parser: typeof ts, expression: ts.Expression): ts.Expression {
  let at = expression;
  while (
    parser.isParenthesizedExpression(at) || parser.isAsExpression(at) ||
    parser.isSatisfiesExpression(at) || parser.isNonNullExpression(at) ||
    parser.isAwaitExpression(at)
  ) at = at.expression;
  return at;
}
