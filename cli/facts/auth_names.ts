/**
 * Finds what sources use of `@fw/fw/auth`, by their imports: calls, sessions and guards.
 */
import type ts from "npm:typescript@6.0.3";
import type { Place } from "../problem.ts";
import { positionOf } from "../project/sources/exports.ts";
import { frameworkEntry, importsOf } from "../project/sources/imports.ts";
import { resolveSpecifier, type Source, type Sources } from "../project/sources/sources.ts";
import { unwrap } from "../project/sources/functions.ts";

/** A call of an export of `@fw/fw/auth`. */
export interface AuthCall {
  /** The name in the package. */
  readonly name: string;
  readonly place: Place;
  readonly node: ts.CallExpression;
}

/** What makes sessions, and the sign-ins of identity providers. */
export const sessionMakers: ReadonlySet<string> = new Set([
  "createSessions",
  "oidc",
  "oidcFromEnv",
  "entraId",
  "keycloak",
  "cognito",
  "clerk",
]);

/** The members of sessions that are guards. */
export const guardNames: ReadonlySet<string> = new Set([
  "require",
  "requireRole",
  "requireAdmin",
  "requireRecent",
]);

/** What a name stands for. */
type Meaning =
  /** An export of the package. */
  | { readonly kind: "export"; readonly name: string }
  /** The package, or a file of the project, as a namespace. */
  | { readonly kind: "package" }
  | { readonly kind: "module"; readonly path: string | undefined }
  /** What a maker returned. */
  | { readonly kind: "sessions" }
  | { readonly kind: "guard" }
  /** The export of a file that cannot be read; it counts as sessions, so that no guard is missed. */
  | { readonly kind: "unknown" };

type Scope = Map<string, Meaning>;

/** Resolves the names of a project to what they are in `@fw/fw/auth`. */
export class AuthNames {
  readonly #sources: Sources;
  readonly #scopes = new Map<string, Scope>();

  /** Creates a view of the sources; each file is looked at on first use. */
  constructor(sources: Sources) {
    this.#sources = sources;
  }

  /** Returns the calls of some exports, in the order of the files. */
  calls(names: ReadonlySet<string>): readonly AuthCall[] {
    const { ts } = this.#sources;
    const calls: AuthCall[] = [];
    for (const file of this.#sources.list()) {
      const source = this.#sources.read(file);
      if (source === undefined || !source.text.includes("@fw/fw")) continue;
      const scope = this.#scopeOf(source);
      this.#walk(source.tree, (node) => {
        if (!ts.isCallExpression(node)) return;
        const meaning = this.#meaningOf(node.expression, scope);
        if (meaning?.kind !== "export" || !names.has(meaning.name)) return;
        const place = { file, ...positionOf(source.tree, node.expression) };
        calls.push({ name: meaning.name, node, place });
      });
    }
    return calls;
  }

  /**
   * Reports whether an expression at the top level of a file, or inside a function of it, is a
   * guard.
   */
  isGuard(path: string, expression: ts.Expression): boolean {
    const source = this.#sources.read(path);
    return source !== undefined &&
      this.#meaningOf(expression, this.#scopeOf(source))?.kind === "guard";
  }

  /** Returns the guards inside handlers whose promise is dropped: the handler goes on for every visitor. */
  floatingGuards(): readonly Place[] {
    const { ts } = this.#sources;
    const places: Place[] = [];
    for (const file of this.#sources.list()) {
      const source = this.#sources.read(file);
      if (source === undefined || !source.text.includes(".require")) continue;
      const scope = this.#scopeOf(source);
      this.#walk(source.tree, (node) => {
        if (!ts.isExpressionStatement(node) || !ts.isCallExpression(node.expression)) return;
        const { expression: callee, arguments: [first] } = node.expression;
        const target = ts.isCallExpression(callee) ? callee.expression : callee;
        const isGuard = ts.isPropertyAccessExpression(target) && first !== undefined &&
          ts.isIdentifier(first) && this.#meaningOf(callee, scope)?.kind === "guard";
        if (isGuard) places.push({ file, ...positionOf(source.tree, node.expression) });
      });
    }
    return places;
  }

  /** Reports whether a file, or one that it imports, uses the package. */
  knows(path: string): boolean {
    const { ts } = this.#sources;
    return this.someSource(
      path,
      ({ tree }) =>
        importsOf(ts, tree).some(({ specifier }) => frameworkEntry(specifier) === "auth"),
    );
  }

  /** Whether a file, or one that it imports, passes a test. */
  someSource(
    path: string,
    test: (source: Source) => boolean,
    seen: Set<string> = new Set(),
  ): boolean {
    if (seen.has(path)) return false;
    seen.add(path);
    const source = this.#sources.read(path);
    if (source === undefined) return false;
    if (test(source)) return true;
    return importsOf(this.#sources.ts, source.tree).some(({ specifier }) => {
      const next = frameworkEntry(specifier) === "auth" ? undefined : fileOf(path, specifier);
      return next !== undefined && this.someSource(next, test, seen);
    });
  }

  #walk(node: ts.Node, visit: (node: ts.Node) => void): void {
    visit(node);
    this.#sources.ts.forEachChild(node, (child) => this.#walk(child, visit));
  }

  /** The names of a file at its top level. */
  #scopeOf(source: Source): Scope {
    const known = this.#scopes.get(source.path);
    if (known !== undefined) return known;
    const { ts } = this.#sources;
    const scope: Scope = new Map();
    // Kept before it is complete: files may import each other.
    this.#scopes.set(source.path, scope);
    for (const { specifier, name, local } of importsOf(ts, source.tree)) {
      const meaning = this.#imported(source.path, { specifier, name });
      if (meaning !== undefined) scope.set(local, meaning);
    }
    for (const statement of source.tree.statements) this.#declare(statement, scope);
    return scope;
  }

  #imported(
    from: string,
    { specifier, name }: { readonly specifier: string; readonly name: string },
  ): Meaning | undefined {
    if (frameworkEntry(specifier) === "auth") {
      return name === "*" ? { kind: "package" } : { kind: "export", name };
    }
    const path = fileOf(from, specifier);
    if (path === undefined) return undefined;
    return name === "*" ? { kind: "module", path } : this.#exported(path, name);
  }

  #exported(path: string, name: string): Meaning | undefined {
    const source = this.#sources.read(path);
    if (source === undefined) return { kind: "unknown" };
    const from = source.exports.names.get(name)?.from;
    return from === undefined ? this.#scopeOf(source).get(name) : this.#imported(path, from);
  }

  #declare(statement: ts.Statement, scope: Scope): void {
    const { ts } = this.#sources;
    if (ts.isFunctionDeclaration(statement) && statement.name !== undefined) {
      if (this.#containsGuard(statement, scope)) scope.set(statement.name.text, { kind: "guard" });
      return;
    }
    if (!ts.isVariableStatement(statement)) return;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const meaning = initializer && this.#meaningOf(initializer, scope);
      if (meaning === undefined) continue;
      if (ts.isIdentifier(name)) scope.set(name.text, meaning);
      else if (ts.isObjectBindingPattern(name)) {
        for (const local of this.#guardsIn(name, meaning)) scope.set(local, { kind: "guard" });
      }
    }
  }

  /** The local names of guards that are taken out of sessions: `const { require: guard } = sessions`. */
  #guardsIn(pattern: ts.ObjectBindingPattern, meaning: Meaning): readonly string[] {
    if (meaning.kind !== "sessions" && meaning.kind !== "unknown") return [];
    return pattern.elements.flatMap(({ name, propertyName }) =>
      guardNames.has((propertyName ?? name).getText()) ? [name.getText()] : []
    );
  }

  #containsGuard(tree: ts.Node, scope: Scope): boolean {
    const { ts } = this.#sources;
    if (ts.isImportDeclaration(tree)) return false;
    if (
      ts.isVariableDeclaration(tree) && ts.isObjectBindingPattern(tree.name) &&
      tree.initializer !== undefined
    ) {
      const meaning = this.#meaningOf(tree.initializer, scope);
      if (meaning !== undefined && this.#guardsIn(tree.name, meaning).length > 0) return true;
    }
    if (ts.isPropertyAccessExpression(tree) || ts.isIdentifier(tree)) {
      if (this.#meaningOf(tree, scope)?.kind === "guard") return true;
    }
    return ts.forEachChild(tree, (child) => this.#containsGuard(child, scope) || undefined) ??
      false;
  }

  #meaningOf(written: ts.Expression, scope: Scope): Meaning | undefined {
    const { ts } = this.#sources;
    const expression = unwrap(ts, written);
    if (ts.isIdentifier(expression)) return scope.get(expression.text);
    if (ts.isArrowFunction(expression) || ts.isFunctionExpression(expression)) {
      return this.#containsGuard(expression.body, scope) ? { kind: "guard" } : undefined;
    }
    if (ts.isPropertyAccessExpression(expression)) {
      return this.#memberOf(this.#meaningOf(expression.expression, scope), expression.name.text);
    }
    if (!ts.isCallExpression(expression)) return undefined;
    const called = this.#meaningOf(expression.expression, scope);
    if (called?.kind === "guard" || called?.kind === "unknown") return called;
    const isMaker = called?.kind === "export" && sessionMakers.has(called.name);
    return isMaker ? { kind: "sessions" } : undefined;
  }

  #memberOf(owner: Meaning | undefined, name: string): Meaning | undefined {
    if (owner?.kind === "package") return { kind: "export", name };
    if (owner?.kind === "module") {
      return owner.path === undefined ? undefined : this.#exported(owner.path, name);
    }
    const isSessions = owner?.kind === "sessions" || owner?.kind === "unknown";
    return isSessions && guardNames.has(name) ? { kind: "guard" } : undefined;
  }
}

/**
 * Returns the file of the project behind a specifier: a relative one, or one such as
 * `@/lib/sessions.ts`.
 */
function fileOf(from: string, specifier: string): string | undefined {
  return /^[@~#]?\//.test(specifier)
    ? specifier.replace(/^[@~#]?\//, "")
    : resolveSpecifier(from, specifier);
}
