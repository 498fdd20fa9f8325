/**
 * Reads the errors and redirects that code creates, `httpError(409, …)` and `new Problem({ … })`,
 * and those in the doc comments of the functions of `@fw/fw`.
 */
import ts from "npm:typescript@6.0.3";
import type { Effect } from "./effects.ts";
import { type Compiler, unionMembers } from "./compiler.ts";
import { parseComment } from "./doc_comment.ts";

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

export function packageCallEffects(
  compiler: Compiler,
  call: ts.CallExpression | ts.NewExpression,
): readonly Effect[] {
  const signature = compiler.checker.getResolvedSignature(call)?.declaration;
  return effectsOf(compiler, [signature, ...declarationsOf(compiler, call.expression)]);
}

/** Returns the effects of a handler or a middleware of a package, such as `handlers.GET`. */
export function packageValueEffects(compiler: Compiler, value: ts.Expression): readonly Effect[] {
  return effectsOf(compiler, declarationsOf(compiler, value));
}

/** Returns the effects of a destructured member of a package: `const { GET } = handlers`. */
export function packageBindingEffects(
  compiler: Compiler,
  { propertyName, name: own, parent }: ts.BindingElement,
): readonly Effect[] {
  const name = propertyName ?? own;
  if (!ts.isIdentifier(name)) return [];
  const member = compiler.checker.getTypeAtLocation(parent).getProperty(name.text);
  return effectsOf(compiler, member?.declarations ?? []);
}

function declarationsOf(compiler: Compiler, value: ts.Expression): readonly ts.Declaration[] {
  const { declarations = [] } = compiler.namedSymbol(value) ?? {};
  // For overloads, only the signature that the call resolves to counts.
  return declarations.length === 1 ? declarations : [];
}

function effectsOf(
  compiler: Compiler,
  declarations: readonly (ts.Node | undefined)[],
): readonly Effect[] {
  const comments = declarations.flatMap((each) =>
    each === undefined || compiler.frameworkFile(each) === undefined ? [] : commentOf(each)
  );
  return [...new Set(comments)].flatMap(parseEffects);
}

/** Reads the doc comment of a declaration from the text: trees of packages have no comments. */
function commentOf(declaration: ts.Node): string {
  let at = declaration;
  // The comment of a function type or value belongs to the enclosing member or constant.
  while (
    at.parent !== undefined && !ts.isSourceFile(at.parent) &&
    (ts.isFunctionTypeNode(at) || ts.isArrowFunction(at) || ts.isFunctionExpression(at) ||
      ts.isVariableDeclaration(at) || ts.isVariableDeclarationList(at))
  ) at = at.parent;
  const { text } = at.getSourceFile();
  const last = ts.getLeadingCommentRanges(text, at.getFullStart())?.at(-1);
  const comment = last === undefined ? "" : text.slice(last.pos, last.end);
  return comment.startsWith("/**") ? comment : "";
}

/** The default statuses of errors whose text names none. */
const usualStatuses: ReadonlyMap<string, readonly number[]> = new Map([
  ["HttpError", []],
  ["Problem", []],
  ["NotFoundError", [404]],
  ["FieldErrors", [422]],
]);

/** Reads `@throws {HttpError} 401 for an anonymous request, 503.` and `@returns {Response} 303 to the form.` */
export function parseEffects(comment: string): readonly Effect[] {
  return parseComment(comment, 1).tags.flatMap(({ name, text }): readonly Effect[] => {
    const [, type = "", detail = ""] = /^\{([^}]*)\}([^]*)$/.exec(text) ?? [];
    const written = [...detail.matchAll(/(?<![\w.,#-])[2-5]\d\d(?![\w-]|,\d)/g)].map(Number);
    const errors = written.filter((status) => status >= 400);
    if (name === "returns" && type === "Response") {
      return written.filter((status) => status < 400).map(statusEffect);
    }
    const usual = name === "throws" ? usualStatuses.get(type) : undefined;
    const statuses = errors.length > 0 ? errors : usual ?? [];
    return usual === undefined || statuses.length === 0
      ? []
      : [{ kind: "error", statuses, message: undefined }];
  });
}

/** Returns the effect of a response without a body. */
export function statusEffect(status: number): Effect {
  return status >= 300 && status < 400 && status !== 304
    ? { kind: "redirect", statuses: [status] }
    : { kind: "empty", status };
}
