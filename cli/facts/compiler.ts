import ts from "npm:typescript@6.0.3";
import type { ProjectTypes } from "../project/sources/types.ts";
import { unwrap, writtenName, writtenText } from "../project/sources/syntax.ts";

export interface Compiler {
  readonly checker: ts.TypeChecker;
  readonly program: ts.Program;
  /** Returns the file of a declaration inside the package, such as `runtime/base/ctx/ctx.ts`. */
  frameworkFile(declaration: ts.Node | undefined): string | undefined;
}

/** The file by which the package is found. */
const landmark = "/runtime/base/ctx/ctx.ts";

export function createCompiler({ program, checker }: ProjectTypes): Compiler {
  const root = program.getSourceFiles().map(({ fileName }) => fileName)
    .find((name) => name.startsWith("/") && name.endsWith(landmark))?.slice(0, -landmark.length);
  return {
    checker,
    program,
    frameworkFile: (declaration) => {
      const name = declaration?.getSourceFile().fileName;
      return root !== undefined && name?.startsWith(`${root}/`)
        ? name.slice(root.length + 1)
        : undefined;
    },
  };
}

/** Reports whether the project declares something: its files have relative names. */
export function isOwn(declaration: ts.Node): boolean {
  return !declaration.getSourceFile().fileName.startsWith("/");
}

export function aliased({ checker }: Compiler, symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

export function symbolOf(compiler: Compiler, node: ts.Node): ts.Symbol | undefined {
  const { checker } = compiler;
  const found = ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);
  return found && aliased(compiler, found);
}

/** Returns the symbol of a name or a member; `undefined` for any other expression. */
export function namedSymbol(compiler: Compiler, expression: ts.Expression): ts.Symbol | undefined {
  const at = unwrap(expression);
  if (ts.isIdentifier(at)) return symbolOf(compiler, at);
  return ts.isPropertyAccessExpression(at) ? symbolOf(compiler, at.name) : undefined;
}

/** Returns the file of the package that declares a symbol. */
export function originFile(
  { frameworkFile }: Compiler,
  symbol: ts.Symbol | undefined,
): string | undefined {
  return frameworkFile(symbol?.declarations?.[0]);
}

export function initializerOf(symbol: ts.Symbol | undefined): ts.Expression | undefined {
  const declaration = symbol?.valueDeclaration;
  const isMade = declaration !== undefined &&
    (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration));
  return isMade ? declaration.initializer : undefined;
}

/** Returns the numbers that an expression may be; `undefined` if they are not literal. */
export function literalNumbers(
  { checker }: Compiler,
  expression: ts.Expression | undefined,
): readonly number[] | undefined {
  return expression && numbersOf(checker.getTypeAtLocation(expression));
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
  { checker }: Compiler,
  expression: ts.Expression | undefined,
): string | undefined {
  const written = writtenText(expression);
  if (written !== undefined || expression === undefined) return written;
  const type = checker.getTypeAtLocation(expression);
  return type.isStringLiteral() ? type.value : undefined;
}

export function propertyOf(
  compiler: Compiler,
  expression: ts.Expression | undefined,
  name: string,
): ts.Expression | undefined {
  const object = expression && constantOf(compiler, expression);
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
  const found = object.properties.find((each) => nameText(each.name) === name && valueOf(each));
  return found && valueOf(found);
}

/** Returns the value of a member of an object literal. */
export function valueOf(member: ts.Node): ts.Expression | undefined {
  if (ts.isPropertyAssignment(member)) return member.initializer;
  return ts.isShorthandPropertyAssignment(member) ? member.name : undefined;
}

export function nameText(name: ts.PropertyName | undefined): string | undefined {
  return name && ts.isComputedPropertyName(name) ? writtenText(name.expression) : writtenName(name);
}

export function constantOf(compiler: Compiler, expression: ts.Expression): ts.Expression {
  let at = unwrap(expression);
  // Constants may refer to each other in a circle.
  const followed = new Set<ts.Node>();
  while (!followed.has(at)) {
    followed.add(at);
    const next = initializerOf(namedSymbol(compiler, at));
    if (next === undefined) return at;
    at = unwrap(next);
  }
  return at;
}
