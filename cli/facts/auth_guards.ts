import type ts from "npm:typescript@6.0.3";
import type { Effect } from "./effects.ts";
import { type Compiler, constantOf, literalText, propertyOf } from "./compiler.ts";
import { unwrap } from "../project/sources/functions.ts";

type GuardEffect = Extract<Effect, { readonly kind: "guard" }>;

/** Returns the effect of a guard, if the expression is one: `sessions.requireRole("editor")`. */
export function guardOf(compiler: Compiler, expression: ts.Expression): GuardEffect | undefined {
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
