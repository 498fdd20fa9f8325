import ts from "npm:typescript@6.0.3";
import { type Place, startOfFile } from "../problem.ts";
import type { Route } from "../project/routes/table.ts";
import { nodePlace, unwrap, walk } from "../project/sources/syntax.ts";
import { contextEffects, resultEffects } from "./context_calls.ts";
import { type Compiler, initializerOf, isOwn } from "./compiler.ts";
import { type DocComment, docCommentOf } from "./doc_comment.ts";
import type { Effect } from "./effects.ts";
import {
  creationEffects,
  packageBindingEffects,
  packageCallEffects,
  packageValueEffects,
  statusEffect,
  thrownEffects,
} from "./created_effects.ts";

export interface ApiHandler {
  readonly route: Route;
  readonly method: string;
  readonly place: Place;
  readonly comment: DocComment;
  readonly effects: readonly Effect[];
  readonly outer: readonly Effect[];
}

export function findHandlers(compiler: Compiler, routes: readonly Route[]): readonly ApiHandler[] {
  const effectsOf = createCodeWalk(compiler);
  const sourceOf = (path: string) => compiler.program.getSourceFile(path);
  return routes.flatMap((route) =>
    route.methods.map((method): ApiHandler => {
      const file = route.file.path;
      const symbol = compiler.exported(sourceOf(file), method);
      const code = ownDeclaration(symbol);
      return {
        route,
        method,
        place: code === undefined
          ? { file, ...startOfFile }
          : nodePlace(ts.getNameOfDeclaration(code) ?? code),
        comment: docCommentOf(code ?? sourceOf(file)),
        effects: symbol === undefined || code === undefined ? [] : [
          ...resultEffects(compiler, symbol),
          ...effectsOf(initializerOr(code)),
          ...returnedEffects(compiler, code),
        ],
        outer: route.middleware.flatMap(({ path }) =>
          ["Middleware", `Middleware${method}`].flatMap((name) => {
            const code = ownDeclaration(compiler.exported(sourceOf(path), name));
            return code === undefined ? [] : effectsOf(initializerOr(code));
          })
        ),
      };
    })
  );
}

/** Returns the effects of returned errors, which count like thrown ones. */
function returnedEffects(compiler: Compiler, code: ts.Node): readonly Effect[] {
  const effects: Effect[] = [];
  walk(code, (node) => {
    if (!ts.isReturnStatement(node) || node.expression === undefined) return;
    effects.push(...thrownEffects(compiler, node.expression));
  });
  return effects;
}

function ownDeclaration(symbol: ts.Symbol | undefined): ts.Declaration | undefined {
  const declaration = symbol?.valueDeclaration;
  return declaration !== undefined && isOwn(declaration) ? declaration : undefined;
}

/** Returns the initializer of a constant, which may be the bare name of a guard or a handler. */
function initializerOr(code: ts.Node): ts.Node {
  return ts.isVariableDeclaration(code) ? code.initializer ?? code : code;
}

interface Piece {
  readonly effects: readonly Effect[];
  readonly next: ReadonlySet<ts.Node>;
}

function createCodeWalk(compiler: Compiler): (code: ts.Node) => readonly Effect[] {
  const pieces = new Map<ts.Node, Piece>();
  return (code) => {
    const seen = new Set([code]);
    const effects: Effect[] = [];
    // The loop also visits functions that it adds: each once, in the order of the calls.
    for (const each of seen) {
      const piece = pieces.getOrInsertComputed(each, () => readPiece(compiler, each));
      effects.push(...piece.effects);
      for (const next of piece.next) seen.add(next);
    }
    return effects;
  };
}

function readPiece(compiler: Compiler, code: ts.Node): Piece {
  const effects: Effect[] = [];
  const next = new Set<ts.Node>();
  const readCall = (call: ts.CallExpression | ts.NewExpression): void | false => {
    const own = ts.isCallExpression(call) ? contextEffects(compiler, call) : undefined;
    if (own !== undefined) {
      effects.push(...own);
      // An error in the callback of a stream can no longer change the response.
      return own[0]?.kind === "stream" ? false : undefined;
    }
    effects.push(...creationEffects(compiler, call), ...responseEffects(compiler, call));
    const guard = ts.isCallExpression(call) ? guardOf(compiler, call.expression) : undefined;
    // The guard itself tells more than its doc comment: whether it requires a role.
    effects.push(...(guard === undefined ? packageCallEffects(compiler, call) : [guard]));
    for (const target of targetsOf(compiler, call)) next.add(target);
  };
  // A name or a member that refers to code: `export const Middleware = sessions.require`.
  if (ts.isExpression(code) && !ts.isFunctionLike(code)) {
    const guard = guardOf(compiler, code);
    effects.push(...(guard === undefined ? packageValueEffects(compiler, code) : [guard]));
    const target = valueTarget(compiler, code);
    if (target !== undefined) next.add(target);
  }
  if (ts.isBindingElement(code)) effects.push(...packageBindingEffects(compiler, code));
  walk(code, (node) => {
    // Types have no effects and are a large part of the nodes.
    if (ts.isTypeNode(node)) return false;
    if (ts.isThrowStatement(node)) effects.push(...thrownEffects(compiler, node.expression));
    return ts.isCallExpression(node) || ts.isNewExpression(node) ? readCall(node) : undefined;
  });
  return { effects, next };
}

function targetsOf(compiler: Compiler, call: ts.CallExpression | ts.NewExpression): ts.Node[] {
  const { checker } = compiler;
  const declaration = checker.getResolvedSignature(call)?.declaration;
  const called = declaration !== undefined && isOwn(declaration) && hasBody(declaration)
    ? declaration
    // The type may be the framework's while the value is the project's: `limited(c, next)`.
    : valueTarget(compiler, call.expression);
  const handed = (call.arguments ?? []).filter((argument) => {
    const at = unwrap(argument);
    return (ts.isIdentifier(at) || ts.isPropertyAccessExpression(at)) &&
      checker.getTypeAtLocation(at).getCallSignatures().length > 0;
  }).map((argument) => valueTarget(compiler, argument));
  return [called, ...handed].filter((target) => target !== undefined);
}

function hasBody(declaration: ts.Node): boolean {
  return ts.isFunctionLike(declaration) && "body" in declaration && declaration.body !== undefined;
}

function valueTarget(compiler: Compiler, expression: ts.Expression): ts.Node | undefined {
  const symbol = compiler.namedSymbol(expression);
  const declaration = ownDeclaration(symbol);
  return declaration && (hasBody(declaration) ? declaration : initializerOf(symbol));
}

function guardOf(
  compiler: Compiler,
  expression: ts.Expression,
): Effect & { readonly kind: "guard" | "token" } | undefined {
  const symbol = compiler.checker.getTypeAtLocation(expression).getSymbol();
  const file = symbol && compiler.originFile(symbol);
  const isToken = symbol?.name === "TokenGuard" && file === "auth/token_types.ts";
  if (!isToken && (symbol?.name !== "Guard" || file !== "auth/guards.ts")) return undefined;
  const at = compiler.constantOf(expression);
  const callee = ts.isCallExpression(at) ? unwrap(at.expression) : at;
  const member = ts.isPropertyAccessExpression(callee) ? callee : undefined;
  const maker = member && compiler.constantOf(member.expression);
  const options = maker && ts.isCallExpression(maker) ? maker.arguments : [];
  const optionText = (name: string): string | undefined =>
    options.map((each) => compiler.literalText(compiler.propertyOf(each, name)))
      .find((text) => text !== undefined);
  return isToken
    ? { kind: "token", hasScope: ts.isCallExpression(at), scheme: optionText("scheme") }
    : { kind: "guard", hasRole: member?.name.text !== "require", cookie: optionText("cookie") };
}

function responseEffects(
  compiler: Compiler,
  call: ts.CallExpression | ts.NewExpression,
): readonly Effect[] {
  const [first, second] = call.arguments ?? [];
  if (ts.isNewExpression(call)) {
    return isPlatformResponse(compiler, call.expression) ? built(compiler, call) : [];
  }
  const callee = call.expression;
  if (!ts.isPropertyAccessExpression(callee) || first === undefined) return [];
  if (!isPlatformResponse(compiler, callee.expression)) return [];
  if (callee.name.text === "json") {
    const type = compiler.checker.getTypeAtLocation(first);
    const statuses = statusesOf(compiler, second);
    return [{ kind: "json", statuses, type, node: call, isDeclared: false }];
  }
  if (callee.name.text !== "redirect") return [];
  return [{ kind: "redirect", statuses: compiler.literalNumbers(second) ?? [302] }];
}

function isPlatformResponse({ checker }: Compiler, node: ts.Expression): boolean {
  if (!ts.isIdentifier(node) || node.text !== "Response") return false;
  const [declaration] = checker.getSymbolAtLocation(node)?.declarations ?? [];
  return declaration !== undefined && !isOwn(declaration);
}

function statusesOf(
  compiler: Compiler,
  init: ts.Expression | undefined,
): readonly number[] | undefined {
  const status = compiler.propertyOf(init, "status");
  return status === undefined ? [200] : compiler.literalNumbers(status);
}

const withoutBody: ReadonlySet<number> = new Set([101, 204, 205, 304]);

function built(compiler: Compiler, call: ts.NewExpression): readonly Effect[] {
  const [body, init] = call.arguments ?? [];
  const statuses = statusesOf(compiler, init);
  const isEmpty = body === undefined || body.kind === ts.SyntaxKind.NullKeyword ||
    (ts.isIdentifier(body) && body.text === "undefined") ||
    statuses?.every((status) => withoutBody.has(status)) === true;
  if (isEmpty && statuses !== undefined) return statuses.map(statusEffect);
  const headers = compiler.propertyOf(init, "headers");
  const type = compiler.propertyOf(headers, "content-type") ??
    compiler.propertyOf(headers, "Content-Type");
  const isText = body !== undefined &&
    (compiler.checker.getTypeAtLocation(body).flags & ts.TypeFlags.StringLike) !== 0;
  // The platform sets this type for a string, and none for bytes and streams.
  const media = type === undefined && isText ? "text/plain" : compiler.literalText(type);
  return [{ kind: "body", statuses, media, node: call }];
}
