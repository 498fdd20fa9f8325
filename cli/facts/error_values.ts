import type ts from "npm:typescript@6.0.3";
import type { Effect } from "./effects.ts";
import {
  type Compiler,
  constantOf,
  literalNumbers,
  literalText,
  propertyOf,
  symbolOf,
  unionMembers,
} from "./compiler.ts";
import { unwrap } from "../project/sources/functions.ts";

export function creationEffects(
  compiler: Compiler,
  call: ts.CallExpression | ts.NewExpression,
): readonly Effect[] {
  const { ts } = compiler;
  if (call.expression.kind === ts.SyntaxKind.SuperKeyword) return superEffects(compiler, call);
  if (ts.isNewExpression(call)) return newEffects(compiler, call);
  const symbol = calleeOf(compiler, call.expression);
  if (symbol === undefined) return [];
  const [first, second] = call.arguments;
  switch (symbol.file === "runtime/guard/rate_limit.ts" ? "limit" : symbol.name) {
    case "limit":
      return symbol.name === "limit" ? [{ kind: "limit" }] : [];
    case "notFound":
      return [{ kind: "error", statuses: [404], message: literalText(compiler, first) }];
    case "httpError":
      return httpErrorEffects(compiler, call.arguments);
    case "redirect":
      return [{
        kind: "redirect",
        statuses: second === undefined ? [303] : literalNumbers(compiler, second) ?? [303],
      }];
    default:
      return [];
  }
}

const errorFiles =
  /^runtime\/(?:base\/errors\/(?:errors|problem|field_errors)|guard\/rate_limit)\.ts$/;

function calleeOf(
  compiler: Compiler,
  callee: ts.Expression,
): { readonly name: string; readonly file: string } | undefined {
  const { ts, frameworkFile } = compiler;
  const at = unwrap(compiler.ts, callee);
  if (!ts.isIdentifier(at) && !ts.isPropertyAccessExpression(at)) return undefined;
  const symbol = symbolOf(compiler, ts.isIdentifier(at) ? at : at.name);
  const [declaration] = symbol?.declarations ?? [];
  const file = declaration && frameworkFile(declaration);
  if (symbol === undefined || file === undefined || !errorFiles.test(file)) return undefined;
  return { name: symbol.name, file };
}

/** `new HttpError(409, "…")`, `new Problem({ status: 409 })`, and subclasses without a constructor. */
function newEffects(compiler: Compiler, call: ts.NewExpression): readonly Effect[] {
  const { checker, frameworkFile } = compiler;
  const declaration = checker.getResolvedSignature(call)?.declaration;
  // A constructor of the project is followed to its `super`.
  if (declaration !== undefined && frameworkFile(declaration) === undefined) return [];
  const type = checker.getTypeAtLocation(call);
  return constructed(compiler, errorClassOf(compiler, type), call.arguments ?? []);
}

/** `super(409, "…")` in a class that extends an error of the framework. */
function superEffects(
  compiler: Compiler,
  call: ts.CallExpression | ts.NewExpression,
): readonly Effect[] {
  const { ts, checker } = compiler;
  let at: ts.Node = call;
  while (at.parent !== undefined && !ts.isClassLike(at)) at = at.parent;
  if (!ts.isClassLike(at)) return [];
  const [base] = at.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword)
    ?.types ?? [];
  if (base === undefined) return [];
  const type = checker.getTypeAtLocation(base);
  return constructed(compiler, errorClassOf(compiler, type), call.arguments ?? []);
}

function constructed(
  compiler: Compiler,
  name: string | undefined,
  args: readonly ts.Expression[],
): readonly Effect[] {
  const [first, second] = args;
  switch (name) {
    case "NotFoundError":
      return [{ kind: "error", statuses: [404], message: literalText(compiler, first) }];
    case "HttpError":
      return httpErrorEffects(compiler, args);
    case "Problem": {
      const statuses = literalNumbers(compiler, propertyOf(compiler, first, "status"));
      const message = literalText(compiler, propertyOf(compiler, first, "title"));
      return statuses === undefined ? [] : [{ kind: "error", statuses, message }];
    }
    case "Redirect":
      return [{
        kind: "redirect",
        statuses: second === undefined ? [303] : literalNumbers(compiler, second) ?? [303],
      }];
    default:
      return [];
  }
}

function httpErrorEffects(
  compiler: Compiler,
  [status, message, options]: readonly ts.Expression[],
): readonly Effect[] {
  const statuses = literalNumbers(compiler, status);
  if (statuses === undefined) return [];
  const headers = propertyOf(compiler, options, "headers");
  const challenge = propertyOf(compiler, headers, "www-authenticate") ??
    propertyOf(compiler, headers, "WWW-Authenticate");
  return [{
    kind: "error",
    statuses,
    message: literalText(compiler, message),
    ...(challenge === undefined ? {} : { challenge: startOfText(compiler, challenge) }),
  }];
}

function startOfText(compiler: Compiler, expression: ts.Expression): string {
  const { ts } = compiler;
  const at = constantOf(compiler, expression);
  if (ts.isTemplateExpression(at)) return at.head.text;
  return literalText(compiler, at) ?? "";
}

export function thrownEffects(compiler: Compiler, thrown: ts.Expression): readonly Effect[] {
  const { checker } = compiler;
  const type = checker.getTypeAtLocation(thrown);
  const names = unionMembers(type).map((part) => errorClassOf(compiler, part));
  // `Result` allows every error and tells nothing.
  if (!names.includes("FieldErrors") || names.includes("Redirect")) return [];
  return [{ kind: "error", statuses: [fieldErrorStatus(compiler, thrown)], message: undefined }];
}

/** `FieldErrors` are a 422 unless they are created with another status. */
function fieldErrorStatus(compiler: Compiler, expression: ts.Expression): number {
  const { ts } = compiler;
  let at = constantOf(compiler, expression);
  // `new FieldErrors().add(…).merge(…)`
  while (ts.isCallExpression(at) && ts.isPropertyAccessExpression(at.expression)) {
    at = constantOf(compiler, at.expression.expression);
  }
  const options = ts.isNewExpression(at) ? at.arguments?.[0] : undefined;
  return literalNumbers(compiler, propertyOf(compiler, options, "status"))?.[0] ?? 422;
}

function errorClassOf(compiler: Compiler, type: ts.Type): string | undefined {
  const { checker, frameworkFile } = compiler;
  const symbol = type.getSymbol();
  const [declaration] = symbol?.declarations ?? [];
  if (symbol === undefined || declaration === undefined) return undefined;
  const file = frameworkFile(declaration);
  if (file !== undefined) return errorFiles.test(file) ? symbol.name : undefined;
  const declared = checker.getDeclaredTypeOfSymbol(symbol);
  if (!declared.isClass()) return undefined;
  const [base] = checker.getBaseTypes(declared);
  return base === undefined ? undefined : errorClassOf(compiler, base);
}
