import type ts from "npm:typescript@6.0.3";
import { unwrap } from "../project/sources/functions.ts";
import { frameworkEntry, type Imported } from "../project/sources/imports.ts";
import { resolveSpecifier, type Sources } from "../project/sources/sources.ts";

/** A function, class or constant at the top level of a file, or a member of an object or a class. */
export interface Declaration {
  /** The file, relative to the project, with `/`. */
  readonly file: string;
  readonly name: string;
  readonly node: ts.Node;
}

export type Origin =
  | { readonly kind: "declaration"; readonly declaration: Declaration }
  /** An export of a package; `*` for all of it. */
  | { readonly kind: "package"; readonly specifier: string; readonly name: string }
  /** A file of the project as a namespace. */
  | { readonly kind: "module"; readonly file: string }
  /** The export of a file that cannot be read. */
  | { readonly kind: "unread" };

/**
 * Resolves the names of one project: what a file declares, imports and exports. Syntax alone decides, so
 * that no code runs.
 */
export class Names {
  readonly sources: Sources;
  readonly #aliases: readonly (readonly [prefix: string, folder: string])[];

  /** Creates a view of the sources; `imports` is the import map of `deno.json`. */
  constructor(sources: Sources, imports: unknown) {
    this.sources = sources;
    this.#aliases = Object.entries(Object(imports)).flatMap(([prefix, target]) => {
      const inside = typeof target === "string" ? /^\.\/(.*)$/.exec(target)?.[1] : undefined;
      return inside === undefined ? [] : [[prefix, inside] as const];
    });
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

  origin(file: string, name: string, seen: Set<string> = new Set()): Origin | undefined {
    const { declared, imported } = this.sources.read(file)?.exports ?? {};
    const node = declared?.get(name);
    if (node !== undefined) return { kind: "declaration", declaration: { file, name, node } };
    const origin = imported?.get(name);
    return origin && this.#follow(file, origin, seen);
  }

  #follow(
    file: string,
    { specifier, name }: Pick<Imported, "specifier" | "name">,
    seen: Set<string>,
  ): Origin | undefined {
    const next = this.fileOf(file, specifier);
    if (next === undefined) return { kind: "package", specifier, name };
    return name === "*" ? { kind: "module", file: next } : this.exported(next, name, seen);
  }

  exported(file: string, name: string, seen: Set<string> = new Set()): Origin | undefined {
    if (seen.has(`${file}\n${name}`)) return undefined;
    seen.add(`${file}\n${name}`);
    const source = this.sources.read(file);
    if (source === undefined) return { kind: "unread" };
    if (!/\.[mc]?[jt]sx?$/.test(file)) return undefined;
    const { names, types, stars } = source.exports;
    const { node, from } = names.get(name) ?? types.get(name) ?? {};
    const local = (node as { readonly name?: ts.Node } | undefined)?.name?.getText() ?? name;
    if (node !== undefined) {
      return { kind: "declaration", declaration: { file, name: local, node } };
    }
    if (from !== undefined) return this.#follow(file, from, seen);
    const found = stars.flatMap(({ specifier }) =>
      this.#follow(file, { specifier, name }, seen) ?? []
    );
    return found.find(({ kind }) => kind !== "package") ?? found[0];
  }

  find(file: string, name: string): Declaration | undefined {
    return declarationOf(this.exported(file, name));
  }

  local(file: string, name: string): Declaration | undefined {
    return declarationOf(this.origin(file, name));
  }

  /** Reports whether a name of a file is an export of an entry of the framework, `""` for `@fw/fw`. */
  isFramework(file: string, name: string, { entry = "", as = name } = {}): boolean {
    const origin = this.origin(file, name);
    return origin?.kind === "package" && origin.name === as &&
      frameworkEntry(origin.specifier) === entry;
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

function declarationOf(origin: Origin | undefined): Declaration | undefined {
  return origin?.kind === "declaration" ? origin.declaration : undefined;
}
