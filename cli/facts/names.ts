import type ts from "npm:typescript@6.0.3";
import type { TypeScript } from "../project/sources/exports.ts";
import { unwrap } from "../project/sources/functions.ts";
import { type Imported, importsOf } from "../project/sources/imports.ts";
import { resolveSpecifier, type Sources } from "../project/sources/sources.ts";

/** A function, class or constant at the top level of a file, or a member of an object or a class. */
export interface Declaration {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
  readonly name: string;
  readonly node: ts.Node;
}

/** The names of a file at its top level. */
interface FileNames {
  readonly declared: Map<string, ts.Node>;
  readonly imported: ReadonlyMap<string, Imported>;
  /** The local name of each export that is declared in the file. */
  readonly exported: Map<string, string>;
  /** The origin of each name that the file exports from another one. */
  readonly passed: Map<string, Pick<Imported, "specifier" | "name">>;
  readonly stars: string[];
}

/**
 * Resolves the names of one project: what a file declares, imports and exports. Syntax alone decides, so
 * that no code runs. It keeps what it has read, so make a new one after a change.
 */
export class Names {
  readonly sources: Sources;
  readonly #aliases: readonly (readonly [prefix: string, folder: string])[];
  readonly #files = new Map<string, FileNames>();

  /** Creates a view of the sources; `imports` is the import map of `deno.json`. */
  constructor(sources: Sources, imports: unknown) {
    this.sources = sources;
    this.#aliases = Object.entries(Object(imports)).flatMap(([prefix, target]) => {
      const inside = typeof target === "string" ? /^\.\/(.*)$/.exec(target)?.[1] : undefined;
      return inside === undefined ? [] : [[prefix, inside] as const];
    });
  }

  /** Returns the names of a file; none if it cannot be read. */
  of(file: string): FileNames {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const source = /\.[mc]?[jt]sx?$/.test(file) ? this.sources.read(file) : undefined;
    const names = parseNames(this.sources.ts, source?.tree);
    this.#files.set(file, names);
    return names;
  }

  /** Returns the file of the project behind a specifier; `undefined` for a package. */
  fileOf(from: string, specifier: string): string | undefined {
    if (specifier.startsWith(".")) return resolveSpecifier(from, specifier);
    for (const [prefix, folder] of this.#aliases) {
      if (prefix.endsWith("/") ? specifier.startsWith(prefix) : specifier === prefix) {
        return folder + specifier.slice(prefix.length);
      }
    }
    return undefined;
  }

  /** Returns the declaration behind an exported name, re-exports followed. */
  find(file: string, name: string, seen: Set<string> = new Set()): Declaration | undefined {
    const key = `${file}\n${name}`;
    if (seen.has(key)) return undefined;
    seen.add(key);
    const { exported, passed, stars } = this.of(file);
    const local = exported.get(name);
    if (local !== undefined) return this.local(file, local);
    const origins = passed.get(name) ?? stars.map((specifier) => ({ specifier, name }));
    for (const origin of [origins].flat()) {
      const next = this.fileOf(file, origin.specifier);
      const found = next === undefined ? undefined : this.find(next, origin.name, seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** Returns the declaration behind a name that a file declares or imports. */
  local(file: string, name: string): Declaration | undefined {
    const { declared, imported } = this.of(file);
    const node = declared.get(name);
    if (node !== undefined) return { file, name, node };
    const origin = imported.get(name);
    const next = origin && this.fileOf(file, origin.specifier);
    return next === undefined ? undefined : this.find(next, origin?.name ?? name);
  }

  /** Returns the origin of a name that a file imports from a package. */
  packageName(file: string, name: string): Imported | undefined {
    const imported = this.of(file).imported.get(name);
    return imported !== undefined && this.fileOf(file, imported.specifier) === undefined
      ? imported
      : undefined;
  }

  /** Returns a member of an object literal, such as one of `Actions`. */
  member({ file, node }: Declaration, name: string): Declaration | undefined {
    const { ts } = this.sources;
    const literal = ts.isVariableDeclaration(node) && node.initializer !== undefined
      ? unwrap(ts, node.initializer)
      : undefined;
    if (literal === undefined || !ts.isObjectLiteralExpression(literal)) return undefined;
    const found = literal.properties.find(({ name: own }) =>
      own !== undefined && (ts.isIdentifier(own) || ts.isStringLiteralLike(own)) &&
      own.text === name
    );
    if (found === undefined) return undefined;
    if (ts.isShorthandPropertyAssignment(found)) return this.local(file, name);
    if (ts.isMethodDeclaration(found)) return { file, name, node: found };
    if (!ts.isPropertyAssignment(found)) return undefined;
    const value = unwrap(ts, found.initializer);
    const named = ts.isIdentifier(value) ? this.local(file, value.text) : undefined;
    return named ?? { file, name, node: value };
  }
}

function parseNames(parser: TypeScript, tree: ts.SourceFile | undefined): FileNames {
  const imports = tree === undefined ? [] : importsOf(parser, tree);
  const names: FileNames = {
    declared: new Map(),
    imported: new Map(imports.map((each) => [each.local, each])),
    exported: new Map(),
    passed: new Map(),
    stars: [],
  };
  for (const statement of tree?.statements ?? []) {
    if (parser.isExportDeclaration(statement)) {
      parseExport(parser, statement, names);
      continue;
    }
    const isExported = parser.canHaveModifiers(statement) &&
      (parser.getModifiers(statement) ?? [])
        .some(({ kind }) => kind === parser.SyntaxKind.ExportKeyword);
    const declare = (name: ts.BindingName | undefined, node: ts.Node): void => {
      if (name === undefined) return;
      if (parser.isIdentifier(name)) {
        names.declared.set(name.text, node);
        if (isExported) names.exported.set(name.text, name.text);
        return;
      }
      for (const element of name.elements) {
        if (parser.isBindingElement(element)) declare(element.name, element);
      }
    };
    if (parser.isFunctionDeclaration(statement) || parser.isClassDeclaration(statement)) {
      declare(statement.name, statement);
    } else if (parser.isVariableStatement(statement)) {
      for (const each of statement.declarationList.declarations) declare(each.name, each);
    } else if (
      parser.isInterfaceDeclaration(statement) || parser.isTypeAliasDeclaration(statement)
    ) {
      // A schema and its type share a name: the value counts.
      if (!names.declared.has(statement.name.text)) declare(statement.name, statement);
    }
  }
  return names;
}

function parseExport(
  parser: TypeScript,
  { moduleSpecifier, exportClause }: ts.ExportDeclaration,
  { exported, passed, stars }: FileNames,
): void {
  const specifier = moduleSpecifier !== undefined && parser.isStringLiteral(moduleSpecifier)
    ? moduleSpecifier.text
    : undefined;
  if (exportClause === undefined) {
    if (specifier !== undefined) stars.push(specifier);
    return;
  }
  if (!parser.isNamedExports(exportClause)) return;
  for (const { name, propertyName } of exportClause.elements) {
    const own = (propertyName ?? name).text;
    if (specifier === undefined) exported.set(name.text, own);
    else passed.set(name.text, { specifier, name: own });
  }
}
