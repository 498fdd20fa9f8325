/**
 * Names the schemas and types of a source file as the generated file can: by the module that exports
 * them.
 *
 * @module
 */
import type ts from "typescript";
import { importsOf } from "../project/sources/imports.ts";
import { resolveSpecifier, type Source, type Sources } from "../project/sources/sources.ts";

/** The names of one file. */
export class ExportedNames {
  readonly #sources: Sources;
  readonly #source: Source;

  constructor(sources: Sources, source: Source) {
    this.#sources = sources;
    this.#source = source;
  }

  /** Returns the type of a schema, if the generated file can name it. */
  schema(argument: ts.Expression | undefined): string | undefined {
    const { ts } = this.#sources;
    if (argument === undefined) return undefined;
    const members: string[] = [];
    let at = argument;
    while (ts.isPropertyAccessExpression(at)) {
      members.unshift(at.name.text);
      at = at.expression;
    }
    if (!ts.isIdentifier(at)) return undefined;
    const place = this.#valueNamed(at.text);
    if (place === undefined) return undefined;
    const path = [...(place.name === "*" ? [] : [place.name]), ...members];
    return path.length === 0 ? undefined : `typeof ${importType(place.module)}.${path.join(".")}`;
  }

  /** Returns the module and the name by which another file gets a value of this one. */
  #valueNamed(local: string): { readonly module: string; readonly name: string } | undefined {
    const { ts } = this.#sources;
    for (const [name, exported] of this.#source.exports.names) {
      if (exported.from === undefined && name === local) return { module: this.#own(), name };
    }
    const imported = importsOf(ts, this.#source.tree).find((each) => each.local === local);
    if (imported === undefined) return undefined;
    return { module: this.#moduleOf(imported.specifier), name: imported.name };
  }

  /** Returns the text of a type that a directive names. */
  typeNamed(name: string): string | undefined {
    const { ts } = this.#sources;
    const value = this.#valueNamed(name);
    const imported = importsOf(ts, this.#source.tree).find((each) => each.local === name);
    if (imported === undefined) {
      if (value !== undefined) return `typeof ${importType(value.module)}.${value.name}`;
      const isExported = this.#source.tree.statements.some((statement) =>
        (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) &&
        statement.name.text === name && statement.typeParameters === undefined &&
        statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
      );
      return isExported ? `${importType(this.#own())}.${name}` : undefined;
    }
    const path = resolveSpecifier(this.#source.path, imported.specifier);
    const other = path === undefined ? undefined : this.#sources.read(path);
    // Whether a name of a package is a schema or a type, its declaration alone tells.
    if (other === undefined) return undefined;
    const module = importType(this.#moduleOf(imported.specifier));
    return `${other.exports.names.has(imported.name) ? "typeof " : ""}${module}.${imported.name}`;
  }

  #own(): string {
    return specifierOf(this.#source.path);
  }

  #moduleOf(specifier: string): string {
    const path = resolveSpecifier(this.#source.path, specifier);
    return path === undefined ? specifier : specifierOf(path);
  }
}

/** A specifier is a URL: a percent sign in a file name must not be read as an escape. */
export function specifierOf(path: string): string {
  return `./${path.replaceAll("%", "%25")}`;
}

/** Returns the type of a module by its specifier. */
export function importType(module: string): string {
  return `import(${JSON.stringify(module)})`;
}
