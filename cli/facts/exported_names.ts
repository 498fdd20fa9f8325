/**
 * Names the schemas and types of a source file as the generated file can: by the module that exports
 * them.
 */
import type ts from "npm:typescript@6.0.3";
import type { TypeScript } from "../project/sources/exports.ts";
import { type Imported, importsOf } from "../project/sources/imports.ts";
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
    if (!ts.isIdentifier(at) || this.#isOwnName(at)) return undefined;
    const place = this.#valueNamed(at.text);
    if (place === undefined) return undefined;
    const path = [...(place.name === "*" ? [] : [place.name]), ...members];
    return path.length === 0 ? undefined : `typeof ${importType(place.module)}.${path.join(".")}`;
  }

  /**
   * Reports whether a function around an identifier declares its name, so that the file's is not
   * meant.
   */
  #isOwnName(identifier: ts.Identifier): boolean {
    const { ts } = this.#sources;
    let around: ts.Node = identifier;
    while (!ts.isSourceFile(around.parent) && !ts.isVariableStatement(around.parent)) {
      around = around.parent;
    }
    const declares = (node: ts.Node): boolean =>
      ((ts.isParameter(node) || ts.isVariableDeclaration(node) || ts.isBindingElement(node) ||
        ts.isFunctionDeclaration(node)) &&
        node !== around && node.name !== undefined &&
        ts.isIdentifier(node.name) && node.name.text === identifier.text) ||
      ts.forEachChild(node, declares) === true;
    return declares(around);
  }

  /** Returns the module and the name by which another file gets a value of this one. */
  #valueNamed(local: string): { readonly module: string; readonly name: string } | undefined {
    const exported = this.#source.exports.names.get(local);
    if (exported !== undefined && exported.from === undefined) {
      return { module: this.#own(), name: local };
    }
    const imported = this.#imported(local);
    if (imported === undefined) return undefined;
    return { module: this.#moduleOf(imported.specifier), name: imported.name };
  }

  /** Returns the text of a type that a directive names. */
  typeNamed(name: string): string | undefined {
    const value = this.#valueNamed(name);
    const imported = this.#imported(name);
    if (imported === undefined) {
      if (this.#declaresType(this.#source, name)) return `${importType(this.#own())}.${name}`;
      return value === undefined ? undefined : `typeof ${importType(value.module)}.${value.name}`;
    }
    const path = resolveSpecifier(this.#source.path, imported.specifier);
    const other = path === undefined ? undefined : this.#sources.read(path);
    // Whether a name of a package is a schema or a type, its declaration alone tells.
    if (other === undefined) return undefined;
    const text = `${importType(this.#moduleOf(imported.specifier))}.${imported.name}`;
    if (this.#declaresType(other, imported.name)) return text;
    return declaresValue(this.#sources.ts, other, imported.name) ? `typeof ${text}` : undefined;
  }

  /** Reports whether a file exports a type of this name that needs no arguments. */
  #declaresType({ tree }: Source, name: string): boolean {
    const { ts } = this.#sources;
    return tree.statements.some((statement) =>
      (ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) ||
        ts.isClassDeclaration(statement)) &&
      statement.name?.text === name && statement.typeParameters === undefined &&
      statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
    );
  }

  #imported(local: string): Imported | undefined {
    return importsOf(this.#sources.ts, this.#source.tree).find((each) => each.local === local);
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

/** Reports whether a file exports a constant of this name. */
function declaresValue(parser: TypeScript, { tree }: Source, name: string): boolean {
  return tree.statements.some((statement) =>
    parser.isVariableStatement(statement) &&
    statement.modifiers?.some(({ kind }) => kind === parser.SyntaxKind.ExportKeyword) === true &&
    statement.declarationList.declarations.some(({ name: own }) =>
      parser.isIdentifier(own) && own.text === name
    )
  );
}
