/** Finds refusals, what decides about them, and what becomes of them. */
import ts from "npm:typescript@6.0.3";
import { containsNode, endsFunction, walk } from "../project/sources/syntax.ts";
import type { CodePart } from "./fingerprint.ts";
import type { Declaration } from "../project/sources/names.ts";
import type { Reach } from "./reach.ts";

interface Refusal {
  readonly status: string;
  /** The refusal, the calls that lead to it, and the conditions around them. */
  readonly parts: readonly CodePart[];
}

/** Makes an error or a response of a status: `httpError(401)`, `c.json(403, …)`, `new HttpError(401)`. */
const makers = /(?:^|\.)(?:HttpError|httpError)$|^(?:c|ctx|context)\.\w+$/;

export function findRefusals(declarations: readonly Declaration[], reach: Reach): Refusal[] {
  const found = new Map<string, { readonly by: Set<Declaration>; readonly parts: CodePart[] }>();
  for (const declaration of declarations) {
    const { file, node } = declaration;
    if (!/\b40[13]\b/.test(node.getText())) continue;
    walk(node, (at) => {
      const isMade = ts.isNewExpression(at) || ts.isCallExpression(at);
      const status = isMade ? statusOf(at) : undefined;
      if (status === undefined) return;
      const { by, parts } = found.getOrInsertComputed(status, () => ({ by: new Set(), parts: [] }));
      by.add(declaration);
      parts.push(...decisionsAround(at, node).map((each) => ({ file, node: each })));
    });
  }
  return [...found].map(([status, { by, parts }]) => ({
    status,
    parts: [...parts, ...callsBefore(by, { declarations, reach }, decisionsAround)],
  }));
}

/**
 * Returns what decides whether code runs, in the declaration that holds it and around the calls that lead there.
 * What becomes of an error is not part of it.
 */
export function findConditions(code: ts.Node, owner: Declaration, calls: CallsOptions): CodePart[] {
  const own = conditionsAround(code, owner.node).map((node) => ({ file: owner.file, node }));
  return [...own, ...callsBefore(new Set([owner]), calls, conditionsAround)]
    .filter(({ node }) => !ts.isCatchClause(node));
}

interface CallsOptions {
  readonly declarations: readonly Declaration[];
  readonly reach: Reach;
}

/** Returns what decides about the calls that lead to declarations. */
function callsBefore(
  callees: Set<Declaration>,
  { declarations, reach }: CallsOptions,
  around: typeof conditionsAround,
): CodePart[] {
  const parts = new Map<ts.Node, CodePart>();
  // A set that grows while it is walked.
  for (const callee of callees) {
    for (const caller of declarations) {
      const { file, node } = caller;
      for (const call of reach.calls([caller])) {
        if (!reach.isCallOf(call, callee)) continue;
        callees.add(caller);
        for (const each of around(call.node, node)) parts.set(each, { file, node: each });
      }
    }
  }
  return [...parts.values()];
}

function decisionsAround(node: ts.Node, end: ts.Node): ts.Node[] {
  const found: ts.Node[] = [node];
  const { parent: user } = node;
  const isAwaited = ts.isAwaitExpression(user) && !ts.isReturnStatement(user.parent);
  if (ts.isThrowStatement(user) || ts.isReturnStatement(user) || isAwaited) found.push(user);
  else if (ts.isPropertyAccessExpression(user)) found.push(user.parent);
  return [...found, ...conditionsAround(node, end)];
}

/** Returns what decides, inside `end`, whether a node runs. */
function conditionsAround(node: ts.Node, end: ts.Node): ts.Node[] {
  const found: ts.Node[] = [];
  for (let at = node; at !== end && at.parent !== undefined; at = at.parent) {
    const { parent } = at;
    if (ts.isIfStatement(parent) || ts.isWhileStatement(parent)) {
      if (parent.expression !== at) found.push(parent.expression);
    } else if (ts.isConditionalExpression(parent)) {
      if (parent.condition !== at) found.push(parent.condition);
    } else if (ts.isBinaryExpression(parent)) found.push(parent);
    else if (ts.isTryStatement(parent)) {
      if (parent.tryBlock === at && parent.catchClause) found.push(parent.catchClause);
    } else if (ts.isCaseClause(parent)) {
      found.push(parent.expression, parent.parent.parent.expression);
    } else if (ts.isForOfStatement(parent)) found.push(parent.expression);
    else if (ts.isBlock(parent)) {
      // What ends the function before.
      for (const statement of parent.statements) {
        if (statement === at) break;
        if (!endsFunction(statement)) continue;
        found.push(ts.isIfStatement(statement) ? statement.expression : statement);
      }
    }
  }
  return found;
}

function statusOf(at: ts.NewExpression | ts.CallExpression): string | undefined {
  const callee = at.expression.getText();
  const [first, second] = at.arguments ?? [];
  if (first !== undefined && ts.isNumericLiteral(first) && makers.test(callee)) {
    return /^40[13]$/.test(first.text) ? first.text : undefined;
  }
  const init = callee === "Problem"
    ? first
    : /^Response(?:\.json)?$/.test(callee)
    ? second
    : undefined;
  return /\bstatus: ?(40[13])\b/.exec(init?.getText() ?? "")?.[1];
}

/** `passed` to the caller, `lost` where nothing waits for the promise; the code that catches it. */
export type Outcome = "passed" | "lost" | ts.Node;

export function fateOf(call: ts.Node): Outcome {
  for (let at = call;; at = at.parent) {
    const { parent } = at;
    if (ts.isAwaitExpression(parent)) return catchAround(parent) ?? "passed";
    if (ts.isExpressionStatement(parent) || ts.isVoidExpression(parent)) return "lost";
    if (ts.isVariableDeclaration(parent)) return isUsed(parent) ? "passed" : "lost";
    if (ts.isPropertyAccessExpression(parent)) {
      const chained = parent.parent;
      if (!ts.isCallExpression(chained) || chained.expression !== parent) return "passed";
      const onError = chained.arguments[parent.name.text === "then" ? 1 : 0];
      if (onError !== undefined && /^(?:catch|then)$/.test(parent.name.text)) return onError;
    } else if (ts.isArrayLiteralExpression(parent)) {
      const all = ts.isCallExpression(parent.parent) ? parent.parent.expression.getText() : "";
      if (/\.(?:allSettled|any)$/.test(all)) return "lost";
    } else if (!isTransparent(parent, at)) return "passed";
  }
}

function isTransparent(parent: ts.Node, at: ts.Node): boolean {
  if (ts.isBinaryExpression(parent)) {
    return parent.right === at || parent.operatorToken.kind === ts.SyntaxKind.CommaToken;
  }
  if (ts.isCallExpression(parent)) {
    const { expression } = parent;
    return expression === at || /^Promise\.(?:all|race|resolve)$/.test(expression.getText());
  }
  return ts.isParenthesizedExpression(parent) || ts.isAsExpression(parent) ||
    ts.isNonNullExpression(parent) || ts.isConditionalExpression(parent);
}

/** Returns the clause that catches an error, unless it always throws again. */
function catchAround(node: ts.Node): ts.Node | undefined {
  for (let at = node; at.parent !== undefined && !ts.isFunctionLike(at); at = at.parent) {
    const { parent } = at;
    if (!ts.isTryStatement(parent) || parent.tryBlock !== at) continue;
    const last = parent.catchClause?.block.statements.at(-1);
    const isThrown = last !== undefined && ts.isThrowStatement(last);
    if (parent.catchClause !== undefined && !isThrown) return parent.catchClause;
  }
  return undefined;
}

function isUsed(variable: ts.VariableDeclaration): boolean {
  const { name } = variable;
  const scope = ts.findAncestor(variable, ts.isFunctionLike);
  if (!ts.isIdentifier(name) || scope === undefined) return true;
  return containsNode(
    scope,
    (at) => ts.isIdentifier(at) && at.text === name.text && isWaitedFor(at),
  );
}

function isWaitedFor({ parent }: ts.Node): boolean {
  return ts.isAwaitExpression(parent) || ts.isReturnStatement(parent) ||
    ts.isArrayLiteralExpression(parent) ||
    (ts.isPropertyAccessExpression(parent) && parent.name.text === "then");
}
