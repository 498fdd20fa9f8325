import type ts from "npm:typescript@6.0.3";
import type { Schema } from "./document.ts";
import { type Compiler, initializerOf } from "../../facts/compiler.ts";

export type NamedType =
  | { readonly kind: "schema"; readonly schema: Schema }
  | { readonly kind: "type"; readonly type: ts.Type }
  /** A constant that holds a schema. */
  | { readonly kind: "constant"; readonly name: ts.Expression; readonly type: ts.Type }
  | { readonly kind: "list"; readonly item: NamedType }
  | { readonly kind: "union"; readonly parts: readonly NamedType[] }
  | { readonly kind: "unknown"; readonly name: string };

const words: Readonly<Record<string, Schema>> = {
  string: { type: "string" },
  number: { type: "number" },
  integer: { type: "integer" },
  int: { type: "integer" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  "date-time": { type: "string", format: "date-time" },
  uuid: { type: "string", format: "uuid" },
  uri: { type: "string", format: "uri" },
  email: { type: "string", format: "email" },
  null: { type: "null" },
};

export function parseNamedType(compiler: Compiler, text: string, scope: ts.Node): NamedType {
  const parts = splitUnion(text.trim());
  if (parts.length > 1) {
    return { kind: "union", parts: parts.map((part) => parseNamedType(compiler, part, scope)) };
  }
  const whole = text.trim();
  const item = /^(.*)\[\]$/.exec(whole)?.[1];
  if (item !== undefined) {
    return {
      kind: "list",
      item: parseNamedType(compiler, item.replace(/^\((.*)\)$/, "$1"), scope),
    };
  }
  const literal = parseLiteral(whole);
  if (literal !== undefined) return { kind: "schema", schema: { const: literal } };
  const word = Object.hasOwn(words, whole) ? words[whole] : undefined;
  if (word !== undefined) return { kind: "schema", schema: word };
  return findName(compiler, whole, scope);
}

function splitUnion(text: string): string[] {
  return (text.match(/(?:"[^"]*"|\([^)]*\)|[^|])+/g) ?? [text]).map((part) => part.trim());
}

function parseLiteral(text: string): string | number | undefined {
  const quoted = /^"([^"]*)"$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function findName(compiler: Compiler, name: string, scope: ts.Node): NamedType {
  const { ts, checker } = compiler;
  const { Type, Value } = ts.SymbolFlags;
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return { kind: "unknown", name };
  const all = namedIn(compiler, name, scope.getSourceFile());
  for (const symbol of all) {
    const initializer = symbol.flags & Value ? initializerOf(compiler, symbol) : undefined;
    const type = initializer && checker.getTypeAtLocation(initializer);
    const isSchema = type?.getProperty("~standard") !== undefined || type?.getProperty("~output");
    const declaration = symbol.valueDeclaration;
    if (initializer === undefined || !isSchema || type === undefined) continue;
    if (declaration === undefined || !ts.isVariableDeclaration(declaration)) continue;
    if (ts.isIdentifier(declaration.name)) {
      return { kind: "constant", name: declaration.name, type };
    }
  }
  const declared = all.find(({ flags }) => flags & Type);
  return declared === undefined
    ? { kind: "unknown", name }
    : { kind: "type", type: checker.getDeclaredTypeOfSymbol(declared) };
}

/**
 * Finds a name in a file, else among the exports of the project: an import that only a comment uses
 * would be unused.
 */
function namedIn(compiler: Compiler, name: string, source: ts.SourceFile): readonly ts.Symbol[] {
  const { ts, checker } = compiler;
  const { Type, Value, Alias } = ts.SymbolFlags;
  const own = checker.getSymbolsInScope(source, Type | Value | Alias)
    .filter((symbol) => symbol.name === name && isOwnSymbol(compiler, symbol))
    .map((symbol) =>
      symbol.flags & Alias
        ? checker.getAliasedSymbol(symbol)
        // The local symbol of an export has no flags of a type.
        : checker.getExportSymbolOfSymbol(symbol)
    );
  if (own.length > 0) return own;
  const exported = new Set(
    compiler.program.getSourceFiles().filter((file) => compiler.isOwn(file)).flatMap((file) => {
      const module = checker.getSymbolAtLocation(file);
      const found = module && checker.tryGetMemberInModuleExports(name, module);
      if (found === undefined) return [];
      return found.flags & Alias ? checker.getAliasedSymbol(found) : found;
    }),
  );
  // Of two types with one name, the file must import the right one.
  return exported.size === 1 ? [...exported] : [];
}

/** Globals of the platform, such as `Event`, are not types of an API. */
function isOwnSymbol({ isOwn, ts }: Compiler, symbol: ts.Symbol): boolean {
  return (symbol.flags & ts.SymbolFlags.Alias) !== 0 ||
    symbol.declarations?.some((each) => isOwn(each)) === true;
}
