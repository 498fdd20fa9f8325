/**
 * Reads the types that directives name: `openapi:response 201 Event[]`.
 *
 * @module
 */
import type ts from "typescript";
import type { Schema } from "./document.ts";
import { type Compiler, initializerOf } from "./framework.ts";

/** What a directive's type stands for. */
export type NamedType =
  | { readonly kind: "schema"; readonly schema: Schema }
  /** A type of the program. */
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

/** Returns the scope in which a directive's names are looked up. */
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
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return { kind: "unknown", name };
  const source = scope.getSourceFile();
  const { Type, Value, Alias } = ts.SymbolFlags;
  const all = checker.getSymbolsInScope(source, Type | Value | Alias)
    .filter((symbol) => symbol.name === name)
    .map((symbol) => symbol.flags & Alias ? checker.getAliasedSymbol(symbol) : symbol);
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
