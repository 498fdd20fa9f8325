import ts from "npm:typescript@6.0.3";
import { type Compiler, isOwn } from "../../../facts/compiler.ts";

export interface TypeName {
  readonly name: string;
  readonly symbol: ts.Symbol;
}

export type TypeNames = (type: ts.Type) => TypeName | undefined;

/** Creates the function; the exported aliases of a project are read on its first call. */
export function createTypeNames(compiler: Compiler, files: readonly string[]): TypeNames {
  let aliases: ReadonlyMap<ts.Type, TypeName> | undefined;
  return (type) => {
    const alias = aliasOf(compiler, type);
    if (alias !== undefined) return alias;
    // The compiler forgets the name of `type A = Omit<B, "c">`; the type itself is still the same.
    aliases ??= exportedAliases(compiler, files);
    return aliases.get(type) ?? declaredName(compiler, type);
  };
}

function aliasOf(compiler: Compiler, type: ts.Type): TypeName | undefined {
  const { aliasSymbol, aliasTypeArguments = [] } = type;
  const [declaration] = aliasSymbol?.declarations ?? [];
  if (aliasSymbol === undefined || declaration === undefined || !isOwn(declaration)) {
    return undefined;
  }
  return joined(compiler, aliasSymbol, aliasTypeArguments);
}

function declaredName(compiler: Compiler, type: ts.Type): TypeName | undefined {
  const { checker } = compiler;
  const symbol = type.getSymbol();
  const [declaration] = symbol?.declarations ?? [];
  if (symbol === undefined || declaration === undefined) return undefined;
  if (!isOwn(declaration) && compiler.frameworkFile(declaration) === undefined) return undefined;
  const isNamed = ts.isInterfaceDeclaration(declaration) || ts.isClassDeclaration(declaration) ||
    ts.isEnumDeclaration(declaration);
  if (!isNamed || !(type.flags & (ts.TypeFlags.Object | ts.TypeFlags.EnumLike))) return undefined;
  const isReference = (type.flags & ts.TypeFlags.Object) !== 0 &&
    ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Reference) !== 0;
  // The last type argument of a class or an interface may be its `this` type.
  const count = (declaration as ts.InterfaceDeclaration).typeParameters?.length ?? 0;
  const args = isReference
    ? checker.getTypeArguments(type as ts.TypeReference).slice(0, count)
    : [];
  return joined(compiler, symbol, args);
}

/** `Page<EventJson>` is `Page_EventJson`; the characters of other arguments do not matter. */
function joined({ checker }: Compiler, symbol: ts.Symbol, args: readonly ts.Type[]): TypeName {
  const name = [symbol.name, ...args.map((each) => checker.typeToString(each))].join("_")
    .replace(/[^A-Za-z0-9.]+/g, "_").replace(/_+$/, "");
  return { name, symbol };
}

function exportedAliases(
  { checker, program }: Compiler,
  files: readonly string[],
): ReadonlyMap<ts.Type, TypeName> {
  const aliases = new Map<ts.Type, TypeName>();
  for (const file of files) {
    for (const statement of program.getSourceFile(file)?.statements ?? []) {
      if (!ts.isTypeAliasDeclaration(statement) || statement.typeParameters !== undefined) continue;
      const isExported = statement.modifiers?.some(({ kind }) =>
        kind === ts.SyntaxKind.ExportKeyword
      );
      // A name for a primitive type, or for another name, adds nothing.
      const isShape = ts.isTypeReferenceNode(statement.type)
        ? statement.type.typeArguments !== undefined
        : true;
      if (isExported !== true || !isShape) continue;
      const type = checker.getTypeAtLocation(statement.name);
      const { Object: object, Intersection, Union } = ts.TypeFlags;
      const isStructured = (type.flags & (object | Intersection | Union)) !== 0 &&
        !(type.flags & ts.TypeFlags.Boolean);
      const symbol = checker.getSymbolAtLocation(statement.name);
      if (isStructured && symbol !== undefined && !aliases.has(type)) {
        aliases.set(type, { name: symbol.name, symbol });
      }
    }
  }
  return aliases;
}
