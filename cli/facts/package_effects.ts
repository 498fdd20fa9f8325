/**
 * Reads what the functions of `@fw/fw` throw and return from their doc comments: `@throws
 * {HttpError} 409 …`, `@returns {Response} 303 …`. JSON results come from the types.
 */
import ts from "npm:typescript@6.0.3";
import type { Effect } from "./effects.ts";
import type { Compiler } from "./compiler.ts";
import { parseComment } from "./doc_comment.ts";

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
    const written = [...detail.matchAll(/(?<![\w.#-])[2-5]\d\d(?![\w-])/g)].map(Number);
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
