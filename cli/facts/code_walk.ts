import type ts from "npm:typescript@6.0.3";
import { contextEffects, isContextMethod, streamEffect } from "./context_calls.ts";
import type { Effect } from "./effects.ts";
import { creationEffects, thrownEffects } from "./error_values.ts";
import { type Compiler, initializerOf, symbolOf } from "./compiler.ts";
import { guardOf } from "./auth_guards.ts";
import {
  packageBindingEffects,
  packageCallEffects,
  packageValueEffects,
} from "./package_effects.ts";
import { responseEffects } from "./response_values.ts";
import { unwrap } from "../project/sources/functions.ts";

/** The effects of one piece of code, and the code that it leads to. */
interface Piece {
  readonly effects: readonly Effect[];
  readonly next: readonly ts.Node[];
}

export interface CodeWalk {
  /** Returns the effects of a function or an expression and of everything that it calls. */
  effectsOf(code: ts.Node): readonly Effect[];
}

/** Creates a walk, which reads each function once. */
export function createCodeWalk(compiler: Compiler): CodeWalk {
  const pieces = new Map<ts.Node, Piece>();
  const pieceOf = (code: ts.Node): Piece => {
    const known = pieces.get(code);
    if (known !== undefined) return known;
    const piece = readPiece(compiler, code);
    pieces.set(code, piece);
    return piece;
  };
  return {
    effectsOf: (code) => {
      const seen = new Set([code]);
      const effects: Effect[] = [];
      // A set that grows while it is walked: each function once, in the order of the calls.
      for (const each of seen) {
        const piece = pieceOf(each);
        effects.push(...piece.effects);
        for (const next of piece.next) seen.add(next);
      }
      return effects;
    },
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

/** Returns the project's function or initializer that a name stands for. */
function valueTarget(compiler: Compiler, expression: ts.Expression): ts.Node | undefined {
  const { ts, isOwn } = compiler;
  const at = unwrap(compiler.ts, expression);
  if (!ts.isIdentifier(at) && !ts.isPropertyAccessExpression(at)) return undefined;
  const symbol = symbolOf(compiler, ts.isIdentifier(at) ? at : at.name);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined || !isOwn(declaration)) return undefined;
  return hasBody(compiler, declaration) ? declaration : initializerOf(compiler, symbol);
}
