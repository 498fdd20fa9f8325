import type ts from "npm:typescript@6.0.3";
import type { Schema } from "./document.ts";
import { type Compiler, initializerOf } from "../../facts/compiler.ts";
import type { SchemaUse } from "../../facts/effects.ts";
import type { InputSchemas } from "./schemas/input_schemas.ts";
import type { TypeSchemas } from "./schemas/type_schema.ts";

export interface NamedTypeContext {
  readonly compiler: Compiler;
  readonly types: TypeSchemas;
  readonly inputs: InputSchemas;
  readonly scope: ts.SourceFile;
  readonly reportType: (name: string) => void;
}

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

/** Returns the schema of a type as a directive writes it; `undefined` for what nothing declares. */
export function namedSchema(text: string, context: NamedTypeContext): Schema | undefined {
  const whole = text.trim();
  const parts = splitUnion(whole);
  if (parts.length > 1) {
    const schemas = parts.map((part) => namedSchema(part, context));
    return unionOf(schemas.filter((schema) => schema !== undefined));
  }
  const item = /^(.*)\[\]$/.exec(whole)?.[1];
  if (item !== undefined) {
    const items = namedSchema(item.replace(/^\((.*)\)$/, "$1"), context);
    return items && { type: "array", items };
  }
  const literal = parseLiteral(whole);
  if (literal !== undefined) return { const: literal };
  return Object.hasOwn(words, whole) ? words[whole] : declaredSchema(whole, context);
}

function unionOf(parts: readonly Schema[]): Schema {
  const [only] = parts;
  if (parts.length === 1 && only !== undefined) return only;
  const values = parts.map((part) => part["const"]);
  if (values.every((value) => typeof value === "string")) return { type: "string", enum: values };
  return { anyOf: [...parts] };
}

function splitUnion(text: string): string[] {
  return (text.match(/(?:"[^"]*"|\([^)]*\)|[^|])+/g) ?? [text]).map((part) => part.trim());
}

function parseLiteral(text: string): string | number | undefined {
  const quoted = /^"([^"]*)"$/.exec(text)?.[1];
  if (quoted !== undefined) return quoted;
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function declaredSchema(name: string, context: NamedTypeContext): Schema | undefined {
  const { compiler, types, inputs, scope, reportType } = context;
  const constant = schemaConstant(compiler, name, scope);
  if (constant !== undefined) return inputs.of(constant).json;
  const { Type } = compiler.ts.SymbolFlags;
  const declared = namedIn(compiler, name, scope).find(({ flags }) => flags & Type);
  if (declared === undefined) return void reportType(name);
  const type = compiler.checker.getDeclaredTypeOfSymbol(declared);
  return types.schemaOf(type, (fault) => reportType(fault.type));
}

export function schemaConstant(
  compiler: Compiler,
  name: string,
  scope: ts.SourceFile,
): SchemaUse | undefined {
  const { ts, checker } = compiler;
  for (const symbol of namedIn(compiler, name, scope)) {
    const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
    const initializer = isValue ? initializerOf(compiler, symbol) : undefined;
    const type = initializer && checker.getTypeAtLocation(initializer);
    const isSchema = type?.getProperty("~standard") !== undefined || type?.getProperty("~output");
    const declaration = symbol.valueDeclaration;
    if (!isSchema || type === undefined || declaration === undefined) continue;
    if (ts.isVariableDeclaration(declaration) && ts.isIdentifier(declaration.name)) {
      return { expression: declaration.name, type };
    }
  }
  return undefined;
}

/** Finds a name in a file, else among the exports: an import that only a comment uses would be unused. */
function namedIn(compiler: Compiler, name: string, source: ts.SourceFile): readonly ts.Symbol[] {
  const { ts, checker } = compiler;
  const { Type, Value, Alias } = ts.SymbolFlags;
  if (!/^[A-Za-z_$][\w$]*$/.test(name)) return [];
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
