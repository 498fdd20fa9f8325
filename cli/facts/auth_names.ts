import type ts from "npm:typescript@6.0.3";
import type { Place } from "../problem.ts";
import { positionOf } from "../project/sources/module_names.ts";
import { unwrap } from "../project/sources/functions.ts";
import { frameworkEntry, importsOf } from "../project/sources/imports.ts";
import type { Source } from "../project/sources/sources.ts";
import type { Names, Origin } from "./names.ts";

export interface AuthCall {
  readonly name: string;
  readonly place: Place;
  readonly node: ts.CallExpression;
}

export const sessionMakers: ReadonlySet<string> = new Set([
  "createSessions",
  "oidc",
  "oidcFromEnv",
  "entraId",
  "keycloak",
  "cognito",
  "clerk",
]);

export const guardNames: ReadonlySet<string> = new Set([
  "require",
  "requireRole",
  "requireAdmin",
  "requireRecent",
]);

type Meaning =
  | { readonly kind: "export"; readonly name: string }
  | { readonly kind: "package" }
  | { readonly kind: "module"; readonly path: string }
  | { readonly kind: "sessions" }
  | { readonly kind: "guard" }
  /** The export of a file that cannot be read; it counts as sessions, so that no guard is missed. */
  | { readonly kind: "unknown" };

export class AuthNames {
  readonly #names: Names;
  readonly #known = new Map<ts.Node, Meaning | undefined>();

  constructor(names: Names) {
    this.#names = names;
  }

  calls(names: ReadonlySet<string>): readonly AuthCall[] {
    const { ts } = this.#names.sources;
    return this.#visitAll("@fw/fw", (node, place) => {
      if (!ts.isCallExpression(node)) return undefined;
      const meaning = this.#meaningOf(place.file, node.expression);
      if (meaning?.kind !== "export" || !names.has(meaning.name)) return undefined;
      return { name: meaning.name, node, place };
    });
  }

  /** Reports whether an expression at the top level of a file, or inside a function of it, is a guard. */
  isGuard(path: string, expression: ts.Expression): boolean {
    return this.#meaningOf(path, expression)?.kind === "guard";
  }

  /** Returns the guards inside handlers whose promise is dropped: the handler goes on for every visitor. */
  floatingGuards(): readonly Place[] {
    const { ts } = this.#names.sources;
    return this.#visitAll(".require", (node, place) => {
      if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) {
        return undefined;
      }
      const { expression: callee, arguments: [first] } = node.expression;
      const target = ts.isCallExpression(callee) ? callee.expression : callee;
      const isFloating = ts.isPropertyAccessExpression(target) && first !== undefined &&
        ts.isIdentifier(first) && this.isGuard(place.file, callee);
      return isFloating ? place : undefined;
    });
  }

  /** Reports whether a file, or one that it imports, uses the package. */
  knows(path: string): boolean {
    const { ts } = this.#names.sources;
    return this.someSource(
      path,
      ({ tree }) =>
        importsOf(ts, tree).some(({ specifier }) => frameworkEntry(specifier) === "auth"),
    );
  }

  someSource(
    path: string,
    test: (source: Source) => boolean,
    seen: Set<string> = new Set(),
  ): boolean {
    if (seen.has(path)) return false;
    seen.add(path);
    const { sources } = this.#names;
    const source = sources.read(path);
    if (source === undefined) return false;
    if (test(source)) return true;
    return importsOf(sources.ts, source.tree).some(({ specifier }) => {
      const next = this.#names.fileOf(path, specifier);
      return next !== undefined && this.someSource(next, test, seen);
    });
  }

  #visitAll<T>(text: string, read: (node: ts.Node, place: Place) => T | undefined): readonly T[] {
    const { sources } = this.#names;
    const found: T[] = [];
    for (const file of sources.list()) {
      const source = sources.read(file);
      if (source === undefined || !source.text.includes(text)) continue;
      const visit = (node: ts.Node): void => {
        if (sources.ts.isCallExpression(node) || sources.ts.isExpressionStatement(node)) {
          const one = read(node, { file, ...positionOf(source.tree, node) });
          if (one !== undefined) found.push(one);
        }
        sources.ts.forEachChild(node, visit);
      };
      visit(source.tree);
    }
    return found;
  }

  #ofOrigin(origin: Origin | undefined): Meaning | undefined {
    if (origin === undefined) return undefined;
    if (origin.kind === "package") {
      if (frameworkEntry(origin.specifier) !== "auth") return undefined;
      return origin.name === "*" ? { kind: "package" } : { kind: "export", name: origin.name };
    }
    if (origin.kind === "module") return { kind: "module", path: origin.file };
    if (origin.kind === "unread") return { kind: "unknown" };
    const { file, node } = origin.declaration;
    // It has no meaning while it is read, since files may import each other.
    if (!this.#known.has(node)) {
      this.#known.set(node, undefined);
      this.#known.set(node, this.#declared(file, node));
    }
    return this.#known.get(node);
  }

  #declared(file: string, node: ts.Node): Meaning | undefined {
    const { ts } = this.#names.sources;
    if (ts.isFunctionDeclaration(node)) {
      return this.#containsGuard(file, node) ? { kind: "guard" } : undefined;
    }
    if (ts.isVariableDeclaration(node)) {
      return node.initializer && this.#meaningOf(file, node.initializer);
    }
    const made = ts.isBindingElement(node) ? node.parent.parent : undefined;
    if (made === undefined || !ts.isVariableDeclaration(made)) return undefined;
    const isOne = this.#guardsIn(file, made).some((element) => element === node);
    return isOne ? { kind: "guard" } : undefined;
  }

  /** The elements that take guards out of sessions: `const { require: guard } = sessions`. */
  #guardsIn(
    file: string,
    { name, initializer }: ts.VariableDeclaration,
  ): readonly ts.BindingElement[] {
    const { ts } = this.#names.sources;
    if (initializer === undefined || !ts.isObjectBindingPattern(name)) return [];
    const kind = this.#meaningOf(file, initializer)?.kind;
    if (kind !== "sessions" && kind !== "unknown") return [];
    return name.elements.filter((each) =>
      guardNames.has((each.propertyName ?? each.name).getText())
    );
  }

  #containsGuard(file: string, tree: ts.Node): boolean {
    const { ts } = this.#names.sources;
    if (ts.isVariableDeclaration(tree) && this.#guardsIn(file, tree).length > 0) return true;
    const isName = ts.isPropertyAccessExpression(tree) || ts.isIdentifier(tree);
    if (isName && this.isGuard(file, tree)) return true;
    return ts.forEachChild(tree, (child) => this.#containsGuard(file, child) || undefined) ??
      false;
  }

  #meaningOf(file: string, written: ts.Expression): Meaning | undefined {
    const { ts } = this.#names.sources;
    const expression = unwrap(ts, written);
    if (ts.isIdentifier(expression)) {
      return this.#ofOrigin(this.#names.origin(file, expression.text));
    }
    if (ts.isArrowFunction(expression) || ts.isFunctionExpression(expression)) {
      return this.#containsGuard(file, expression.body) ? { kind: "guard" } : undefined;
    }
    if (ts.isPropertyAccessExpression(expression)) {
      return this.#memberOf(this.#meaningOf(file, expression.expression), expression.name.text);
    }
    if (!ts.isCallExpression(expression)) return undefined;
    const called = this.#meaningOf(file, expression.expression);
    if (called?.kind === "guard" || called?.kind === "unknown") return called;
    const isMaker = called?.kind === "export" && sessionMakers.has(called.name);
    return isMaker ? { kind: "sessions" } : undefined;
  }

  #memberOf(owner: Meaning | undefined, name: string): Meaning | undefined {
    if (owner?.kind === "package") return { kind: "export", name };
    if (owner?.kind === "module") {
      return this.#ofOrigin(this.#names.exported(owner.path, name));
    }
    const isSessions = owner?.kind === "sessions" || owner?.kind === "unknown";
    return isSessions && guardNames.has(name) ? { kind: "guard" } : undefined;
  }
}
