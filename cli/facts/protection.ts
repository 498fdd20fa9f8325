/**
 * Finds what protects an operation: guards, limits, body size, deadlines and caching. Each is what
 * the code of the handler and of its middleware names; conditions in the code are not evaluated.
 */
import type { TypeScript } from "../project/sources/module_names.ts";
import { fingerprint } from "./fingerprint.ts";
import type { Operation, Operations } from "./operations.ts";
import type { Reach, ReachedCall } from "./reach.ts";
import { calculate } from "../project/settings/value.ts";
import { unwrap } from "../project/sources/functions.ts";
import type ts from "npm:typescript@6.0.3";

/** What the code of an operation asks for. */
export interface Protection {
  /** The guards, such as `requireRole(editor)` and `app/admin/middleware.ts:Middleware`. */
  readonly guards: readonly string[];
  /** The rate limits, such as `limit(1,30)`. */
  readonly limits: readonly string[];
  /** The largest `c.allowBody`, in bytes; a fingerprint of the code if only running code knows it. */
  readonly allowedBytes: number | string | undefined;
  /** The values of `c.cacheControl`; a fingerprint of the code for one that only running code knows. */
  readonly cache: readonly string[];
  readonly dropsReadDeadline: boolean;
  readonly dropsWriteDeadline: boolean;
}

export interface ProtectionOptions {
  /** The value of `config.maxBodyBytes`, if it is known. */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Whether a guard has a fingerprint of the code that it runs.
   *
   * @default false
   */
  readonly isMarked?: boolean;
}

export function protectionOf(
  operation: Operation,
  { reach, guards }: Operations,
  { maxBodyBytes, isMarked = false }: ProtectionOptions = {},
): Protection {
  const { handler, middleware } = operation;
  const chain = [...middleware, ...(handler === undefined ? [] : [handler])];
  const all = [...new Set(chain.flatMap((each) => reach.from(each)))];
  const calls = reach.calls(all);
  return {
    guards: guards.list(operation, { isMarked }),
    limits: limitsIn(calls, reach),
    allowedBytes: allowedBytes(calls, { reach, maxBodyBytes }),
    cache: cacheControls(calls, reach),
    dropsReadDeadline: isCalled(calls, ["noReadDeadline", "upgrade"]),
    dropsWriteDeadline: isCalled(calls, ["noWriteDeadline", "stream", "upgrade"]),
  };
}

function isCalled(calls: readonly ReachedCall[], names: readonly string[]): boolean {
  return calls.some(({ name, isMethod, node }) =>
    isMethod && names.includes(name) && isOnContext(node)
  );
}

/** Reports whether a call is on something named like the request's context. */
function isOnContext({ expression }: ts.CallExpression): boolean {
  return /^(?:c|ctx|context)\./.test(expression.getText());
}

function limitsIn(calls: readonly ReachedCall[], reach: Reach): string[] {
  const { ts } = reach.sources;
  const found = new Set<string>();
  for (const { file, node, name, isMethod } of calls) {
    if (isMethod || !reach.isFramework(file, name, { as: "limit" })) continue;
    const numbers = node.arguments.slice(0, 2).map((argument) =>
      numberOf(argument, { reach, file }) ??
        fingerprint([{ file, node: argument }], { reach, calls })
    );
    const label = labelOf(node.arguments[2], ts);
    found.add(`limit(${[...numbers, ...label].join(",")})`);
  }
  return [...found];
}

/**
 * Returns the `name` among the options of a limit, which distinguishes limits with the same
 * numbers.
 */
function labelOf(options: ts.Expression | undefined, parser: TypeScript): string[] {
  if (options === undefined || !parser.isObjectLiteralExpression(options)) return [];
  return options.properties.flatMap((property) =>
    parser.isPropertyAssignment(property) && property.name.getText() === "name" &&
      parser.isStringLiteralLike(property.initializer)
      ? [property.initializer.text]
      : []
  );
}

function allowedBytes(
  calls: readonly ReachedCall[],
  { reach, maxBodyBytes }: { readonly reach: Reach; readonly maxBodyBytes: number | undefined },
): Protection["allowedBytes"] {
  const found = calls.filter(({ name, isMethod, node }) =>
    isMethod && name === "allowBody" && isOnContext(node)
  ).flatMap(({ file, node: { arguments: [first] } }) => first === undefined ? [] : { file, first });
  if (found.length === 0) return undefined;
  const values = found.map(({ file, first }) => numberOf(first, { reach, file, maxBodyBytes }));
  const known = values.filter((value) => value !== undefined);
  return known.length === values.length
    ? Math.max(...known)
    : fingerprint(found.map(({ file, first: node }) => ({ file, node })), { reach, calls });
}

function cacheControls(calls: readonly ReachedCall[], reach: Reach): string[] {
  const found = new Set<string>();
  for (const { file, name, isMethod, node } of calls) {
    if (!isMethod || name !== "cacheControl" || !isOnContext(node)) continue;
    const [first] = node.arguments;
    if (first === undefined) continue;
    const texts = writtenTexts(first, { reach, file }) ??
      [fingerprint([{ file, node: first }], { reach, calls })];
    for (const text of texts) found.add(text);
  }
  return [...found];
}

/**
 * Reports whether shared caches may keep a response with one of some `Cache-Control` values, joined
 * by `+`.
 */
export function isShared(controls: string): boolean {
  return /(?:^|[+,])\s*(?:public|s-maxage=[1-9]\d*)\s*(?=$|[+,])/.test(controls);
}

/** Reports whether an operation checks a password or starts a session by itself. */
export function signsIn({ handler }: Operation, { reach }: Operations): boolean {
  if (handler === undefined) return false;
  return reach.calls(reach.from(handler)).some(({ file, name, isMethod, node }) => {
    if (!isMethod) {
      return reach.isFramework(file, name, { entry: "auth", as: "verifyPassword" });
    }
    return name === "start" && /(?:^|\.)sessions\.start$/.test(node.expression.getText()) &&
      node.arguments.length >= 2;
  });
}

interface ValueScope {
  readonly reach: Reach;
  readonly file: string;
  /** The value of `config.maxBodyBytes`, if it is known. */
  readonly maxBodyBytes?: number | undefined;
}

interface Scope<T> extends ValueScope {
  /** The values of constants: `undefined` at first, so a circle has none. */
  readonly known: Map<ts.Node, T | undefined>;
}

/**
 * Evaluates a number: a literal, a constant, `config.maxBodyBytes`, and what `*`, `+`, `-`, `/`,
 * `Math.max` and `Math.min` make of such.
 *
 * @returns `undefined` for any other expression.
 */
function numberOf(expression: ts.Expression, scope: ValueScope): number | undefined {
  return evaluate(expression, { ...scope, known: new Map() });
}

function evaluate(written: ts.Expression, scope: Scope<number>): number | undefined {
  const { ts } = scope.reach.sources;
  const expression = unwrap(ts, written);
  if (ts.isNumericLiteral(expression)) return Number(expression.text.replaceAll("_", ""));
  if (ts.isBinaryExpression(expression)) {
    const left = evaluate(expression.left, scope);
    const right = evaluate(expression.right, scope);
    if (left === undefined || right === undefined) return undefined;
    return calculate(ts, { operator: expression.operatorToken.kind, left, right });
  }
  if (ts.isCallExpression(expression)) return choose(expression, scope);
  if (ts.isPropertyAccessExpression(expression)) {
    const text = expression.getText().replaceAll(/\s+/g, "");
    return /(?:^|\.)app\.config\.maxBodyBytes$/.test(text) ? scope.maxBodyBytes : undefined;
  }
  return ofConstant(expression, scope, evaluate);
}

function choose(call: ts.CallExpression, scope: Scope<number>): number | undefined {
  const [, name] = /^Math\.(max|min)$/.exec(call.expression.getText()) ?? [];
  if (name === undefined || call.arguments.length === 0) return undefined;
  const values = call.arguments.map((argument) => evaluate(argument, scope));
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return undefined;
  return name === "max" ? Math.max(...known) : Math.min(...known);
}

/**
 * Lists the texts that an expression may be: a literal, a constant, or those of both branches of a
 * condition, which is not evaluated.
 *
 * @returns `undefined` for any other expression.
 */
function writtenTexts(written: ts.Expression, scope: ValueScope): string[] | undefined {
  return listTexts(written, { ...scope, known: new Map() });
}

function listTexts(written: ts.Expression, scope: Scope<string[]>): string[] | undefined {
  const { ts } = scope.reach.sources;
  const expression = unwrap(ts, written);
  if (ts.isStringLiteralLike(expression)) return [expression.text];
  if (ts.isConditionalExpression(expression)) {
    const whenTrue = listTexts(expression.whenTrue, scope);
    const whenFalse = listTexts(expression.whenFalse, scope);
    return whenTrue && whenFalse && [...new Set([...whenTrue, ...whenFalse])];
  }
  return ofConstant(expression, scope, listTexts);
}

/** Evaluates a constant at the top level of a file, by its name. */
function ofConstant<T>(
  expression: ts.Expression,
  scope: Scope<T>,
  evaluateWith: (written: ts.Expression, scope: Scope<T>) => T | undefined,
): T | undefined {
  const { reach, file, known } = scope;
  const { ts } = reach.sources;
  if (!ts.isIdentifier(expression)) return undefined;
  const found = reach.local(file, expression.text);
  if (found === undefined || !ts.isVariableDeclaration(found.node)) return undefined;
  const { node } = found;
  // What is assigned again has other values too.
  if ((ts.getCombinedNodeFlags(node) & ts.NodeFlags.Const) === 0) return undefined;
  if (known.has(node)) return known.get(node);
  known.set(node, undefined);
  const value = node.initializer && evaluateWith(node.initializer, { ...scope, file: found.file });
  known.set(node, value);
  return value;
}
