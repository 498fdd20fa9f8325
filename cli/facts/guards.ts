/**
 * Finds what may refuse a request: guards of `@fw/fw/auth`, middleware that may end without `next()` or throw,
 * and handlers that answer 401 or 403. Conditions are not evaluated, so what cannot be told counts as a guard.
 */
import type ts from "npm:typescript@6.0.3";
import { functionIn, unwrap } from "../project/sources/functions.ts";
import { type AuthNames, guardNames } from "./auth_names.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Declaration } from "./names.ts";
import { fateOf, type Outcome } from "./outcome.ts";
import type { Reach, ReachedAccess, ReachedCall } from "./reach.ts";
import { endsBefore, findConditions, findRefusals } from "./refusals.ts";

export interface GuardedCode {
  readonly handler: Declaration | undefined;
  /** Outermost first. */
  readonly middleware: readonly Declaration[];
}

interface GuardOptions {
  readonly reach: Reach;
  readonly names: AuthNames;
  readonly isMarked: boolean;
}

export class Guards {
  readonly #reach: Reach;
  readonly #names: AuthNames;
  readonly #known = new Map<string, Map<ts.Node, readonly string[]>>();

  constructor(reach: Reach, names: AuthNames) {
    this.#reach = reach;
    this.#names = names;
  }

  /**
   * Lists the guards of an operation, such as `requireRole(editor)`, `app/admin/middleware.ts:Middleware` for
   * middleware that may refuse, and `403` for a handler that does.
   */
  list(
    { handler, middleware }: GuardedCode,
    { isMarked = false }: { readonly isMarked?: boolean } = {},
  ): readonly string[] {
    const options = { reach: this.#reach, names: this.#names, isMarked };
    const own = handler === undefined ? [] : this.#once(`handler ${isMarked}`, handler, () => [
      ...libraryGuards(handler, { ...options, isHandler: true }),
      ...handlerRefusals(handler, options),
    ]);
    const outer = middleware.flatMap((each) =>
      this.#once(`middleware ${isMarked}`, each, () => {
        const named = libraryGuards(each, options);
        // For people the names of the guards inside say enough.
        return !isMarked && named.length > 0
          ? named
          : [...named, ...middlewareGuard(each, options)];
      })
    );
    return [...new Set([...outer, ...own])];
  }

  #once(kind: string, { node }: Declaration, read: () => readonly string[]): readonly string[] {
    const kept = this.#known.get(kind) ?? new Map<ts.Node, readonly string[]>();
    this.#known.set(kind, kept);
    const found = kept.get(node) ?? read();
    kept.set(node, found);
    return found;
  }
}

function middlewareGuard(code: Declaration, options: GuardOptions): string[] {
  if (isLibraryGuard(code, options) || !mayRefuse(code, options)) return [];
  const { reach, isMarked } = options;
  const mark = isMarked ? fingerprint([code], { reach, calls: [] }) : "";
  return [`${code.file}:${code.name}${mark}`];
}

/** Returns `401` and `403` for a handler that answers so, each with what decides about it. */
function handlerRefusals(handler: Declaration, { reach, isMarked }: GuardOptions): string[] {
  const own = reach.from(handler);
  const calls = reach.calls(own);
  return findRefusals(own, reach).map(({ status, parts }) =>
    status + (isMarked ? fingerprint(parts, { reach, calls }) : "")
  );
}

function libraryGuards(
  code: Declaration,
  options: GuardOptions & { readonly isHandler?: boolean },
): string[] {
  const { reach, names } = options;
  const { ts } = reach.sources;
  const all = reach.from(code);
  const calls = reach.calls(all);
  const fates = new Fates(code, { all, calls, reach });
  // The mark of a middleware covers all that it does.
  const conditionMark = (guard: ts.Node): string => {
    const owner = options.isMarked && options.isHandler ? fates.ownerOf(guard) : undefined;
    const parts = owner && findConditions(guard, owner, { declarations: all, reach });
    return parts?.length ? fingerprint(parts, { reach, calls }) : "";
  };
  const accesses = reach.accesses(all)
    .filter(({ file, node }) => guardNames.has(node.name.text) && names.isGuard(file, node))
    .flatMap((access) => {
      const fate = fates.of(access.node);
      if (fate === "lost") return [];
      const text = guardText(access, { ...options, calls });
      if (fate === "passed") return [text + conditionMark(access.node)];
      const caught = [{ file: fate.getSourceFile().fileName, node: fate }];
      return [text + (options.isMarked ? fingerprint(caught, { reach, calls }) : "…")];
    });
  const bound = all.flatMap(({ file, node }) =>
    ts.isBindingElement(node) && ts.isIdentifier(node.name) && names.isGuard(file, node.name)
      ? [(node.propertyName ?? node.name).getText()]
      : []
  );
  return [...accesses, ...bound];
}

/** The fate of refusals on their way to a handler, through the functions between. */
class Fates {
  readonly #reach: Reach;
  readonly #calls: readonly ReachedCall[];
  readonly #owners: ReadonlyMap<ts.Node, Declaration>;
  readonly #known: Map<ts.Node, Outcome>;

  constructor(
    start: Declaration,
    { all, calls, reach }: {
      readonly all: readonly Declaration[];
      readonly calls: readonly ReachedCall[];
      readonly reach: Reach;
    },
  ) {
    this.#reach = reach;
    this.#calls = calls;
    this.#owners = new Map(all.map((each) => [each.node, each]));
    this.#known = new Map([[start.node, "passed"]]);
  }

  of(guard: ts.Node): Outcome {
    const { ts } = this.#reach.sources;
    let call = guard;
    while (ts.isCallExpression(call.parent) && call.parent.expression === call) call = call.parent;
    return this.#join(call, call === guard ? "passed" : fateOf(ts, call));
  }

  #join(node: ts.Node, own: Outcome): Outcome {
    if (own !== "passed") return own;
    const owner = this.ownerOf(node);
    return owner === undefined ? "passed" : this.#ofDeclaration(owner);
  }

  ownerOf(node: ts.Node): Declaration | undefined {
    for (let at: ts.Node | undefined = node; at !== undefined; at = at.parent) {
      const owner = this.#owners.get(at);
      if (owner !== undefined) return owner;
    }
    return undefined;
  }

  #ofDeclaration(declaration: Declaration): Outcome {
    const { node } = declaration;
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    // A function that only calls itself leads nowhere.
    this.#known.set(node, "lost");
    const { ts } = this.#reach.sources;
    const fates = this.#calls.filter((call) => this.#reach.isCallOf(call, declaration))
      .map((call) => this.#join(call.node, fateOf(ts, call.node)));
    const fate = fates.length === 0 || fates.includes("passed")
      ? "passed"
      : fates.find((each) => each !== "lost") ?? "lost";
    this.#known.set(node, fate);
    return fate;
  }
}

function guardText(
  { file, node }: ReachedAccess,
  { reach, calls, isMarked }: GuardOptions & { readonly calls: readonly ReachedCall[] },
): string {
  const { ts } = reach.sources;
  const name = node.name.text;
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.expression !== node) return name;
  const literals = parent.arguments.flatMap((argument) =>
    ts.isStringLiteralLike(argument) ? [argument.text] : []
  );
  // Only the arguments of `requireRole` say whom it lets pass.
  const isRequest = (argument: ts.Expression): boolean =>
    name !== "requireRole" && ts.isIdentifier(argument) &&
    /^(?:c|ctx|context|next|user)$/.test(argument.text);
  const code = parent.arguments.filter((argument) =>
    !ts.isStringLiteralLike(argument) && !isRequest(argument)
  ).map((argument) => ({ file, node: argument }));
  const rest = code.length === 0 ? [] : [isMarked ? fingerprint(code, { reach, calls }) : "…"];
  const shown = [...literals, ...rest];
  return shown.length === 0 ? name : `${name}(${shown.join(",").replaceAll(/\s+/g, "_")})`;
}

/** Reports whether a middleware is a guard of `@fw/fw/auth` and nothing else, whose name says it all. */
function isLibraryGuard({ file, node }: Declaration, { reach, names }: GuardOptions): boolean {
  const { ts } = reach.sources;
  if (ts.isBindingElement(node)) {
    return ts.isIdentifier(node.name) && names.isGuard(file, node.name);
  }
  const value = ts.isVariableDeclaration(node) && node.initializer !== undefined
    ? unwrap(ts, node.initializer)
    : undefined;
  const named = value !== undefined && ts.isCallExpression(value) ? value.expression : value;
  return named !== undefined && ts.isPropertyAccessExpression(named) && names.isGuard(file, named);
}

/** Reports whether a middleware may end without `next()`, or throw. */
function mayRefuse(code: Declaration, { reach }: GuardOptions): boolean {
  const { ts } = reach.sources;
  // The rate has a field of its own.
  if (isLimit(code, reach)) return false;
  const outer = functionIn(ts, code.node);
  // Made by a call or by a package: its body is not in this file.
  if (outer?.body === undefined) return true;
  const next = outer.parameters[1]?.name.getText();
  if (next === undefined || !passesOn(outer, { reach, file: code.file, next })) return true;
  return reach.from(code).some(({ node }) => throws(node, reach)) ||
    reach.calls(reach.from(code)).some(({ name, isMethod, node }) =>
      isMethod && (/^bind/.test(name) || (name === "param" && node.arguments.length > 1)) &&
      ts.isPropertyAccessExpression(node.expression)
    );
}

function isLimit({ file, node }: Declaration, reach: Reach): boolean {
  const { ts } = reach.sources;
  const made = ts.isVariableDeclaration(node) ? node.initializer : undefined;
  if (made === undefined || !ts.isCallExpression(made) || !ts.isIdentifier(made.expression)) {
    return false;
  }
  return reach.isFramework(file, made.expression.text, { as: "limit" });
}

/** Reports whether every way through a function calls `next`. */
function passesOn(
  { body }: ts.FunctionLikeDeclaration,
  { reach, file, next }: {
    readonly reach: Reach;
    readonly file: string;
    /** The name of the function that runs what follows. */
    readonly next: string;
  },
): boolean {
  const { ts } = reach.sources;
  const isPackageCall = (node: ts.Node): boolean =>
    ts.isCallExpression(node) &&
    !(ts.isIdentifier(node.expression) && reach.local(file, node.expression.text) !== undefined);
  const calls = (node: ts.Node): boolean => {
    // Such as `storage.run(value, () => next())`; a function of the app may not call what it gets.
    if (ts.isFunctionLike(node) && !isPackageCall(node.parent)) return false;
    if (ts.isConditionalExpression(node)) {
      return calls(node.condition) || (calls(node.whenTrue) && calls(node.whenFalse));
    }
    if (ts.isBinaryExpression(node) && isShort(node.operatorToken.kind)) return calls(node.left);
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      if (node.expression.text === next) return true;
      const called = reach.local(file, node.expression.text);
      if (called !== undefined && isLimit(called, reach)) return true;
    }
    return ts.forEachChild(node, (child) => calls(child) || undefined) ?? false;
  };
  const { SyntaxKind: Kind } = ts;
  const isShort = (kind: ts.SyntaxKind): boolean =>
    kind === Kind.AmpersandAmpersandToken || kind === Kind.BarBarToken ||
    kind === Kind.QuestionQuestionToken;
  /** Returns whether the statements have called `next` when they end; `ends` for a `return` before it. */
  const walk = (statements: readonly ts.Statement[], hasCalled = false): "ends" | boolean => {
    let called = hasCalled;
    for (const statement of statements) {
      const state = one(statement, called);
      if (state === "ends") return "ends";
      called = state;
    }
    return called;
  };
  const one = (statement: ts.Statement, called: boolean): "ends" | boolean => {
    if (ts.isReturnStatement(statement)) {
      return called || (statement.expression !== undefined && calls(statement.expression))
        ? true
        : "ends";
    }
    if (ts.isBlock(statement)) return walk(statement.statements, called);
    if (ts.isIfStatement(statement)) {
      const before = called || calls(statement.expression);
      const yes = one(statement.thenStatement, before);
      const no = statement.elseStatement === undefined
        ? before
        : one(statement.elseStatement, before);
      if (yes === "ends" || no === "ends") return "ends";
      // A branch that returned has passed on; the other one goes on.
      return returns(statement.thenStatement) ? no : yes && no;
    }
    if (ts.isTryStatement(statement)) {
      const inner = walk(statement.tryBlock.statements, called);
      const caught = statement.catchClause === undefined
        ? true
        : walk(statement.catchClause.block.statements, called);
      return inner === "ends" || caught === "ends" ? "ends" : inner;
    }
    if (endsBefore(statement, ts)) return "ends";
    return called || calls(statement);
  };
  const returns = (statement: ts.Statement): boolean =>
    ts.isReturnStatement(statement) ||
    (ts.isBlock(statement) && statement.statements.some(ts.isReturnStatement));
  if (body === undefined) return false;
  return ts.isBlock(body) ? walk(body.statements) === true : calls(body);
}

function throws(node: ts.Node, { sources: { ts } }: Reach): boolean {
  const visit = (at: ts.Node): boolean =>
    ts.isThrowStatement(at) || (ts.forEachChild(at, (child) => visit(child) || undefined) ?? false);
  return visit(node);
}
