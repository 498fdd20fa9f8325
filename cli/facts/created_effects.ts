/** Reads the errors and redirects that code creates: `httpError(409, …)`, `new Problem({ … })`. */
import ts from "npm:typescript@6.0.3";
import type { Effect } from "./effects.ts";
import { type Compiler, unionMembers } from "./compiler.ts";

export function creationEffects(
  compiler: Compiler,
  call: ts.CallExpression | ts.NewExpression,
): readonly Effect[] {
  const args = call.arguments ?? [];
  // `super(409, "…")` in a class that extends an error of the framework.
  if (call.expression.kind === ts.SyntaxKind.SuperKeyword) {
    const [base] = ts.findAncestor(call, ts.isClassLike)?.heritageClauses
      ?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)?.types ?? [];
    return base === undefined ? [] : madeEffects(compiler, classNamed(compiler, base), args);
  }
  if (ts.isNewExpression(call)) {
    const declaration = compiler.checker.getResolvedSignature(call)?.declaration;
    // The project's own constructor is read at its `super` call.
    if (declaration !== undefined && compiler.frameworkFile(declaration) === undefined) return [];
    return madeEffects(compiler, classNamed(compiler, call), args);
  }
  const symbol = compiler.namedSymbol(call.expression);
  const file = compiler.originFile(symbol) ?? "";
  return errorFiles.test(file) ? madeEffects(compiler, symbol?.name, args) : [];
}

const errorFiles =
  /^runtime\/(?:base\/errors\/(?:errors|problem|field_errors)|guard\/rate_limit)\.ts$/;

function madeEffects(
  compiler: Compiler,
  name: string | undefined,
  args: readonly ts.Expression[],
): readonly Effect[] {
  const [first, second] = args;
  switch (name) {
    case "limit":
      return [{ kind: "limit" }];
    case "notFound":
    case "NotFoundError":
      return [{ kind: "error", statuses: [404], message: compiler.literalText(first) }];
    case "httpError":
    case "HttpError":
      return httpErrorEffects(compiler, args);
    case "Problem": {
      const statuses = compiler.literalNumbers(compiler.propertyOf(first, "status"));
      const message = compiler.literalText(compiler.propertyOf(first, "title"));
      return statuses === undefined ? [] : [{ kind: "error", statuses, message }];
    }
    case "redirect":
    case "Redirect":
      return [{ kind: "redirect", statuses: compiler.literalNumbers(second) ?? [303] }];
    default:
      return [];
  }
}

function httpErrorEffects(
  compiler: Compiler,
  [status, message, options]: readonly ts.Expression[],
): readonly Effect[] {
  const statuses = compiler.literalNumbers(status);
  if (statuses === undefined) return [];
  const headers = compiler.propertyOf(options, "headers");
  const challenge = compiler.propertyOf(headers, "www-authenticate") ??
    compiler.propertyOf(headers, "WWW-Authenticate");
  return [{
    kind: "error",
    statuses,
    message: compiler.literalText(message),
    ...(challenge === undefined ? {} : { challenge: startOfText(compiler, challenge) }),
  }];
}

function startOfText(compiler: Compiler, expression: ts.Expression): string {
  const at = compiler.constantOf(expression);
  return ts.isTemplateExpression(at) ? at.head.text : compiler.literalText(at) ?? "";
}

export function thrownEffects(compiler: Compiler, thrown: ts.Expression): readonly Effect[] {
  const names = unionMembers(compiler.checker.getTypeAtLocation(thrown))
    .map((part) => errorClassOf(compiler, part));
  // The type `Result` allows every error, so it describes none.
  if (!names.includes("FieldErrors") || names.includes("Redirect")) return [];
  return [{ kind: "error", statuses: [fieldErrorStatus(compiler, thrown)], message: undefined }];
}

/** `FieldErrors` are a 422 unless they are created with another status. */
function fieldErrorStatus(compiler: Compiler, expression: ts.Expression): number {
  let at = compiler.constantOf(expression);
  // `new FieldErrors().add(…).merge(…)`
  while (ts.isCallExpression(at) && ts.isPropertyAccessExpression(at.expression)) {
    at = compiler.constantOf(at.expression.expression);
  }
  const options = ts.isNewExpression(at) ? at.arguments?.[0] : undefined;
  return compiler.literalNumbers(compiler.propertyOf(options, "status"))?.[0] ?? 422;
}

function classNamed(compiler: Compiler, value: ts.Node): string | undefined {
  return errorClassOf(compiler, compiler.checker.getTypeAtLocation(value));
}

/** Returns the framework's error class that a type is or extends. */
function errorClassOf(compiler: Compiler, type: ts.Type): string | undefined {
  const { checker } = compiler;
  const symbol = type.getSymbol();
  if (symbol?.declarations === undefined) return undefined;
  const file = compiler.originFile(symbol);
  if (file !== undefined) return errorFiles.test(file) ? symbol.name : undefined;
  const declared = checker.getDeclaredTypeOfSymbol(symbol);
  const [base] = declared.isClass() ? checker.getBaseTypes(declared) : [];
  return base && errorClassOf(compiler, base);
}

/** Returns the effect of a response without a body. */
export function statusEffect(status: number): Effect {
  return status >= 300 && status < 400 && status !== 304
    ? { kind: "redirect", statuses: [status] }
    : { kind: "empty", status };
}
