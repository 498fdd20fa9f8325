import type ts from "npm:typescript@6.0.3";
import { type Place, startOfFile } from "../problem.ts";
import type { Route } from "../project/routes/table.ts";
import { createCodeWalk } from "./code_walk.ts";
import { resultEffects } from "./context_calls.ts";
import { type DocComment, docCommentOf } from "./doc_comment.ts";
import type { Effect } from "./effects.ts";
import { thrownEffects } from "./error_values.ts";
import { type Compiler, nodePlace } from "./compiler.ts";

/** One method of a `route.ts`. */
export interface ApiHandler {
  readonly route: Route;
  readonly method: string;
  readonly place: Place;
  readonly comment: DocComment;
  /** The effects of the handler itself. */
  readonly effects: readonly Effect[];
  /** The effects of the middleware before it. */
  readonly outer: readonly Effect[];
}

/** Reads the handlers of some routes, in their order. */
export function findHandlers(compiler: Compiler, routes: readonly Route[]): readonly ApiHandler[] {
  const walk = createCodeWalk(compiler);
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
          ...walk.effectsOf(initializerOr(compiler, code)),
          ...returnedEffects(compiler, code),
        ],
        outer: route.middleware.flatMap(({ path }) =>
          ["Middleware", `Middleware${method}`].flatMap((name) => {
            const outer = exportOf(compiler, path, name);
            const code = outer && ownDeclaration(compiler, outer);
            return code === undefined ? [] : walk.effectsOf(initializerOr(compiler, code));
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

/** Returns the declaration of a handler. */
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
