import ts from "npm:typescript@6.0.3";
import { memberNamed, memberValue, unwrap, writtenText } from "../project/sources/syntax.ts";
import type { ProjectTypes } from "../project/sources/types.ts";

const landmark = "/runtime/base/ctx/ctx.ts";

export class Compiler {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly #root: string | undefined;

  constructor({ program, checker }: ProjectTypes) {
    this.program = program;
    this.checker = checker;
    this.#root = program.getSourceFiles().map(({ fileName }) => fileName)
      .find((name) => name.startsWith("/") && name.endsWith(landmark))?.slice(0, -landmark.length);
  }

  /** Returns the file of a declaration inside the package, such as `runtime/base/ctx/ctx.ts`. */
  frameworkFile(declaration: ts.Node | undefined): string | undefined {
    const name = declaration?.getSourceFile().fileName;
    return this.#root !== undefined && name?.startsWith(`${this.#root}/`)
      ? name.slice(this.#root.length + 1)
      : undefined;
  }

  originFile(symbol: ts.Symbol | undefined): string | undefined {
    return this.frameworkFile(symbol?.declarations?.[0]);
  }

  aliased(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  symbolOf(node: ts.Node): ts.Symbol | undefined {
    const found = ts.isShorthandPropertyAssignment(node.parent) && node.parent.name === node
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node);
    return found && this.aliased(found);
  }

  /** Returns the symbol of a name or a member; `undefined` for any other expression. */
  namedSymbol(expression: ts.Expression): ts.Symbol | undefined {
    const at = unwrap(expression);
    if (ts.isIdentifier(at)) return this.symbolOf(at);
    return ts.isPropertyAccessExpression(at) ? this.symbolOf(at.name) : undefined;
  }

  exported(source: ts.SourceFile | undefined, name: string): ts.Symbol | undefined {
    const module = source && this.checker.getSymbolAtLocation(source);
    const found = module && this.checker.tryGetMemberInModuleExports(name, module);
    return found && this.aliased(found);
  }

  /** Returns the literal numbers that an expression may have; `undefined` for any other type. */
  literalNumbers(expression: ts.Expression | undefined): readonly number[] | undefined {
    return expression && numbersOf(this.checker.getTypeAtLocation(expression));
  }

  literalText(expression: ts.Expression | undefined): string | undefined {
    const written = writtenText(expression);
    if (written !== undefined || expression === undefined) return written;
    const type = this.checker.getTypeAtLocation(expression);
    return type.isStringLiteral() ? type.value : undefined;
  }

  propertyOf(expression: ts.Expression | undefined, name: string): ts.Expression | undefined {
    return memberValue(memberNamed(expression && this.constantOf(expression), name));
  }

  constantOf(expression: ts.Expression): ts.Expression {
    let at = unwrap(expression);
    // Constants may refer to each other in a cycle.
    const followed = new Set<ts.Node>();
    while (!followed.has(at)) {
      followed.add(at);
      const next = initializerOf(this.namedSymbol(at));
      if (next === undefined) return at;
      at = unwrap(next);
    }
    return at;
  }
}

/** Reports whether a declaration is the project's, whose files have relative names. */
export function isOwn(declaration: ts.Node): boolean {
  return !declaration.getSourceFile().fileName.startsWith("/");
}

export function initializerOf(symbol: ts.Symbol | undefined): ts.Expression | undefined {
  const declaration = symbol?.valueDeclaration;
  const isMade = declaration !== undefined &&
    (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration));
  return isMade ? declaration.initializer : undefined;
}

export function unionMembers(type: ts.Type): readonly ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

export function numbersOf(type: ts.Type): readonly number[] | undefined {
  const parts = unionMembers(type);
  const numbers = parts.flatMap((part) => part.isNumberLiteral() ? part.value : []);
  return numbers.length === parts.length ? numbers : undefined;
}
