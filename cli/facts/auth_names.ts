import ts from "npm:typescript@6.0.3";
import type { Place } from "../problem.ts";
import { walkCalls } from "../project/sources/calls.ts";
import { containsNode, nodePlace, unwrap } from "../project/sources/syntax.ts";
import { frameworkEntry, importsOf } from "../project/sources/module_names.ts";
import type { Declaration, Names } from "../project/sources/names.ts";

export interface AuthCall {
  readonly name: string;
  readonly place: Place;
  readonly node: ts.CallExpression;
}

export const sessionMakers: ReadonlySet<string> = new Set(
  [
    ...["createSessions", "oidc", "oidcFromEnv", "entraId", "keycloak", "cognito", "clerk"],
    ...["oauth", "github", "discord"],
  ],
);

const guardMakers: ReadonlySet<string> = new Set([...sessionMakers, "createTokens"]);

export const guardNames: ReadonlySet<string> = new Set(
  ["require", "requireRole", "requireAdmin", "requireRecent", "requireScope"],
);

/** Exports of an unreadable file are `unknown` and count as sessions, so no guard is missed. */
type Kind = "sessions" | "guard" | "unknown";

export class AuthNames {
  readonly #names: Names;
  readonly #known = new Map<ts.Node, Kind | undefined>();

  constructor(names: Names) {
    this.#names = names;
  }

  calls(names: ReadonlySet<string>): readonly AuthCall[] {
    const found: AuthCall[] = [];
    walkCalls(this.#names.sources, /@fw\/fw/, (node, file) => {
      const name = this.#exportOf(file, node.expression);
      if (names.has(name)) found.push({ name, node, place: nodePlace(node) });
    });
    return found;
  }

  /** Reports whether an expression at the top level of a file, or inside a function of it, is a guard. */
  isGuard(path: string, expression: ts.Expression): boolean {
    return this.#kindOf(path, expression) === "guard";
  }

  /** Returns the guards whose promise is not awaited, which let every client pass. */
  floatingGuards(): readonly Place[] {
    const found: Place[] = [];
    walkCalls(this.#names.sources, /\.require/, (node, file) => {
      if (!ts.isExpressionStatement(node.parent)) return;
      const { expression: callee, arguments: [first] } = node;
      const target = ts.isCallExpression(callee) ? callee.expression : callee;
      if (!ts.isPropertyAccessExpression(target) || !first || !ts.isIdentifier(first)) return;
      if (this.isGuard(file, callee)) found.push(nodePlace(node));
    });
    return found;
  }

  /** Reports whether a file, or one that it imports, uses the package. */
  knows(path: string, seen: Set<string> = new Set()): boolean {
    const source = seen.has(path) ? undefined : this.#names.sources.read(path);
    if (source === undefined) return false;
    seen.add(path);
    return importsOf(source.tree).some(({ specifier }) => {
      if (frameworkEntry(specifier) === "auth") return true;
      const next = this.#names.fileOf(path, specifier);
      return next !== undefined && this.knows(next, seen);
    });
  }

  /** Returns the name of the export of `@fw/fw/auth` that an expression refers to, or `""`. */
  #exportOf(file: string, expression: ts.Expression): string {
    const origin = this.#names.originOf(file, unwrap(expression));
    return origin?.kind === "package" && frameworkEntry(origin.specifier) === "auth"
      ? origin.name
      : "";
  }

  #kindOf(file: string, written: ts.Expression): Kind | undefined {
    const at = unwrap(written);
    if (ts.isArrowFunction(at) || ts.isFunctionExpression(at)) return this.#guardIn(file, at.body);
    const origin = this.#names.originOf(file, at);
    if (origin?.kind === "unread") return "unknown";
    if (origin?.kind === "declaration") return this.#kindOfDeclaration(origin.declaration);
    if (ts.isPropertyAccessExpression(at)) {
      return this.#hasGuards(file, at.expression) && guardNames.has(at.name.text)
        ? "guard"
        : undefined;
    }
    if (!ts.isCallExpression(at)) return undefined;
    if (guardMakers.has(this.#exportOf(file, at.expression))) return "sessions";
    const called = this.#kindOf(file, at.expression);
    return called === "sessions" ? undefined : called;
  }

  #hasGuards(file: string, expression: ts.Expression | undefined): boolean {
    const kind = expression && this.#kindOf(file, expression);
    return kind === "sessions" || kind === "unknown";
  }

  #kindOfDeclaration({ file, node }: Declaration): Kind | undefined {
    // Set before reading, because files may import each other.
    if (!this.#known.has(node)) {
      this.#known.set(node, undefined);
      this.#known.set(node, this.#readKind(file, node));
    }
    return this.#known.get(node);
  }

  #readKind(file: string, node: ts.Node): Kind | undefined {
    if (ts.isFunctionDeclaration(node)) return this.#guardIn(file, node);
    if (ts.isVariableDeclaration(node)) {
      return node.initializer && this.#kindOf(file, node.initializer);
    }
    return this.#isTaken(file, node) ? "guard" : undefined;
  }

  /** A function that contains a guard is one. */
  #guardIn(file: string, tree: ts.Node): Kind | undefined {
    const isGuard = (node: ts.Node): boolean =>
      this.#isTaken(file, node) ||
      (ts.isPropertyAccessExpression(node) || ts.isIdentifier(node)) && this.isGuard(file, node);
    return containsNode(tree, isGuard) ? "guard" : undefined;
  }

  /** Reports whether a node destructures a guard: `const { require: guard } = sessions`. */
  #isTaken(file: string, node: ts.Node): boolean {
    if (!ts.isBindingElement(node) || !ts.isObjectBindingPattern(node.parent)) return false;
    const { propertyName = node.name, parent: { parent: made } } = node;
    return guardNames.has(propertyName.getText()) && ts.isVariableDeclaration(made) &&
      this.#hasGuards(file, made.initializer);
  }
}
