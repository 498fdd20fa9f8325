/** Lists the guards of operations: those of `@fw/fw/auth`, and other code that refuses requests. */
import ts from "npm:typescript@6.0.3";
import {
  containsNode,
  endsFunction,
  functionIn,
  initialValue,
  writtenText,
} from "../project/sources/syntax.ts";
import { type AuthNames, guardNames } from "./auth_names.ts";
import { type CodePart, fingerprint } from "./fingerprint.ts";
import type { Declaration } from "../project/sources/names.ts";
import type { Reach, ReachedAccess } from "./reach.ts";
import { findConditions, findOutcome, findRefusals } from "./refusals.ts";

/** Returns the fingerprint of code, or `unmarked` without marks; `""` for no code. */
type Mark = (parts: readonly CodePart[], unmarked?: string) => string;

export class Guards {
  readonly #reach: Reach;
  readonly #names: AuthNames;
  readonly #known = new Map<string, Map<ts.Node, readonly string[]>>();

  constructor(reach: Reach, names: AuthNames) {
    this.#reach = reach;
    this.#names = names;
  }

  /**
   * Lists the guards of an operation, such as `requireRole(editor)`,
   * `app/admin/middleware.ts:Middleware` for middleware that may refuse, or `403` for a handler.
   */
  list(
    { handler, middleware }: {
      readonly handler: Declaration | undefined;
      /** Outermost first. */
      readonly middleware: readonly Declaration[];
    },
    { isMarked = false }: { readonly isMarked?: boolean } = {},
  ): readonly string[] {
    const once = (kind: string, code: Declaration, read: (mark: Mark) => readonly string[]) =>
      this.#known.getOrInsertComputed(`${kind} ${isMarked}`, () => new Map())
        .getOrInsertComputed(code.node, () =>
          read((parts, unmarked = "…") => {
            if (parts.length === 0) return "";
            return isMarked ? fingerprint(parts, this.#reach.from(code)) : unmarked;
          }));
    const named = (code: Declaration, mark: Mark): readonly string[] => {
      const reached = this.#reach.from(code);
      return this.#named(code, mark, ({ node }) => {
        const owner = isMarked ? reached.ownerOf(node) : undefined;
        return mark(owner === undefined ? [] : findConditions(node, owner, reached));
      });
    };
    const own = handler === undefined ? [] : once("handler", handler, (mark) => {
      const reached = this.#reach.from(handler);
      const refusals = [...findRefusals(reached)].map(([status, parts]) =>
        status + mark(parts, "")
      );
      return [...named(handler, mark), ...refusals];
    });
    const outer = middleware.flatMap((each) =>
      once("middleware", each, (mark) => {
        const found = named(each, mark);
        // For readers, the names of the guards in the middleware are enough.
        const isNamed = !isMarked && found.length > 0;
        return isNamed ? found : [...found, ...this.#refusing(each, isMarked)];
      })
    );
    return [...new Set([...outer, ...own])];
  }

  #named(
    code: Declaration,
    mark: Mark,
    conditions: (guard: ReachedAccess) => string,
  ): readonly string[] {
    const reached = this.#reach.from(code);
    const accesses = reached.accesses
      .filter(({ file, node }) => guardNames.has(node.name.text) && this.#names.isGuard(file, node))
      .flatMap((access) => {
        const outcome = findOutcome(access.node, code, reached);
        if (outcome === "lost") return [];
        const text = guardText(access, mark);
        if (outcome === "passed") return [text + conditions(access)];
        return [text + mark([{ file: outcome.getSourceFile().fileName, node: outcome }])];
      });
    const bound = reached.declarations.flatMap(({ file, node }) =>
      ts.isBindingElement(node) && this.#isBound(file, node)
        ? [(node.propertyName ?? node.name).getText()]
        : []
    );
    return [...accesses, ...bound];
  }

  #isBound(file: string, { name }: ts.BindingElement): boolean {
    return ts.isIdentifier(name) && this.#names.isGuard(file, name);
  }

  #refusing(code: Declaration, isMarked: boolean): string[] {
    const { file, name } = code;
    if (this.#isLibraryGuard(code) || !mayRefuse(code, this.#reach)) return [];
    return [`${file}:${name}${isMarked ? fingerprint([code], this.#reach.fromAll([])) : ""}`];
  }

  /** Reports whether a middleware is just a guard of `@fw/fw/auth`, so that its name is enough. */
  #isLibraryGuard({ file, node }: Declaration): boolean {
    if (ts.isBindingElement(node)) return this.#isBound(file, node);
    const value = initialValue(node);
    const named = value && ts.isCallExpression(value) ? value.expression : value;
    return named && ts.isPropertyAccessExpression(named) ? this.#names.isGuard(file, named) : false;
  }
}

function guardText({ file, node }: ReachedAccess, mark: Mark): string {
  const name = node.name.text;
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.expression !== node) return name;
  const literals = parent.arguments.flatMap((argument) => writtenText(argument) ?? []);
  // Only in `requireRole` do such arguments decide who may pass.
  const isRequest = (argument: ts.Expression): boolean =>
    name !== "requireRole" && ts.isIdentifier(argument) &&
    /^(?:c|ctx|context|next|user)$/.test(argument.text);
  const code = parent.arguments.filter((argument) =>
    writtenText(argument) === undefined && !isRequest(argument)
  ).map((argument) => ({ file, node: argument }));
  const shown = code.length === 0 ? literals : [...literals, mark(code)];
  return shown.length === 0 ? name : `${name}(${shown.join(",").replaceAll(/\s+/g, "_")})`;
}

/** Reports whether a middleware may end without `next()`, or throw. */
function mayRefuse(code: Declaration, reach: Reach): boolean {
  // Rate limits are listed in their own field.
  if (reach.frameworkCall(code, "limit")) return false;
  const outer = functionIn(code.node);
  // The middleware comes from a call or a package, so its body is not in this file.
  if (outer?.body === undefined) return true;
  const next = outer.parameters[1]?.name.getText();
  if (next === undefined || !passesOn(outer.body, { reach, file: code.file, next })) return true;
  const reached = reach.from(code);
  return reached.declarations.some(({ node }) =>
    containsNode(node, (at) => ts.isThrowStatement(at) && !isRethrow(at))
  ) ||
    reached.calls.some(({ name, isMethod, node }) =>
      isMethod && (/^bind/.test(name) || (name === "param" && node.arguments.length > 1))
    );
}

/** Reports whether every path through a function calls `next`, the parameter that runs the next handler. */
function passesOn(
  body: ts.Node,
  { reach, file, next }: { readonly reach: Reach; readonly file: string; readonly next: string },
): boolean {
  const isPackageCall = (node: ts.Node): boolean =>
    ts.isCallExpression(node) &&
    !(ts.isIdentifier(node.expression) && reach.local(file, node.expression.text) !== undefined);
  const calls = (node: ts.Node): boolean => {
    // A package calls its callback, as in `storage.run(value, () => next())`; the app may not.
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
      return called || isMoved(at.expression) ||
        (at.expression !== undefined && calls(at.expression)) || "ends";
    }
    if (ts.isIfStatement(at)) {
      const before = called || calls(at.expression);
      const yes = flow(at.thenStatement, before);
      const no = at.elseStatement === undefined ? before : flow(at.elseStatement, before);
      if (yes === "ends" || no === "ends") return "ends";
      // A branch that returns has called `next`, so only the other one decides.
      return returns(at.thenStatement) ? no : yes && no;
    }
    if (ts.isTryStatement(at)) {
      const caught = at.catchClause === undefined || flow(at.catchClause.block, called);
      return caught === "ends" ? caught : flow(at.tryBlock, called);
    }
    if (isRethrow(at)) return true;
    return endsFunction(at) ? "ends" : called || calls(at);
  };
  return ts.isBlock(body) ? flow(body) === true : calls(body);
}

/** Reports whether an expression is a permanent redirect: it refuses no one, because it moves a URL. */
function isMoved(expression: ts.Expression | undefined): boolean {
  return expression !== undefined && ts.isCallExpression(expression) &&
    /^(?:\w+\.)?redirect$/.test(expression.expression.getText()) &&
    /^30[18]$/.test(expression.arguments[1]?.getText() ?? "");
}

/** Reports whether a statement throws what its `catch` got, as a report of errors does. */
function isRethrow(node: ts.Node): boolean {
  if (!ts.isThrowStatement(node)) return false;
  const name = ts.findAncestor(node, ts.isCatchClause)?.variableDeclaration?.name;
  return name !== undefined && name.getText() === node.expression.getText();
}

function returns(statement: ts.Statement): boolean {
  return ts.isReturnStatement(statement) ||
    (ts.isBlock(statement) && statement.statements.some(ts.isReturnStatement));
}
