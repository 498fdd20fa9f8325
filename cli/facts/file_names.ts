import type ts from "npm:typescript@6.0.3";
import type { TypeScript } from "../project/sources/exports.ts";

/** An imported name: `imported` is `*` for a namespace. */
export interface ImportedName {
  readonly specifier: string;
  readonly imported: string;
}

/** The names of a file at its top level. */
export interface FileNames {
  readonly declared: ReadonlyMap<string, ts.Node>;
  readonly imported: ReadonlyMap<string, ImportedName>;
  /** The local name of each export that is declared in the file. */
  readonly exported: ReadonlyMap<string, string>;
  /** The origin of each name that the file exports from another one. */
  readonly passed: ReadonlyMap<string, ImportedName>;
  readonly stars: readonly string[];
}

/** The names of a file that cannot be read. */
export const noNames: FileNames = {
  declared: new Map(),
  imported: new Map(),
  exported: new Map(),
  passed: new Map(),
  stars: [],
};

/** Parses the names of a file. */
export function parseNames(parser: TypeScript, tree: ts.SourceFile): FileNames {
  const declared = new Map<string, ts.Node>();
  const imported = new Map<string, ImportedName>();
  const exported = new Map<string, string>();
  const passed = new Map<string, ImportedName>();
  const stars: string[] = [];
  const declare = (name: ts.BindingName, node: ts.Node, isExported: boolean): void => {
    if (parser.isIdentifier(name)) {
      declared.set(name.text, node);
      if (isExported) exported.set(name.text, name.text);
      return;
    }
    for (const element of name.elements) {
      if (parser.isBindingElement(element)) declare(element.name, element, isExported);
    }
  };
  for (const statement of tree.statements) {
    const isExported = parser.canHaveModifiers(statement) &&
      (parser.getModifiers(statement) ?? [])
        .some(({ kind }) => kind === parser.SyntaxKind.ExportKeyword);
    if (parser.isFunctionDeclaration(statement) || parser.isClassDeclaration(statement)) {
      if (statement.name !== undefined) declare(statement.name, statement, isExported);
    } else if (parser.isVariableStatement(statement)) {
      for (const each of statement.declarationList.declarations) {
        declare(each.name, each, isExported);
      }
    } else if (
      parser.isInterfaceDeclaration(statement) || parser.isTypeAliasDeclaration(statement)
    ) {
      // A schema and its type share a name: the value counts.
      if (!declared.has(statement.name.text)) declare(statement.name, statement, isExported);
    } else if (parser.isImportDeclaration(statement)) {
      parseImport(parser, statement, imported);
    } else if (parser.isExportDeclaration(statement)) {
      parseExport(parser, statement, { exported, passed, stars });
    }
  }
  return { declared, imported, exported, passed, stars };
}

function parseImport(
  parser: TypeScript,
  statement: ts.ImportDeclaration,
  imported: Map<string, ImportedName>,
): void {
  if (!parser.isStringLiteral(statement.moduleSpecifier)) return;
  const specifier = statement.moduleSpecifier.text;
  const clause = statement.importClause;
  if (clause?.name !== undefined) {
    imported.set(clause.name.text, { specifier, imported: "default" });
  }
  const bindings = clause?.namedBindings;
  if (bindings === undefined) return;
  if (parser.isNamespaceImport(bindings)) {
    imported.set(bindings.name.text, { specifier, imported: "*" });
    return;
  }
  for (const { name, propertyName } of bindings.elements) {
    imported.set(name.text, { specifier, imported: (propertyName ?? name).text });
  }
}

function parseExport(
  parser: TypeScript,
  statement: ts.ExportDeclaration,
  into: {
    readonly exported: Map<string, string>;
    readonly passed: Map<string, ImportedName>;
    readonly stars: string[];
  },
): void {
  const { moduleSpecifier, exportClause } = statement;
  const specifier = moduleSpecifier !== undefined && parser.isStringLiteral(moduleSpecifier)
    ? moduleSpecifier.text
    : undefined;
  if (exportClause === undefined) {
    if (specifier !== undefined) into.stars.push(specifier);
    return;
  }
  if (!parser.isNamedExports(exportClause)) return;
  for (const { name, propertyName } of exportClause.elements) {
    const own = (propertyName ?? name).text;
    if (specifier === undefined) into.exported.set(name.text, own);
    else into.passed.set(name.text, { specifier, imported: own });
  }
}
