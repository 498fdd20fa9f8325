/** Names of exported functions: each is unique, and a verb tells callers whether to await. */
import ts from "npm:typescript@6.0.3";
import { parseSource } from "../syntax.ts";

/**
 * Names exported by several files, with their numbers. The list may only shrink: it has public
 * names of two entries, and a command beside the public function that it calls.
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

/** Whether a caller gets a promise or a stream; "maybe" if only some values are asynchronous. */
type Waits = "never" | "maybe" | "always";

/** Lists the functions that a source exports; overloads count as one. */
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

/** Counts the files per name, for names exported by more than one file. */
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
 * Finds exported functions whose verb does not match: `parseX` is pure and synchronous, `readX` is
 * asynchronous and reads a request or an external source.
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

// The linter requires an explicit return type, so the type's name is in the source.
function waitsOf({ modifiers, type }: ts.FunctionDeclaration | ts.ArrowFunction): Waits {
  if (modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword)) return "always";
  if (type === undefined || !ts.isUnionTypeNode(type)) return isAwaited(type) ? "always" : "never";
  return type.types.some(isAwaited) ? "maybe" : "never";
}

function isAwaited(type: ts.TypeNode | undefined): boolean {
  return type !== undefined && ts.isTypeReferenceNode(type) && ts.isIdentifier(type.typeName) &&
    /^(Promise|Async(Iterable|Iterator|IterableIterator|Generator))$/.test(type.typeName.text);
}
