/**
 * Builds the framework's schemas from their source, without running it: calls of builders with literal
 * rules, constants and spreads.
 *
 * @module
 */
import {
  bool,
  date,
  type FieldNames,
  type FieldSchema,
  float,
  int,
  int64,
  list,
  struct,
  text,
  texts,
  toJsonSchema,
} from "@fw/fw/schema";
import type ts from "typescript";
import {
  bare,
  type Compiler,
  initializerOf,
  literalText,
  memberOf,
  nameText,
  symbolOf,
} from "../framework.ts";

/** A schema of the framework; what its values are does not matter here. */
export type AnyFieldSchema = FieldSchema<unknown, boolean>;

/** Reads schemas; each constant is read once. */
export interface StaticSchemas {
  /** Returns the schema that an expression makes; `undefined` if its source does not tell. */
  read(expression: ts.Expression): AnyFieldSchema | undefined;
  /** Returns the name of the constant that holds a schema, by the schema's definition. */
  nameOf(definition: object): string | undefined;
}

type Leaf = (rules: string, names: FieldNames) => AnyFieldSchema;

// The rules come from a text, so the compiler cannot check them here; it did where they are written.
const leaves: Readonly<Record<string, unknown>> = { bool, date, float, int, int64, text, texts };

const builderFile = "runtime/schema/builders.ts";

/** Creates the reader. */
export function createStaticSchemas(compiler: Compiler): StaticSchemas {
  const { ts } = compiler;
  const known = new Map<ts.Expression, AnyFieldSchema | undefined>();
  const names = new Map<object, string>();
  return { read, nameOf: (definition) => names.get(definition) };

  function read(expression: ts.Expression): AnyFieldSchema | undefined {
    const at = bare(compiler, expression);
    if (ts.isIdentifier(at) || ts.isPropertyAccessExpression(at)) return readName(at);
    return ts.isCallExpression(at) ? readCall(at) : undefined;
  }

  function readName(at: ts.Identifier | ts.PropertyAccessExpression): AnyFieldSchema | undefined {
    const symbol = symbolOf(compiler, ts.isIdentifier(at) ? at : at.name);
    const initializer = initializerOf(compiler, symbol);
    if (symbol === undefined || initializer === undefined || !isConstant(symbol)) return undefined;
    if (!known.has(initializer)) {
      // Kept before it is complete, so that a circle of constants ends.
      known.set(initializer, undefined);
      const schema = read(initializer);
      known.set(initializer, schema);
      if (schema !== undefined && isTopLevel(symbol)) names.set(schema.def, symbol.name);
    }
    return known.get(initializer);
  }

  function isConstant({ valueDeclaration: declaration }: ts.Symbol): boolean {
    if (declaration === undefined) return false;
    return !ts.isVariableDeclaration(declaration) ||
      (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  }

  function isTopLevel({ valueDeclaration: declaration }: ts.Symbol): boolean {
    return declaration !== undefined && ts.isVariableDeclaration(declaration) &&
      ts.isSourceFile(declaration.parent.parent.parent);
  }

  function readCall(call: ts.CallExpression): AnyFieldSchema | undefined {
    const callee = bare(compiler, call.expression);
    if (ts.isPropertyAccessExpression(callee)) {
      const { text: method } = callee.name;
      // Checks have no counterpart in JSON Schema.
      if (method === "check") return read(callee.expression);
      if (method === "optional") return read(callee.expression)?.optional();
    }
    const name = builderOf(callee);
    return name === undefined ? undefined : build(name, call.arguments);
  }

  function builderOf(callee: ts.Expression): string | undefined {
    const at = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    const symbol = symbolOf(compiler, at);
    const [declaration] = symbol?.declarations ?? [];
    const isBuilder = declaration !== undefined &&
      compiler.frameworkFile(declaration) === builderFile;
    return isBuilder ? symbol?.name : undefined;
  }

  function build(name: string, args: readonly ts.Expression[]): AnyFieldSchema | undefined {
    const [first, second, third] = args;
    if (name === "struct") {
      const fields = first && readFields(first);
      return fields && withNames(second, (own) => struct(fields, own) as AnyFieldSchema);
    }
    if (name === "list") {
      const item = first && read(first);
      const rules = rulesOf(second);
      if (item === undefined || rules === undefined) return undefined;
      const make = list as (item: AnyFieldSchema, rules: string, own: FieldNames) => AnyFieldSchema;
      return withNames(third, (own) => make(item, rules, own));
    }
    const leaf = leaves[name] as Leaf | undefined;
    const rules = rulesOf(first);
    if (leaf === undefined || rules === undefined) return undefined;
    return withNames(second, (own) => leaf(knownRules(rules, leaf), own));
  }

  function rulesOf(expression: ts.Expression | undefined): string | undefined {
    return expression === undefined ? "" : literalText(compiler, expression);
  }

  function withNames(
    options: ts.Expression | undefined,
    make: (names: FieldNames) => AnyFieldSchema,
  ): AnyFieldSchema {
    const form = literalText(compiler, memberOf(compiler, options, "form"));
    const json = literalText(compiler, memberOf(compiler, options, "json"));
    return make({
      ...(form === undefined ? {} : { form }),
      ...(json === undefined ? {} : { json }),
    });
  }

  function readFields(expression: ts.Expression): Record<string, AnyFieldSchema> | undefined {
    const at = bare(compiler, expression);
    const symbol = ts.isIdentifier(at) ? symbolOf(compiler, at) : undefined;
    const initializer = symbol && isConstant(symbol) ? initializerOf(compiler, symbol) : undefined;
    if (initializer !== undefined) return readFields(initializer);
    if (!ts.isObjectLiteralExpression(at)) return undefined;
    const fields: Record<string, AnyFieldSchema> = {};
    for (const property of at.properties) {
      if (ts.isSpreadAssignment(property)) {
        const inner = readFields(property.expression);
        if (inner === undefined) return undefined;
        Object.assign(fields, inner);
        continue;
      }
      const name = property.name && nameText(compiler, property.name);
      const value = ts.isPropertyAssignment(property)
        ? property.initializer
        : ts.isShorthandPropertyAssignment(property)
        ? property.name
        : undefined;
      const field = value && read(value);
      if (name === undefined || field === undefined) return undefined;
      fields[name] = field;
    }
    return fields;
  }
}

/** Removes the rules that the application adds, which have no counterpart in JSON Schema. */
function knownRules(rules: string, leaf: Leaf): string {
  return rules.split(",").filter((rule) => isKnown(rule, leaf)).join(",");
}

function isKnown(rule: string, leaf: Leaf): boolean {
  try {
    toJsonSchema(leaf(rule, {}));
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
