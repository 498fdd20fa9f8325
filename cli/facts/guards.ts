/** Lists the guards of operations: those of `@fw/fw/auth`, and code that refuses by itself. */
import ts from "npm:typescript@6.0.3";
import {
  containsNode,
  endsFunction,
  functionIn,
  unwrap,
  writtenText,
} from "../project/sources/syntax.ts";
import { type AuthNames, guardNames } from "./auth_names.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Declaration } from "../project/sources/names.ts";
import type { Reach, ReachedAccess, ReachedCall } from "./reach.ts";
import { fateOf, findConditions, findRefusals, type Outcome } from "./refusals.ts";

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
    const once = (kind: string, { node }: Declaration, read: () => readonly string[]) =>
      this.#known.getOrInsertComputed(`${kind} ${isMarked}`, () => new Map())
        .getOrInsertComputed(node, read);
    const own = handler === undefined ? [] : once("handler", handler, () => [
      ...libraryGuards(handler, { ...options, isHandler: true }),
      ...handlerRefusals(handler, options),
    ]);
    const outer = middleware.flatMap((each) =>
      once("middleware", each, () => {
        const named = libraryGuards(each, options);
        // For people the names of the guards inside say enough.
        return !isMarked && named.length > 0
          ? named
          : [...named, ...middlewareGuard(each, options)];
      })
    );
    return [...new Set([...outer, ...own])];
  }
}

function middlewareGuard(code: Declaration, options: GuardOptions): string[] {
  if (isLibraryGuard(code, options) || !mayRefuse(code, options.reach)) return [];
  const { reach, isMarked } = options;
  const mark = isMarked ? fingerprint([code], reach, []) : "";
  return [`${code.file}:${code.name}${mark}`];
}

/** Returns `401` and `403` for a handler that answers so, each with what decides about it. */
function handlerRefusals(handler: Declaration, { reach, isMarked }: GuardOptions): string[] {
  const own = reach.from(handler);
  const calls = reach.calls(own);
  return findRefusals(own, reach).map(({ status, parts }) =>
    status + (isMarked ? fingerprint(parts, reach, calls) : "")
  );
}

function libraryGuards(
  code: Declaration,
  options: GuardOptions & { readonly isHandler?: boolean },
): string[] {
  const { reach, names, isMarked } = options;
  const all = reach.from(code);
  const calls = reach.calls(all);
  const fates = new Fates(code, { all, calls, reach });
  // The mark of a middleware covers all that it does.
  const conditionMark = (guard: ts.Node): string => {
    const owner = isMarked && options.isHandler ? fates.ownerOf(guard) : undefined;
    const parts = owner && findConditions(guard, owner, { declarations: all, reach });
    return parts?.length ? fingerprint(parts, reach, calls) : "";
  };
  const accesses = reach.accesses(all)
    .filter(({ file, node }) => guardNames.has(node.name.text) && names.isGuard(file, node))
    .flatMap((access) => {
      const fate = fates.of(access.node);
      if (fate === "lost") return [];
      const text = guardText(access, { reach, isMarked, calls });
      if (fate === "passed") return [text + conditionMark(access.node)];
      const caught = [{ file: fate.getSourceFile().fileName, node: fate }];
      return [text + (isMarked ? fingerprint(caught, reach, calls) : "…")];
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
    let call = guard;
    while (ts.isCallExpression(call.parent) && call.parent.expression === call) call = call.parent;
    return this.#join(call, call === guard ? "passed" : fateOf(call));
  }

  #join(node: ts.Node, own: Outcome): Outcome {
    const owner = own === "passed" ? this.ownerOf(node) : undefined;
    return owner === undefined ? own : this.#ofDeclaration(owner);
  }

  ownerOf(node: ts.Node): Declaration | undefined {
    const owner = ts.findAncestor(node, (at) => this.#owners.has(at));
    return owner && this.#owners.get(owner);
  }

  #ofDeclaration(declaration: Declaration): Outcome {
    const { node } = declaration;
    const known = this.#known.get(node);
    if (known !== undefined) return known;
    // A function that only calls itself leads nowhere.
    this.#known.set(node, "lost");
    const fates = this.#calls.filter((call) => this.#reach.isCallOf(call, declaration))
      .map((call) => this.#join(call.node, fateOf(call.node)));
    const fate = fates.length === 0 || fates.includes("passed")
      ? "passed"
      : fates.find((each) => each !== "lost") ?? "lost";
    this.#known.set(node, fate);
    return fate;
  }
}

function guardText({ file, node }: ReachedAccess, { reach, calls, isMarked }: {
  readonly reach: Reach;
  readonly calls: readonly ReachedCall[];
  readonly isMarked: boolean;
}): string {
  const name = node.name.text;
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.expression !== node) return name;
  const literals = parent.arguments.flatMap((argument) => writtenText(argument) ?? []);
  // Only the arguments of `requireRole` say whom it lets pass.
  const isRequest = (argument: ts.Expression): boolean =>
    name !== "requireRole" && ts.isIdentifier(argument) &&
    /^(?:c|ctx|context|next|user)$/.test(argument.text);
  const code = parent.arguments.filter((argument) =>
    writtenText(argument) === undefined && !isRequest(argument)
  ).map((argument) => ({ file, node: argument }));
  const rest = code.length === 0 ? [] : [isMarked ? fingerprint(code, reach, calls) : "…"];
  const shown = [...literals, ...rest];
  return shown.length === 0 ? name : `${name}(${shown.join(",").replaceAll(/\s+/g, "_")})`;
}

/** Reports whether a middleware is a guard of `@fw/fw/auth` and nothing else, whose name says it all. */
function isLibraryGuard({ file, node }: Declaration, { names }: GuardOptions): boolean {
  if (ts.isBindingElement(node)) {
    return ts.isIdentifier(node.name) && names.isGuard(file, node.name);
  }
  const value = ts.isVariableDeclaration(node) && node.initializer && unwrap(node.initializer);
  const named = value && ts.isCallExpression(value) ? value.expression : value;
  return named && ts.isPropertyAccessExpression(named) ? names.isGuard(file, named) : false;
}

/** Reports whether a middleware may end without `next()`, or throw. */
function mayRefuse(code: Declaration, reach: Reach): boolean {
  // The rate has a field of its own.
  if (reach.frameworkCall(code, "limit")) return false;
  const outer = functionIn(code.node);
  // Made by a call or by a package: its body is not in this file.
  if (outer?.body === undefined) return true;
  const next = outer.parameters[1]?.name.getText();
  if (next === undefined || !passesOn(outer.body, { reach, file: code.file, next })) return true;
  const all = reach.from(code);
  return all.some(({ node }) => containsNode(node, ts.isThrowStatement)) ||
    reach.calls(all).some(({ name, isMethod, node }) =>
      isMethod && (/^bind/.test(name) || (name === "param" && node.arguments.length > 1))
    );
}

/** Reports whether every way through a function calls `next`. */
function passesOn(
  body: ts.Node,
  { reach, file, next }: {
    readonly reach: Reach;
    readonly file: string;
    /** The name of the function that runs what follows. */
    readonly next: string;
  },
): boolean {
  const isPackageCall = (node: ts.Node): boolean =>
    ts.isCallExpression(node) &&
    !(ts.isIdentifier(node.expression) && reach.local(file, node.expression.text) !== undefined);
  const calls = (node: ts.Node): boolean => {
    // Such as `storage.run(value, () => next())`; a function of the app may not call what it gets.
    if (ts.isFunctionLike(node) && !isPackageCall(node.parent)) return false;
    if (ts.isConditionalExpression(node)) {
      return calls(node.condition) || (calls(node.whenTrue) && calls(node.whenFalse));
    }
    if (ts.isBinaryExpression(node) && /^(?:&&|\|\||\?\?)$/.test(node.operatorToken.getText())) {
      return calls(node.left);
    }
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
      if (node.expression.text === next) return true;
      const called = reach.local(file, node.expression.text);
      if (called !== undefined && reach.frameworkCall(called, "limit")) return true;
    }
    return ts.forEachChild(node, (child) => calls(child) || undefined) === true;
  };
  /** Returns whether `next` was called when a statement ends; `ends` for a `return` before it. */
  const flow = (at: ts.Statement, called = false): "ends" | boolean => {
    if (ts.isBlock(at)) {
      return at.statements.reduce<"ends" | boolean>(
        (state, each) => state === "ends" ? state : flow(each, state),
        called,
      );
    }
    if (ts.isReturnStatement(at)) {
      return called || (at.expression !== undefined && calls(at.expression)) || "ends";
    }
    if (ts.isIfStatement(at)) {
      const before = called || calls(at.expression);
      const yes = flow(at.thenStatement, before);
      const no = at.elseStatement === undefined ? before : flow(at.elseStatement, before);
      if (yes === "ends" || no === "ends") return "ends";
      // A branch that returned has passed on; the other one goes on.
      return returns(at.thenStatement) ? no : yes && no;
    }
    if (ts.isTryStatement(at)) {
      const caught = at.catchClause === undefined || flow(at.catchClause.block, called);
      return caught === "ends" ? caught : flow(at.tryBlock, called);
    }
    return endsFunction(at) ? "ends" : called || calls(at);
  };
  return ts.isBlock(body) ? flow(body) === true : calls(body);
}

function returns(statement: ts.Statement): boolean {
  return ts.isReturnStatement(statement) ||
    (ts.isBlock(statement) && statement.statements.some(ts.isReturnStatement));
}
