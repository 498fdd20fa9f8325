/** Tells what becomes of a refusal: whether it reaches the caller, is lost, or is caught. */
import type { TypeScript } from "../project/sources/module_names.ts";
import type ts from "npm:typescript@6.0.3";

/** `passed` to the caller, `lost` where nothing waits for the promise; the code that catches it. */
export type Outcome = "passed" | "lost" | ts.Node;

export function fateOf(parser: TypeScript, call: ts.Node): Outcome {
  for (let at = call;; at = at.parent) {
    const { parent } = at;
    if (parser.isAwaitExpression(parent)) return catchAround(parser, parent) ?? "passed";
    if (parser.isExpressionStatement(parent) || parser.isVoidExpression(parent)) return "lost";
    if (parser.isVariableDeclaration(parent)) return isUsed(parser, parent) ? "passed" : "lost";
    if (parser.isPropertyAccessExpression(parent)) {
      const chained = parent.parent;
      if (!parser.isCallExpression(chained) || chained.expression !== parent) return "passed";
      const onError = chained.arguments[parent.name.text === "then" ? 1 : 0];
      if (onError !== undefined && /^(?:catch|then)$/.test(parent.name.text)) return onError;
    } else if (parser.isArrayLiteralExpression(parent)) {
      const all = parser.isCallExpression(parent.parent) ? parent.parent.expression.getText() : "";
      if (/\.(?:allSettled|any)$/.test(all)) return "lost";
    } else if (!isTransparent(parser, parent, at)) return "passed";
  }
}

function isTransparent(parser: TypeScript, parent: ts.Node, at: ts.Node): boolean {
  if (parser.isBinaryExpression(parent)) return parent.right === at || isComma(parser, parent);
  if (parser.isCallExpression(parent)) return parent.expression === at || isPromiseCall(parent);
  return parser.isParenthesizedExpression(parent) || parser.isAsExpression(parent) ||
    parser.isNonNullExpression(parent) || parser.isConditionalExpression(parent);
}

function isComma(parser: TypeScript, { operatorToken }: ts.BinaryExpression): boolean {
  return operatorToken.kind === parser.SyntaxKind.CommaToken;
}

function isPromiseCall({ expression }: ts.CallExpression): boolean {
  return /^Promise\.(?:all|race|resolve)$/.test(expression.getText());
}

/** Returns the clause that catches an error, unless it always throws again. */
function catchAround(parser: TypeScript, node: ts.Node): ts.Node | undefined {
  for (let at = node; at.parent !== undefined && !parser.isFunctionLike(at); at = at.parent) {
    const { parent } = at;
    if (!parser.isTryStatement(parent) || parent.tryBlock !== at) continue;
    const last = parent.catchClause?.block.statements.at(-1);
    const isThrown = last !== undefined && parser.isThrowStatement(last);
    if (parent.catchClause !== undefined && !isThrown) return parent.catchClause;
  }
  return undefined;
}

function isUsed(parser: TypeScript, variable: ts.VariableDeclaration): boolean {
  const { name } = variable;
  let scope: ts.Node = variable;
  while (!parser.isFunctionLike(scope) && !parser.isSourceFile(scope)) scope = scope.parent;
  if (!parser.isIdentifier(name) || parser.isSourceFile(scope)) return true;
  const visit = (at: ts.Node): boolean => {
    if (parser.isIdentifier(at) && at.text === name.text && isWaitedFor(parser, at)) return true;
    return parser.forEachChild(at, (child) => visit(child) || undefined) ?? false;
  };
  return visit(scope);
}

function isWaitedFor(parser: TypeScript, { parent }: ts.Node): boolean {
  return parser.isAwaitExpression(parent) || parser.isReturnStatement(parent) ||
    parser.isArrayLiteralExpression(parent) ||
    (parser.isPropertyAccessExpression(parent) && parent.name.text === "then");
}
