/**
 * Follows what a handler runs: the functions and constants that it names, in its file and in the
 * files of the project that it imports. Syntax alone decides, so that no code runs.
 */
import type ts from "npm:typescript@6.0.3";
import { type FileNames, type ImportedName, noNames, parseNames } from "./file_names.ts";
import type { TypeScript } from "../project/sources/exports.ts";
import { resolveSpecifier, type Sources } from "../project/sources/sources.ts";
import { unwrap } from "../project/sources/functions.ts";
import type { Declaration } from "./declaration.ts";
import { methodOf } from "./methods.ts";

export type { Declaration } from "./declaration.ts";

/** A call in a declaration. */
export interface ReachedCall {
  readonly file: string;
  readonly node: ts.CallExpression;
  /** The last part of the name that is called: `json` of `c.json`, `limit` of `limit`. */
  readonly name: string;
  /** Whether it is called on something: `c.json`. */
  readonly isMethod: boolean;
}

/** A member that a declaration reads, such as `sessions.require`. */
export interface ReachedAccess {
  readonly file: string;
  readonly node: ts.PropertyAccessExpression;
}

/** What a declaration contains itself. */
interface Content {
  readonly next: readonly Declaration[];
  readonly calls: readonly ReachedCall[];
  readonly accesses: readonly ReachedAccess[];
}

/** Follows the names of one project. It keeps what it has read, so make a new one after a change. */
export class Reach {
  readonly sources: Sources;
  readonly #aliases: readonly (readonly [prefix: string, folder: string])[];
  readonly #names = new Map<string, FileNames>();
  readonly #contents = new Map<ts.Node, Content>();

  /** Creates a view of the sources. */
  constructor(sources: Sources, imports: unknown) {
    this.sources = sources;
    this.#aliases = aliasesOf(imports);
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
  find(file: string, name: string): Declaration | undefined {
    return this.#find(file, name, new Set());
  }

  /** Returns the declaration behind a name that a file declares or imports. */
  local(file: string, name: string): Declaration | undefined {
    const names = this.#namesOf(file);
    const node = names.declared.get(name);
    if (node !== undefined) return { file, name, node };
    const imported = names.imported.get(name);
    return imported === undefined ? undefined : this.#imported(file, imported);
  }

  /** Returns the package's name for a name that a file imports from a package, with its specifier. */
  packageName(file: string, name: string): ImportedName | undefined {
    const imported = this.#namesOf(file).imported.get(name);
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
    for (const property of literal.properties) {
      if (property.name === undefined || propertyName(ts, property.name) !== name) continue;
      if (ts.isShorthandPropertyAssignment(property)) return this.local(file, name);
      if (ts.isMethodDeclaration(property)) return { file, name, node: property };
      if (!ts.isPropertyAssignment(property)) return undefined;
      const value = unwrap(ts, property.initializer);
      const named = ts.isIdentifier(value) ? this.local(file, value.text) : undefined;
      return named ?? { file, name, node: value };
    }
    return undefined;
  }

  /** Returns a declaration and everything that it names, itself first. */
  from(start: Declaration): readonly Declaration[] {
    const found = new Map<ts.Node, Declaration>([[start.node, start]]);
    for (const declaration of found.values()) {
      for (const next of this.#contentOf(declaration).next) {
        if (!found.has(next.node)) found.set(next.node, next);
      }
    }
    return [...found.values()];
  }

  /** Returns the calls in some declarations, in their order. */
  calls(declarations: readonly Declaration[]): readonly ReachedCall[] {
    return declarations.flatMap((declaration) => this.#contentOf(declaration).calls);
  }

  /** Returns the members that some declarations read, in their order. */
  accesses(declarations: readonly Declaration[]): readonly ReachedAccess[] {
    return declarations.flatMap((declaration) => this.#contentOf(declaration).accesses);
  }

  #find(file: string, name: string, seen: Set<string>): Declaration | undefined {
    const key = `${file}\n${name}`;
    if (seen.has(key)) return undefined;
    seen.add(key);
    const names = this.#namesOf(file);
    const local = names.exported.get(name);
    if (local !== undefined) return this.local(file, local);
    const passed = names.passed.get(name);
    if (passed !== undefined) return this.#imported(file, passed, seen);
    for (const star of names.stars) {
      const next = this.fileOf(file, star);
      const found = next === undefined ? undefined : this.#find(next, name, seen);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #imported(
    file: string,
    { specifier, imported }: ImportedName,
    seen = new Set<string>(),
  ): Declaration | undefined {
    const next = this.fileOf(file, specifier);
    if (next === undefined || imported === "*") return undefined;
    return this.#find(next, imported, seen);
  }

  #namesOf(file: string): FileNames {
    const known = this.#names.get(file);
    if (known !== undefined) return known;
    const source = /\.[mc]?[jt]sx?$/.test(file) ? this.sources.read(file) : undefined;
    const names = source === undefined ? noNames : parseNames(this.sources.ts, source.tree);
    this.#names.set(file, names);
    return names;
  }

  #contentOf(declaration: Declaration): Content {
    const known = this.#contents.get(declaration.node);
    if (known !== undefined) return known;
    const { file, node } = declaration;
    const { ts } = this.sources;
    const next: Declaration[] = [];
    const calls: ReachedCall[] = [];
    const accesses: ReachedAccess[] = [];
    const add = (found: Declaration | undefined): void => {
      if (found !== undefined && found.node !== node) next.push(found);
    };
    const visit = (at: ts.Node): void => {
      if (ts.isTypeNode(at) && !ts.isExpressionWithTypeArguments(at)) return;
      if (ts.isCallExpression(at)) calls.push(...callOf(ts, file, at));
      if (ts.isPropertyAccessExpression(at)) {
        accesses.push({ file, node: at });
        add(methodOf(this, file, at));
      }
      if (ts.isPropertyAccessExpression(at) && ts.isIdentifier(at.expression)) {
        const space = this.#namesOf(file).imported.get(at.expression.text);
        if (space?.imported === "*") {
          const target = this.fileOf(file, space.specifier);
          if (target !== undefined) add(this.find(target, at.name.text));
        }
      }
      if (ts.isIdentifier(at) && isReference(ts, at)) add(this.local(file, at.text));
      ts.forEachChild(at, visit);
    };
    // A member of `Actions` is an expression, which counts itself.
    if (ts.isExpression(node)) visit(node);
    else ts.forEachChild(node, visit);
    if (ts.isBindingElement(node)) visit(node.parent.parent);
    const content = { next, calls, accesses };
    this.#contents.set(node, content);
    return content;
  }
}

function callOf(parser: TypeScript, file: string, node: ts.CallExpression): ReachedCall[] {
  const callee = node.expression;
  if (parser.isIdentifier(callee)) return [{ file, node, name: callee.text, isMethod: false }];
  if (!parser.isPropertyAccessExpression(callee)) return [];
  return [{ file, node, name: callee.name.text, isMethod: true }];
}

/**
 * Reports whether an identifier stands for a value, and is no name of a member or a declaration.
 */
export function isReference(parser: TypeScript, node: ts.Identifier): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  if (parser.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (parser.isPropertyAssignment(parent)) return parent.initializer === node;
  if (parser.isShorthandPropertyAssignment(parent)) return true;
  if (parser.isVariableDeclaration(parent) || parser.isParameter(parent)) {
    return parent.initializer === node;
  }
  if (parser.isBindingElement(parent)) return parent.initializer === node;
  return !parser.isMethodDeclaration(parent) && !parser.isPropertyDeclaration(parent) &&
    !parser.isJsxAttribute(parent) && !parser.isFunctionDeclaration(parent);
}

function propertyName(parser: TypeScript, name: ts.PropertyName): string | undefined {
  return parser.isIdentifier(name) || parser.isStringLiteralLike(name) ? name.text : undefined;
}

/** Returns the entries of an import map that lead into the project. */
function aliasesOf(imports: unknown): readonly (readonly [string, string])[] {
  if (typeof imports !== "object" || imports === null) return [];
  return Object.entries(imports).flatMap(([prefix, target]): [string, string][] => {
    const inside = typeof target === "string" ? /^\.\/(.*)$/.exec(target)?.[1] : undefined;
    return inside === undefined ? [] : [[prefix, inside]];
  });
}
