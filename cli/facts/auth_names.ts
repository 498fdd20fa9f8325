import ts from "npm:typescript@6.0.3";
import type { Place } from "../problem.ts";
import { walkCalls } from "../project/sources/calls.ts";
import { containsNode, nodePlace, unwrap } from "../project/sources/syntax.ts";
import { frameworkEntry, importsOf } from "../project/sources/imports.ts";
import type { Source } from "../project/sources/sources.ts";
import type { Names, Origin } from "../project/sources/names.ts";

export interface AuthCall {
  readonly name: string;
  readonly place: Place;
  readonly node: ts.CallExpression;
}

export const sessionMakers: ReadonlySet<string> = new Set(
  ["createSessions", "oidc", "oidcFromEnv", "entraId", "keycloak", "cognito", "clerk"],
);

const guardMakers: ReadonlySet<string> = new Set([...sessionMakers, "createTokens"]);

export const guardNames: ReadonlySet<string> = new Set(
  ["require", "requireRole", "requireAdmin", "requireRecent", "requireScope"],
);

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
    const found: AuthCall[] = [];
    walkCalls(this.#names.sources, /@fw\/fw/, (node, file) => {
      const meaning = this.#meaningOf(file, node.expression);
      if (meaning?.kind === "export" && names.has(meaning.name)) {
        found.push({ name: meaning.name, node, place: nodePlace(node) });
      }
    });
    return found;
  }

  /** Reports whether an expression at the top level of a file, or inside a function of it, is a guard. */
  isGuard(path: string, expression: ts.Expression): boolean {
    return this.#meaningOf(path, expression)?.kind === "guard";
  }

  /** Returns the guards inside handlers whose promise is dropped: the handler goes on for every visitor. */
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
  knows(path: string): boolean {
    return this.someSource(
      path,
      ({ tree }) => importsOf(tree).some(({ specifier }) => frameworkEntry(specifier) === "auth"),
    );
  }

  someSource(
    path: string,
    test: (source: Source) => boolean,
    seen: Set<string> = new Set(),
  ): boolean {
    const source = seen.has(path) ? undefined : this.#names.sources.read(path);
    if (source === undefined) return false;
    seen.add(path);
    return test(source) || importsOf(source.tree).some(({ specifier }) => {
      const next = this.#names.fileOf(path, specifier);
      return next !== undefined && this.someSource(next, test, seen);
    });
  }

  #ofOrigin(origin: Origin | undefined): Meaning | undefined {
    if (origin === undefined) return undefined;
    if (origin.kind === "package") {
      if (frameworkEntry(origin.specifier) !== "auth") return undefined;
      return origin.name === "*" ? { kind: "package" } : { kind: "export", name: origin.name };
    }
    if (origin.kind === "module") return { kind: "module", path: origin.file };
    if (origin.kind === "unread") return { kind: "unknown" };
    if (origin.kind === "broken") return undefined;
    const { file, node } = origin.declaration;
    // It has no meaning while it is read, since files may import each other.
    if (!this.#known.has(node)) {
      this.#known.set(node, undefined);
      this.#known.set(node, this.#declared(file, node));
    }
    return this.#known.get(node);
  }

  #declared(file: string, node: ts.Node): Meaning | undefined {
    if (ts.isFunctionDeclaration(node)) return this.#guardIn(file, node);
    if (ts.isVariableDeclaration(node)) {
      return node.initializer && this.#meaningOf(file, node.initializer);
    }
    const made = ts.isBindingElement(node) ? node.parent.parent : undefined;
    if (made === undefined || !ts.isVariableDeclaration(made)) return undefined;
    const isOne = this.#guardsOf(file, made).some((element) => element === node);
    return isOne ? { kind: "guard" } : undefined;
  }

  /** Returns the elements that take guards out of sessions: `const { require: guard } = sessions`. */
  #guardsOf(
    file: string,
    { name, initializer }: ts.VariableDeclaration,
  ): readonly ts.BindingElement[] {
    if (initializer === undefined || !ts.isObjectBindingPattern(name)) return [];
    const kind = this.#meaningOf(file, initializer)?.kind;
    if (kind !== "sessions" && kind !== "unknown") return [];
    return name.elements.filter((each) =>
      guardNames.has((each.propertyName ?? each.name).getText())
    );
  }

  /** A function that contains a guard is one. */
  #guardIn(file: string, tree: ts.Node): Meaning | undefined {
    const isGuard = containsNode(
      tree,
      (node) =>
        ts.isVariableDeclaration(node) && this.#guardsOf(file, node).length > 0 ||
        (ts.isPropertyAccessExpression(node) || ts.isIdentifier(node)) && this.isGuard(file, node),
    );
    return isGuard ? { kind: "guard" } : undefined;
  }

  #meaningOf(file: string, written: ts.Expression): Meaning | undefined {
    const expression = unwrap(written);
    if (ts.isIdentifier(expression)) {
      return this.#ofOrigin(this.#names.origin(file, expression.text));
    }
    if (ts.isArrowFunction(expression) || ts.isFunctionExpression(expression)) {
      return this.#guardIn(file, expression.body);
    }
    if (ts.isPropertyAccessExpression(expression)) {
      return this.#memberOf(this.#meaningOf(file, expression.expression), expression.name.text);
    }
    if (!ts.isCallExpression(expression)) return undefined;
    const called = this.#meaningOf(file, expression.expression);
    if (called?.kind === "guard" || called?.kind === "unknown") return called;
    const isMaker = called?.kind === "export" && guardMakers.has(called.name);
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
