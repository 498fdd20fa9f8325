/** Exported functions that share a name: a reader who searches for one must find one. */
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

/** Lists the names of the functions that a source exports. */
export function exportedFunctions(source: string, path: string): string[] {
  const file = parseSource(source, path);
  const names = file.statements.filter(isExported).flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement)) return statement.name?.text ?? [];
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer !== undefined && ts.isArrowFunction(initializer)
        ? name.text
        : []
    );
  });
  // Overloads are one function.
  return [...new Set(names)];
}

/** Counts the files by name, for names that more than one file exports. */
export function countShared(sources: ReadonlyMap<string, string>): Record<string, number> {
  const counts = new Map<string, number>();
  for (const [path, source] of sources) {
    for (const name of exportedFunctions(source, path)) {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return Object.fromEntries([...counts].filter(([, count]) => count > 1).sort());
}

/** Whether a statement has the keyword `export`. */
export function isExported(node: ts.Statement): boolean {
  return ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
}
