/**
 * Looks through what stands around an expression.
 *
 * @module
 */
import type ts from "typescript";

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
