/**
 * Finds functions by their names.
 *
 * @module
 */
import type ts from "typescript";
import type { TypeScript } from "./exports.ts";
import { unwrap } from "./unwrap.ts";

/** A function, and the statement that may carry its comment. */
export interface DeclaredFunction {
  readonly code: ts.FunctionLikeDeclaration;
  readonly statement: ts.Statement;
}

/** Finds a function that a file declares at its top level, also as a constant. */
export function findFunction(
  parser: TypeScript,
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
