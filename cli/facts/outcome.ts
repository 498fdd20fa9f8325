/** Tells what becomes of a refusal: whether it reaches the caller, is lost, or is caught. */
import ts from "npm:typescript@6.0.3";
import { containsNode } from "../project/sources/syntax.ts";

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
