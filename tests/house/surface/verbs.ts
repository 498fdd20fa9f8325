/**
 * Verbs that tell a caller whether to wait: `parseX` is pure and synchronous, `readX` is asynchronous
 * and reads a request or a source outside.
 */
import ts from "npm:typescript@6.0.3";
import { isExported } from "./function_names.ts";
import { parseSource } from "../syntax.ts";

/** Synchronous functions named `readX`, each with the reason. The list may only shrink. */
export const synchronousReads: Readonly<Record<string, string>> = {
  readFormFields: "public",
  readFrame: "public",
  readTarget: "reads a request without waiting",
  readTextSync: "says so",
  readVariable: "public",
};

/** Finds the exported functions whose verb promises something else than the function does. */
export function findWrongVerbs(source: string, path: string): string[] {
  const functions = parseSource(source, path).statements.filter(isExported).flatMap(functionsOf);
  const wrong = functions.filter(({ name, waits }) =>
    /^parse([A-Z]|$)/.test(name)
      ? waits === "always"
      : /^read([A-Z]|$)/.test(name) && waits === "never"
  );
  // Overloads are one function.
  return [...new Set(wrong.map(({ name }) => name))];
}

/** Whether a caller gets a promise or a stream; "maybe" where only some values make it wait. */
type Waits = "never" | "maybe" | "always";

interface NamedFunction {
  readonly name: string;
  readonly waits: Waits;
}

function functionsOf(statement: ts.Statement): NamedFunction[] {
  if (ts.isFunctionDeclaration(statement)) {
    return statement.name ? [{ name: statement.name.text, waits: waitsOf(statement) }] : [];
  }
  if (!ts.isVariableStatement(statement)) return [];
  return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
    ts.isIdentifier(name) && initializer !== undefined && ts.isArrowFunction(initializer)
      ? [{ name: name.text, waits: waitsOf(initializer) }]
      : []
  );
}

// The lint demands a written return type, so its name is there to read.
function waitsOf({ modifiers, type }: ts.FunctionDeclaration | ts.ArrowFunction): Waits {
  if (modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)) return "always";
  if (type === undefined || !ts.isUnionTypeNode(type)) return isAwaited(type) ? "always" : "never";
  return type.types.some(isAwaited) ? "maybe" : "never";
}

function isAwaited(type: ts.TypeNode | undefined): boolean {
  return type !== undefined && ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) &&
    /^(Promise|Async(Iterable|Iterator|IterableIterator|Generator))$/.test(type.typeName.text);
}
