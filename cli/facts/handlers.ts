import { type Place, startOfFile } from "../problem.ts";
import type { Route } from "../project/routes/table.ts";
import { contextEffects, isContextMethod, resultEffects, streamEffect } from "./context_calls.ts";
import { type DocComment, docCommentOf } from "./doc_comment.ts";
import type { Effect } from "./effects.ts";
import { creationEffects, thrownEffects } from "./error_values.ts";
import {
  type Compiler,
  constantOf,
  initializerOf,
  literalNumbers,
  literalText,
  nodePlace,
  propertyOf,
  symbolOf,
} from "./compiler.ts";
import {
  packageBindingEffects,
  packageCallEffects,
  packageValueEffects,
} from "./package_effects.ts";
import { unwrap } from "../project/sources/functions.ts";
import type ts from "npm:typescript@6.0.3";

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
  return routes.flatMap((route) =>
    route.methods.map((method): ApiHandler => {
      const symbol = exportOf(compiler, route.file.path, method);
      const code = symbol && ownDeclaration(compiler, symbol);
      const place = code === undefined
        ? { file: route.file.path, ...startOfFile }
        : nodePlace(nameOf(compiler, code));
      return {
        route,
        method,
        place,
        comment: docCommentOf(compiler, code ?? noNode(compiler, route)),
        effects: symbol === undefined || code === undefined ? [] : [
          ...resultEffects(compiler, symbol),
          ...effectsOf(initializerOr(compiler, code)),
          ...returnedEffects(compiler, code),
        ],
        outer: route.middleware.flatMap(({ path }) =>
          ["Middleware", `Middleware${method}`].flatMap((name) => {
            const outer = exportOf(compiler, path, name);
            const code = outer && ownDeclaration(compiler, outer);
            return code === undefined ? [] : effectsOf(initializerOr(compiler, code));
          })
        ),
      };
    })
  );
}

/** An error that a handler returns is the same as one that it throws. */
function returnedEffects(compiler: Compiler, code: ts.Node): readonly Effect[] {
  const { ts } = compiler;
  const effects: Effect[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression !== undefined) {
      effects.push(...thrownEffects(compiler, node.expression));
    }
    ts.forEachChild(node, visit);
  };
  visit(code);
  return effects;
}

function noNode(compiler: Compiler, route: Route): ts.Node {
  const source = compiler.program.getSourceFile(route.file.path);
  if (source === undefined) {
    throw new TypeError(`Cannot read "${route.file.path}": it is not part of the program.`);
  }
  return source;
}

function exportOf(compiler: Compiler, file: string, name: string): ts.Symbol | undefined {
  const { ts, checker, program } = compiler;
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  const found = module && checker.tryGetMemberInModuleExports(name, module);
  if (found === undefined) return undefined;
  return found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
}

function ownDeclaration({ isOwn }: Compiler, symbol: ts.Symbol): ts.Node | undefined {
  const declaration = symbol.valueDeclaration;
  return declaration !== undefined && isOwn(declaration) ? declaration : undefined;
}

/** Returns the initializer of a constant, in which a bare name stands for a guard or a handler. */
function initializerOr({ ts }: Compiler, code: ts.Node): ts.Node {
  return ts.isVariableDeclaration(code) ? code.initializer ?? code : code;
}

function nameOf({ ts }: Compiler, code: ts.Node): ts.Node {
  const isNamed = ts.isFunctionDeclaration(code) || ts.isVariableDeclaration(code) ||
    ts.isBindingElement(code);
  return isNamed ? code.name ?? code : code;
}

interface Piece {
  readonly effects: readonly Effect[];
  readonly next: readonly ts.Node[];
}

/** Returns the effects of a function or an expression and of everything that it calls. */
type EffectsOf = (code: ts.Node) => readonly Effect[];

/** Creates a walk, which reads each function once. */
function createCodeWalk(compiler: Compiler): EffectsOf {
  const pieces = new Map<ts.Node, Piece>();
  const pieceOf = (code: ts.Node): Piece => {
    const known = pieces.get(code);
    if (known !== undefined) return known;
    const piece = readPiece(compiler, code);
    pieces.set(code, piece);
    return piece;
  };
  return (code) => {
    const seen = new Set([code]);
    const effects: Effect[] = [];
    // A set that grows while it is walked: each function once, in the order of the calls.
    for (const each of seen) {
      const piece = pieceOf(each);
      effects.push(...piece.effects);
      for (const next of piece.next) seen.add(next);
    }
    return effects;
  };
}

function readPiece(compiler: Compiler, code: ts.Node): Piece {
  const { ts } = compiler;
  const effects: Effect[] = [];
  const next = new Set<ts.Node>();
  const visit = (node: ts.Node): void => {
    // Types have no effects, and a large part of the nodes.
    if (ts.isTypeNode(node)) return;
    if (ts.isCallExpression(node)) {
      const stream = streamEffect(compiler, node);
      if (stream !== undefined) {
        // What the callback throws can no longer change the response.
        effects.push(stream);
        return;
      }
      visitCall(node);
    } else if (ts.isNewExpression(node)) visitCall(node);
    else if (ts.isThrowStatement(node)) effects.push(...thrownEffects(compiler, node.expression));
    ts.forEachChild(node, visit);
  };
  const visitCall = (call: ts.CallExpression | ts.NewExpression): void => {
    if (ts.isCallExpression(call) && isContextMethod(compiler, call)) {
      effects.push(...contextEffects(compiler, call));
      return;
    }
    effects.push(...creationEffects(compiler, call), ...responseEffects(compiler, call));
    const guard = ts.isCallExpression(call) ? guardOf(compiler, call.expression) : undefined;
    // A guard says more than its comment: whether it asks for a role.
    effects.push(...(guard === undefined ? packageCallEffects(compiler, call) : [guard]));
    for (const target of targetsOf(compiler, call)) next.add(target);
  };
  // A name or a member that stands for code: `export const Middleware = sessions.require`.
  if (ts.isExpression(code) && !ts.isFunctionLike(code)) {
    const guard = guardOf(compiler, code);
    effects.push(...(guard === undefined ? packageValueEffects(compiler, code) : [guard]));
    const target = valueTarget(compiler, code);
    if (target !== undefined) next.add(target);
  }
  if (ts.isBindingElement(code)) effects.push(...packageBindingEffects(compiler, code));
  visit(code);
  return { effects, next: [...next] };
}

/** Returns the project's code that a call runs: its function, and functions among its arguments. */
function targetsOf(compiler: Compiler, call: ts.CallExpression | ts.NewExpression): ts.Node[] {
  const { ts, checker, isOwn } = compiler;
  const targets: ts.Node[] = [];
  const declaration = checker.getResolvedSignature(call)?.declaration;
  if (declaration !== undefined && isOwn(declaration) && hasBody(compiler, declaration)) {
    targets.push(declaration);
  } else {
    // The type is the framework's, as of `limited(c, next)`; the value is the project's.
    const target = valueTarget(compiler, call.expression);
    if (target !== undefined) targets.push(target);
  }
  for (const argument of call.arguments ?? []) {
    const at = unwrap(compiler.ts, argument);
    if (!ts.isIdentifier(at) && !ts.isPropertyAccessExpression(at)) continue;
    if (checker.getTypeAtLocation(at).getCallSignatures().length === 0) continue;
    const target = valueTarget(compiler, at);
    if (target !== undefined) targets.push(target);
  }
  return targets;
}

function hasBody({ ts }: Compiler, declaration: ts.Node): boolean {
  return ts.isFunctionLike(declaration) && "body" in declaration && declaration.body !== undefined;
}

function valueTarget(compiler: Compiler, expression: ts.Expression): ts.Node | undefined {
  const { ts, isOwn } = compiler;
  const at = unwrap(compiler.ts, expression);
  if (!ts.isIdentifier(at) && !ts.isPropertyAccessExpression(at)) return undefined;
  const symbol = symbolOf(compiler, ts.isIdentifier(at) ? at : at.name);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined || !isOwn(declaration)) return undefined;
  return hasBody(compiler, declaration) ? declaration : initializerOf(compiler, symbol);
}

type GuardEffect = Extract<Effect, { readonly kind: "guard" }>;

function guardOf(compiler: Compiler, expression: ts.Expression): GuardEffect | undefined {
  const { checker, frameworkFile } = compiler;
  const symbol = checker.getTypeAtLocation(expression).getSymbol();
  const [declaration] = symbol?.declarations ?? [];
  if (symbol?.name !== "Guard" || declaration === undefined) return undefined;
  if (frameworkFile(declaration) !== "auth/guards.ts") return undefined;
  return { kind: "guard", ...factsOf(compiler, expression) };
}

function factsOf(
  compiler: Compiler,
  expression: ts.Expression,
): { readonly hasRole: boolean; readonly cookie: string | undefined } {
  const { ts } = compiler;
  const at = constantOf(compiler, expression);
  const callee = ts.isCallExpression(at) ? unwrap(compiler.ts, at.expression) : at;
  if (!ts.isPropertyAccessExpression(callee)) return { hasRole: true, cookie: undefined };
  const maker = constantOf(compiler, callee.expression);
  const options = ts.isCallExpression(maker) ? maker.arguments : [];
  const cookie = options.map((each) => literalText(compiler, propertyOf(compiler, each, "cookie")))
    .find((name) => name !== undefined);
  return { hasRole: callee.name.text !== "require", cookie };
}

function responseEffects(
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
