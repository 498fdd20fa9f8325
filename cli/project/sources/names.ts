import ts from "npm:typescript@6.0.3";
import { declarationsIn, frameworkEntry, type Imported } from "./module_names.ts";
import { resolveSpecifier, type Source, type Sources } from "./sources.ts";
import {
  functionIn,
  initialValue,
  memberNamed,
  memberValue,
  unwrap,
  writtenText,
} from "./syntax.ts";

/** A function, class or constant at the top level of a file, or a member of an object or a class. */
export interface Declaration {
  readonly file: string;
  readonly name: string;
  readonly node: ts.Node;
}

export type Origin =
  | { readonly kind: "declaration"; readonly declaration: Declaration }
  /** An export of a package; `*` for its namespace. */
  | { readonly kind: "package"; readonly specifier: string; readonly name: string }
  | { readonly kind: "module"; readonly file: string }
  | { readonly kind: "unread"; readonly file: string }
  /** A name that the file does not export. */
  | { readonly kind: "broken"; readonly file: string; readonly name: string };

const setParentNodes = true;

/** A constant of a block, for a whole value or one member of it. */
export interface Constant {
  readonly node: ts.VariableDeclaration;
  readonly member: string | undefined;
}

export class Names {
  readonly sources: Sources;
  /** The files whose exports were searched. */
  readonly followed: Set<string> = new Set();
  readonly #constants: WeakMap<ts.Block, ReadonlyMap<string, Constant>> = new WeakMap();
  readonly #texts: Map<string, ts.SourceFile> = new Map();
  readonly #aliases: readonly (readonly [prefix: string, folder: string])[];

  constructor(sources: Sources, imports?: unknown) {
    this.sources = sources;
    this.#aliases = Object.entries(Object(imports)).flatMap(([prefix, target]) => {
      const inside = typeof target === "string" ? /^\.\/(.*)$/.exec(target)?.[1] : undefined;
      return inside === undefined ? [] : [[prefix, inside] as const];
    });
  }

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
  ): Origin {
    const next = this.fileOf(file, specifier);
    if (next === undefined) return { kind: "package", specifier, name };
    return name === "*" ? { kind: "module", file: next } : this.exported(next, name, seen);
  }

  exported(file: string, name: string, seen: Set<string> = new Set()): Origin {
    const broken: Origin = { kind: "broken", file, name };
    if (seen.has(`${file}\n${name}`)) return broken;
    seen.add(`${file}\n${name}`);
    const source = this.sources.read(file);
    if (source === undefined) return { kind: "unread", file };
    this.followed.add(file);
    if (!/\.[mc]?[jt]sx?$/.test(file)) {
      return { kind: "declaration", declaration: { file, name, node: this.#contentOf(source) } };
    }
    const { names, types, stars } = source.exports;
    const { node, from, namespace } = names.get(name) ?? types.get(name) ?? {};
    if (namespace !== undefined) {
      return this.#follow(file, { specifier: namespace, name: "*" }, seen);
    }
    if (node !== undefined && ts.isIdentifier(node)) {
      return this.origin(file, node.text, seen) ?? broken;
    }
    if (node !== undefined) {
      const local = (node as { readonly name?: ts.Node }).name?.getText() ?? name;
      return { kind: "declaration", declaration: { file, name: local, node } };
    }
    if (from !== undefined) return this.#follow(file, from, seen);
    const found = (name === "default" ? [] : stars)
      .map(({ specifier }) => this.#follow(file, { specifier, name }, seen))
      .filter(({ kind }) => kind !== "broken");
    return found.find(({ kind }) => kind !== "package") ?? found[0] ?? broken;
  }

  #contentOf({ path, text, tree }: Source): ts.Node {
    if (path.endsWith(".json")) return tree;
    return this.#texts.getOrInsertComputed(
      text,
      () => ts.createSourceFile(path, JSON.stringify(text), ts.ScriptTarget.ESNext, setParentNodes),
    );
  }

  originOf(file: string, node: ts.Node): Origin | undefined {
    if (ts.isIdentifier(node)) return this.origin(file, node.text) ?? this.#near(file, node);
    if (ts.isAwaitExpression(node)) return this.originOf(file, node.expression);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const from = writtenText(node.arguments[0]);
      const target = from === undefined ? undefined : this.fileOf(file, from);
      return target === undefined ? undefined : { kind: "module", file: target };
    }
    const member = ts.isPropertyAccessExpression(node)
      ? node.name.text
      : ts.isElementAccessExpression(node)
      ? writtenText(node.argumentExpression)
      : undefined;
    if (member === undefined) return undefined;
    const space = this.originOf(file, (node as ts.PropertyAccessExpression).expression);
    if (space?.kind === "package" && space.name === "*") return { ...space, name: member };
    return space?.kind === "module" ? this.exported(space.file, member) : undefined;
  }

  /** Returns the origin of a constant of a block, such as `const { check } = await import("./keys.ts")`. */
  #near(file: string, name: ts.Identifier): Origin | undefined {
    const { node: { initializer }, member } = this.constantNear(name) ?? { node: {} };
    // Only earlier constants: others could refer to each other in a cycle.
    if (initializer === undefined || initializer.end > name.pos) return undefined;
    const origin = this.originOf(file, unwrap(initializer));
    if (member === undefined) return origin;
    return origin?.kind === "module" ? this.exported(origin.file, member) : undefined;
  }

  constantNear(name: ts.Identifier): Constant | undefined {
    for (let at: ts.Node = name.parent; at.parent !== undefined; at = at.parent) {
      const found = ts.isBlock(at) ? this.#constantsOf(at).get(name.text) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #constantsOf(block: ts.Block): ReadonlyMap<string, Constant> {
    return this.#constants.getOrInsertComputed(block, () => {
      const declared = block.statements.filter(ts.isVariableStatement).flatMap(declarationsIn);
      return new Map(declared.flatMap((node): [string, Constant][] => {
        const name = node.name.getText();
        if (ts.isVariableDeclaration(node)) return [[name, { node, member: undefined }]];
        if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return [];
        const { propertyName = node.name, parent: { parent: owner } } = node;
        const isOuter = ts.isVariableDeclaration(owner);
        return isOuter ? [[name, { node: owner, member: propertyName.getText() }]] : [];
      }));
    });
  }

  allOf(file: string, seen: Set<string> = new Set()): readonly Declaration[] {
    const source = seen.has(file) ? undefined : this.sources.read(file);
    if (source === undefined) return [];
    seen.add(file);
    const { names, stars } = source.exports;
    return [
      ...[...names.keys()].flatMap((name) => this.find(file, name) ?? []),
      ...stars.flatMap(({ specifier }) => {
        const next = this.fileOf(file, specifier);
        return next === undefined ? [] : this.allOf(next, seen);
      }),
    ];
  }

  find(file: string, name: string): Declaration | undefined {
    return declarationOf(this.exported(file, name));
  }

  local(file: string, name: string): Declaration | undefined {
    return declarationOf(this.origin(file, name));
  }

  /** Reports whether an expression is an export of an entry of the framework, `""` for `@fw/fw`. */
  isFramework(
    file: string,
    expression: ts.Expression,
    { as, entry = "" }: { readonly as: string; readonly entry?: string },
  ): boolean {
    const origin = this.originOf(file, expression);
    return origin?.kind === "package" && origin.name === as &&
      frameworkEntry(origin.specifier) === entry;
  }

  member({ file, node }: Declaration, name: string): Declaration | undefined {
    const found = memberNamed(initialValue(node), name);
    if (functionIn(found)) return { file, name, node: found as ts.Node };
    const written = memberValue(found);
    const value = written && unwrap(written);
    const named = value && ts.isIdentifier(value) ? this.local(file, value.text) : undefined;
    const isOwn = value !== undefined && !ts.isShorthandPropertyAssignment(value.parent);
    return named ?? (isOwn ? { file, name, node: value } : undefined);
  }
}

function declarationOf(origin: Origin | undefined): Declaration | undefined {
  return origin?.kind === "declaration" ? origin.declaration : undefined;
}
