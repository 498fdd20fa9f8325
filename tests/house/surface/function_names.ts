/** Names of exported functions: no two share one, and a verb tells a caller whether to wait. */
import ts from "npm:typescript@6.0.3";
import { parseSource } from "../syntax.ts";

/**
 * Names that several files export, each with how many do. The list may only shrink: it holds public names
 * of two entries, and a command beside the public function that it calls.
 */
export const sharedNames: Readonly<Record<string, number>> = {
  migrate: 2,
  text: 2,
  toolResult: 2,
  values: 2,
};

/** Synchronous functions named `readX`, each with the reason. The list may only shrink. */
export const synchronousReads: Readonly<Record<string, string>> = {
  readFormFields: "public",
  readFrame: "public",
  readTarget: "reads a request without waiting",
  readTextSync: "says so",
  readVariable: "public",
};

/** Whether a caller gets a promise or a stream; "maybe" where only some values make it wait. */
type Waits = "never" | "maybe" | "always";

/** Lists the functions that a source exports; overloads are one function. */
export function exportedFunctions(source: string, path: string): ReadonlyMap<string, Waits> {
  const functions = new Map<string, Waits>();
  for (const statement of parseSource(source, path).statements.filter(isExported)) {
    if (ts.isFunctionDeclaration(statement)) {
      functions.set(statement.name?.text ?? "", waitsOf(statement));
    } else if (ts.isVariableStatement(statement)) {
      for (const { name, initializer } of statement.declarationList.declarations) {
        if (ts.isIdentifier(name) && initializer !== undefined && ts.isArrowFunction(initializer)) {
          functions.set(name.text, waitsOf(initializer));
        }
      }
    }
  }
  return functions;
}

/** Counts the files by name, for names that more than one file exports. */
export function countShared(sources: ReadonlyMap<string, string>): Record<string, number> {
  const counts = new Map<string, number>();
  for (const [path, source] of sources) {
    for (const name of exportedFunctions(source, path).keys()) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return Object.fromEntries([...counts].filter(([, count]) => count > 1).sort());
}

/**
 * Finds the exported functions whose verb promises something else than the function does: `parseX` is pure
 * and synchronous, `readX` is asynchronous and reads a request or a source outside.
 */
export function findWrongVerbs(source: string, path: string): string[] {
  return [...exportedFunctions(source, path)].filter(([name, waits]) =>
    /^parse([A-Z]|$)/.test(name)
      ? waits === "always"
      : /^read([A-Z]|$)/.test(name) && waits === "never"
  ).map(([name]) => name);
}

function isExported(node: ts.Statement): boolean {
  return ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
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
