import type ts from "npm:typescript@6.0.3";
import type { Effect } from "./effects.ts";
import { type Compiler, literalNumbers, literalText, propertyOf } from "./compiler.ts";

export function responseEffects(
  compiler: Compiler,
  call: ts.CallExpression | ts.NewExpression,
): readonly Effect[] {
  const { ts, checker } = compiler;
  const [first, second] = call.arguments ?? [];
  if (ts.isNewExpression(call)) {
    return isPlatformResponse(compiler, call.expression) ? built(compiler, call) : [];
  }
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee)) return [];
  if (!isPlatformResponse(compiler, callee.expression) || first === undefined) return [];
  if (callee.name.text === "json") {
    const type = checker.getTypeAtLocation(first);
    const statuses = statusesOf(compiler, second);
    return [{ kind: "json", statuses, type, node: call, isDeclared: false }];
  }
  if (callee.name.text !== "redirect") return [];
  const statuses = second === undefined ? [302] : literalNumbers(compiler, second) ?? [302];
  return [{ kind: "redirect", statuses }];
}

function isPlatformResponse({ ts, checker, isOwn }: Compiler, node: ts.Expression): boolean {
  if (!ts.isIdentifier(node) || node.text !== "Response") return false;
  const [declaration] = checker.getSymbolAtLocation(node)?.declarations ?? [];
  return declaration !== undefined && !isOwn(declaration);
}

function statusesOf(
  compiler: Compiler,
  init: ts.Expression | undefined,
): readonly number[] | undefined {
  const status = propertyOf(compiler, init, "status");
  return status === undefined ? [200] : literalNumbers(compiler, status);
}

const withoutBody: ReadonlySet<number> = new Set([101, 204, 205, 304]);

function built(compiler: Compiler, call: ts.NewExpression): readonly Effect[] {
  const { ts } = compiler;
  const [body, init] = call.arguments ?? [];
  const statuses = statusesOf(compiler, init);
  const isEmpty = body === undefined || body.kind === ts.SyntaxKind.NullKeyword ||
    (ts.isIdentifier(body) && body.text === "undefined") ||
    statuses?.every((status) => withoutBody.has(status)) === true;
  if (isEmpty && statuses !== undefined) {
    return statuses.map((status) =>
      status >= 300 && status < 400 && status !== 304
        ? { kind: "redirect", statuses: [status] }
        : { kind: "empty", status }
    );
  }
  const headers = propertyOf(compiler, init, "headers");
  const type = propertyOf(compiler, headers, "content-type") ??
    propertyOf(compiler, headers, "Content-Type");
  // The platform's own type for a string; bytes and streams have none.
  const media = type === undefined
    ? isText(compiler, body) ? "text/plain" : undefined
    : literalText(compiler, type);
  return [{ kind: "body", statuses, media, node: call }];
}

function isText({ ts, checker }: Compiler, body: ts.Expression | undefined): boolean {
  if (body === undefined) return false;
  return (checker.getTypeAtLocation(body).flags & ts.TypeFlags.StringLike) !== 0;
}
