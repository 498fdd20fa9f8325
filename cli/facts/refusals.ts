/** Finds refusals, their conditions, and whether they reach the client. */
import ts from "npm:typescript@6.0.3";
import { containsNode, endsFunction, walk } from "../project/sources/syntax.ts";
import type { CodePart } from "./fingerprint.ts";
import type { Declaration } from "../project/sources/names.ts";
import type { Reached, ReachedCall } from "./reach.ts";

/** Calls that create an error or a response: `httpError(401)`, `c.json(403, …)`. */
const makers = /(?:^|\.)(?:HttpError|httpError)$|^(?:c|ctx|context)\.\w+$/;

/** Returns the code of each status: the refusals, the calls that lead to them, and their conditions. */
export function findRefusals(reached: Reached): ReadonlyMap<string, readonly CodePart[]> {
  const found = new Map<string, CodePart[]>();
  for (const owner of reached.declarations) {
    const { file, node } = owner;
    if (!/\b40[13]\b/.test(node.getText())) continue;
    walk(node, (at) => {
      const isMade = ts.isNewExpression(at) || ts.isCallExpression(at);
      const status = isMade ? statusOf(at) : undefined;
      if (status === undefined) return;
      const parts = found.getOrInsertComputed(status, () => []);
      parts.push(...decisionsAround(at, { file, owner }));
      for (const call of reached.callsTo(owner)) parts.push(...decisionsAround(call.node, call));
    });
  }
  return found;
}

/** Returns the conditions for code to run, also around its callers, without the code that handles errors. */
export function findConditions(code: ts.Node, owner: Declaration, reached: Reached): CodePart[] {
  const own = conditionsAround(code, { file: owner.file, owner });
  const before = reached.callsTo(owner).flatMap((call) => conditionsAround(call.node, call));
  return [...own, ...before].filter(({ node }) => !ts.isCatchClause(node));
}

type Held = Pick<ReachedCall, "file" | "owner">;

function decisionsAround(node: ts.Node, held: Held): CodePart[] {
  const found: ts.Node[] = [node];
  const { parent: user } = node;
  const isAwaited = ts.isAwaitExpression(user) && !ts.isReturnStatement(user.parent);
  if (ts.isThrowStatement(user) || ts.isReturnStatement(user) || isAwaited) found.push(user);
  else if (ts.isPropertyAccessExpression(user)) found.push(user.parent);
  const own = found.map((each) => ({ file: held.file, node: each }));
  return [...own, ...conditionsAround(node, held)];
}

/** Returns the conditions, inside its declaration, for a node to run. */
function conditionsAround(node: ts.Node, { file, owner: { node: end } }: Held): CodePart[] {
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
      // Earlier statements may end the function.
      for (const statement of parent.statements) {
        if (statement === at) break;
        if (!endsFunction(statement)) continue;
        found.push(ts.isIfStatement(statement) ? statement.expression : statement);
      }
    }
  }
  return found.map((each) => ({ file, node: each }));
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

/** `passed` up to the caller, `lost` without an `await`, or the code that catches it. */
type Outcome = "passed" | "lost" | ts.Node;

/** Returns the outcome of a guard's refusal on its way through callers to the handler. */
export function findOutcome(guard: ts.Node, start: Declaration, reached: Reached): Outcome {
  let call = guard;
  while (ts.isCallExpression(call.parent) && call.parent.expression === call) call = call.parent;
  const ways = new Set([call]);
  let caught: ts.Node | undefined;
  // The loop also visits the calls that it adds; a function that only calls itself is lost.
  for (const node of ways) {
    const fate = node === guard ? "passed" : classifyUse(node);
    if (fate !== "passed") {
      if (fate !== "lost") caught ??= fate;
      continue;
    }
    const owner = reached.ownerOf(node);
    if (owner === undefined || owner.node === start.node) return "passed";
    const calls = reached.callsOf(owner);
    if (calls.length === 0) return "passed";
    for (const each of calls) ways.add(each.node);
  }
  return caught ?? "lost";
}

function classifyUse(call: ts.Node): Outcome {
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

/** Returns the clause that catches an error, unless it always rethrows. */
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
