import type ts from "npm:typescript@6.0.3";
import { isPlatformFile, type ProjectTypes } from "../project/sources/types.ts";
import type { TypeScript } from "../project/sources/module_names.ts";
import type { Place } from "../problem.ts";
import { unwrap } from "../project/sources/functions.ts";
import { positionOf } from "../project/sources/module_names.ts";

export interface Compiler {
  readonly ts: TypeScript;
  readonly checker: ts.TypeChecker;
  readonly program: ts.Program;
  /** Returns the file of a declaration inside the package, such as `runtime/base/ctx/ctx.ts`. */
  frameworkFile(declaration: ts.Node): string | undefined;
  isOwn(declaration: ts.Node): boolean;
  isPlatform(declaration: ts.Node): boolean;
}

/** The file by which the package is found. */
const landmark = "/runtime/base/ctx/ctx.ts";

export function createCompiler(parser: TypeScript, types: ProjectTypes): Compiler {
  const { program, checker } = types;
  const root = program.getSourceFiles().map(({ fileName }) => fileName)
    .find((name) => name.startsWith("/") && name.endsWith(landmark))?.slice(0, -landmark.length);
  return {
    ts: parser,
    checker,
    program,
    frameworkFile: (declaration) => {
      const name = declaration.getSourceFile().fileName;
      if (root === undefined || !name.startsWith(`${root}/`)) return undefined;
      return name.slice(root.length + 1);
    },
    // Files of the project have relative names.
    isOwn: (declaration) => !declaration.getSourceFile().fileName.startsWith("/"),
    isPlatform: (declaration) => isPlatformFile(declaration.getSourceFile().fileName),
  };
}

export function nodePlace(node: ts.Node): Place {
  const source = node.getSourceFile();
  return { file: source.fileName, ...positionOf(source, node) };
}

export function symbolOf(compiler: Compiler, node: ts.Node): ts.Symbol | undefined {
  const { ts, checker } = compiler;
  const isShorthand = ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node;
  const found = isShorthand
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  if (found === undefined) return undefined;
  return found.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(found) : found;
}

export function initializerOf(
  compiler: Compiler,
  symbol: ts.Symbol | undefined,
): ts.Expression | undefined {
  const { ts } = compiler;
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined) return undefined;
  if (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration)) {
    return declaration.initializer;
  }
  return undefined;
}

/** Returns the numbers that an expression may be; `undefined` if they are not literal. */
export function literalNumbers(
  { checker }: Compiler,
  expression: ts.Expression | undefined,
): readonly number[] | undefined {
  if (expression === undefined) return undefined;
  const type = checker.getTypeAtLocation(expression);
  return numbersOf(type);
}

export function unionMembers(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

export function numbersOf(type: ts.Type): readonly number[] | undefined {
  const parts = unionMembers(type);
  const numbers = parts.flatMap((part) => part.isNumberLiteral() ? part.value : []);
  return numbers.length === parts.length ? numbers : undefined;
}

export function literalText(
  { ts, checker }: Compiler,
  expression: ts.Expression | undefined,
): string | undefined {
  if (expression === undefined) return undefined;
  if (ts.isStringLiteralLike(expression)) return expression.text;
  const type = checker.getTypeAtLocation(expression);
  return type.isStringLiteral() ? type.value : undefined;
}

export function propertyOf(
  compiler: Compiler,
  expression: ts.Expression | undefined,
  name: string,
): ts.Expression | undefined {
  const { ts } = compiler;
  const object = expression && constantOf(compiler, expression);
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
  for (const property of object.properties) {
    if (property.name === undefined || nameText(compiler, property.name) !== name) continue;
    if (ts.isPropertyAssignment(property)) return property.initializer;
    if (ts.isShorthandPropertyAssignment(property)) return property.name;
  }
  return undefined;
}

export function nameText({ ts }: Compiler, name: ts.PropertyName): string | undefined {
  if (ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name)) {
    return name.text;
  }
  return ts.isComputedPropertyName(name) && ts.isStringLiteralLike(name.expression)
    ? name.expression.text
    : undefined;
}

export function constantOf(compiler: Compiler, expression: ts.Expression): ts.Expression {
  const { ts } = compiler;
  let at = unwrap(compiler.ts, expression);
  // Constants may refer to each other in a circle.
  const followed = new Set<ts.Node>();
  while (!followed.has(at)) {
    followed.add(at);
    if (!ts.isIdentifier(at) && !ts.isPropertyAccessExpression(at)) return at;
    const name = ts.isIdentifier(at) ? at : at.name;
    const next = initializerOf(compiler, symbolOf(compiler, name));
    if (next === undefined) return at;
    at = unwrap(compiler.ts, next);
  }
  return at;
}
