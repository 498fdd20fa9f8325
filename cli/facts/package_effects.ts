/**
 * Reads what the functions of `@fw/fw` throw and return, as their doc comments say it:
 * `@throws {HttpError} 409 …`, `@returns {Response} 303 …`. What a function returns as JSON, its type says.
 */
import type ts from "npm:typescript@6.0.3";
import type { Effect } from "./effects.ts";
import { type Compiler, symbolOf } from "./compiler.ts";
import { unwrap } from "../project/sources/functions.ts";

export function packageCallEffects(
  compiler: Compiler,
  call: ts.CallExpression | ts.NewExpression,
): readonly Effect[] {
  const signature = compiler.checker.getResolvedSignature(call)?.declaration;
  return effectsOf(compiler, [signature, ...declarationsOf(compiler, call.expression)]);
}

/** Returns the effects of a handler or a middleware of a package, such as `handlers.GET`. */
export function packageValueEffects(
  compiler: Compiler,
  value: ts.Expression,
): readonly Effect[] {
  return effectsOf(compiler, declarationsOf(compiler, value));
}

/** Returns the effects of a member of a package that a pattern takes: `const { GET } = handlers`. */
export function packageBindingEffects(
  compiler: Compiler,
  binding: ts.BindingElement,
): readonly Effect[] {
  const { ts, checker } = compiler;
  const name = binding.propertyName ?? binding.name;
  if (!ts.isIdentifier(name)) return [];
  const member = checker.getTypeAtLocation(binding.parent).getProperty(name.text);
  return effectsOf(compiler, member?.declarations ?? []);
}

function declarationsOf(compiler: Compiler, value: ts.Expression): readonly ts.Declaration[] {
  const { ts } = compiler;
  const at = unwrap(compiler.ts, value);
  if (!ts.isIdentifier(at) && !ts.isPropertyAccessExpression(at)) return [];
  const symbol = symbolOf(compiler, ts.isIdentifier(at) ? at : at.name);
  // Of overloads, the signature that a call resolves to counts.
  return symbol?.declarations?.length === 1 ? symbol.declarations : [];
}

function effectsOf(
  compiler: Compiler,
  declarations: readonly (ts.Node | undefined)[],
): readonly Effect[] {
  const seen = new Set<string>();
  const effects: Effect[] = [];
  for (const declaration of declarations) {
    if (declaration === undefined || compiler.frameworkFile(declaration) === undefined) continue;
    const comment = commentOf(compiler, declaration);
    if (seen.has(comment)) continue;
    seen.add(comment);
    effects.push(...parseTags(comment));
  }
  return effects;
}

/** Returns the doc comment of a declaration; the trees of packages keep no comments. */
function commentOf({ ts }: Compiler, declaration: ts.Node): string {
  let at = declaration;
  // The type of a member, and the value of a constant, have the comment of their owner.
  while (
    at.parent !== undefined && !ts.isSourceFile(at.parent) &&
    (ts.isFunctionTypeNode(at) || ts.isArrowFunction(at) || ts.isFunctionExpression(at) ||
      ts.isVariableDeclaration(at) || ts.isVariableDeclarationList(at))
  ) at = at.parent;
  const { text } = at.getSourceFile();
  const comments = ts.getLeadingCommentRanges(text, at.getFullStart()) ?? [];
  const last = comments.at(-1);
  const comment = last === undefined ? "" : text.slice(last.pos, last.end);
  return comment.startsWith("/**") ? comment : "";
}

const usualStatus: Readonly<Record<string, number>> = { NotFoundError: 404, FieldErrors: 422 };

const errorNames: ReadonlySet<string> = new Set([
  "HttpError",
  "Problem",
  "NotFoundError",
  "FieldErrors",
]);

/** `@throws {HttpError} 401 for an anonymous request, 503.` and `@returns {Response} 303 to the form.` */
function parseTags(comment: string): readonly Effect[] {
  const text = comment.replace(/\n[ \t]*\*/g, "\n").replace(/\*\/$/, "");
  const tags = text.split(/\n[ \t]*@/).slice(1);
  return tags.flatMap((tag): readonly Effect[] => {
    const [, verb, name = "", detail = ""] = /^(\w+)\s+\{(\w+)\}([^]*)$/.exec(tag) ?? [];
    const statuses = [...detail.matchAll(/(?<![\w.#-])[2-5]\d\d(?![\w-])/g)].map(Number);
    if (verb === "throws" && errorNames.has(name)) return thrown(statuses, usualStatus[name]);
    return verb === "returns" && name === "Response" ? statuses.flatMap(returned) : [];
  });
}

function thrown(written: readonly number[], usual: number | undefined): readonly Effect[] {
  const own = written.filter((status) => status >= 400);
  const statuses = own.length > 0 || usual === undefined ? own : [usual];
  return statuses.length === 0 ? [] : [{ kind: "error", statuses, message: undefined }];
}

function returned(status: number): readonly Effect[] {
  if (status >= 400) return [];
  return status >= 300 && status !== 304
    ? [{ kind: "redirect", statuses: [status] }]
    : [{ kind: "empty", status }];
}
