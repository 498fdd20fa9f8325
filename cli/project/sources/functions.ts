import type ts from "npm:typescript@6.0.3";

/** A function, and the statement that may carry its comment. */
export interface DeclaredFunction {
  readonly code: ts.FunctionLikeDeclaration;
  readonly statement: ts.Statement;
}

/** Finds a function that a file declares at its top level, also as a constant. */
export function findFunction(
  parser: typeof ts,
  tree: ts.SourceFile,
  name: string,
): DeclaredFunction | undefined {
  for (const statement of tree.statements) {
    if (parser.isFunctionDeclaration(statement) && statement.name?.text === name) {
      return { code: statement, statement };
    }
    if (!parser.isVariableStatement(statement)) continue;
    for (const { name: own, initializer } of statement.declarationList.declarations) {
      if (!parser.isIdentifier(own) || own.text !== name || initializer === undefined) continue;
      const value = unwrap(parser, initializer);
      if (parser.isArrowFunction(value) || parser.isFunctionExpression(value)) {
        return { code: value, statement };
      }
    }
  }
  return undefined;
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
