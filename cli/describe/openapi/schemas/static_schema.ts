/**
 * Builds the framework's schemas from their source, without running it: calls of builders with literal
 * rules, constants and spreads.
 */
import {
  bool,
  date,
  type FieldNames,
  float,
  int,
  int64,
  list,
  struct,
  text,
  texts,
  toJsonSchema,
} from "@fw/fw/schema";
import ts from "npm:typescript@6.0.3";
import { type Compiler, initializerOf, nameText, valueOf } from "../../../facts/compiler.ts";
import type { AnyFieldSchema } from "../../../facts/schema_process.ts";
import { unwrap } from "../../../project/sources/syntax.ts";

type Leaf = (rules: string, names: FieldNames) => AnyFieldSchema;

// The rules come from a string, so the compiler cannot check them here; it did where they are written.
const leaves: Readonly<Record<string, unknown>> = { bool, date, float, int, int64, text, texts };

const builderFolder = "runtime/schema/";

export class StaticSchemas {
  readonly #compiler: Compiler;
  readonly #known = new Map<ts.Expression, AnyFieldSchema | undefined>();
  readonly #names = new Map<object, string>();

  constructor(compiler: Compiler) {
    this.#compiler = compiler;
  }

  nameOf(definition: object): string | undefined {
    return this.#names.get(definition);
  }

  /** Returns the schema that an expression makes; `undefined` if its source does not tell. */
  read(expression: ts.Expression): AnyFieldSchema | undefined {
    const at = unwrap(expression);
    if (ts.isCallExpression(at)) return this.#readCall(at);
    const symbol = this.#compiler.namedSymbol(at);
    const initializer = symbol && constantIn(symbol);
    if (symbol === undefined || initializer === undefined) return undefined;
    if (!this.#known.has(initializer)) {
      // Kept before it is complete, so that a circle of constants ends.
      this.#known.set(initializer, undefined);
      const schema = this.read(initializer);
      this.#known.set(initializer, schema);
      if (schema !== undefined && isTopLevel(symbol)) this.#names.set(schema.def, symbol.name);
    }
    return this.#known.get(initializer);
  }

  #readCall({ expression, arguments: args }: ts.CallExpression): AnyFieldSchema | undefined {
    const callee = unwrap(expression);
    const at = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    if (ts.isPropertyAccessExpression(callee)) {
      // Checks have no counterpart in JSON Schema.
      if (callee.name.text === "check") return this.read(callee.expression);
      if (callee.name.text === "optional") return this.read(callee.expression)?.optional();
    }
    const symbol = this.#compiler.symbolOf(at);
    const isBuilder = this.#compiler.originFile(symbol)?.startsWith(builderFolder) === true;
    return symbol !== undefined && isBuilder ? this.#build(symbol.name, args) : undefined;
  }

  #build(name: string, args: readonly ts.Expression[]): AnyFieldSchema | undefined {
    const [first, second, third] = args;
    if (name === "struct") {
      const fields = first && this.#readFields(first);
      return fields && this.#withNames(second, (own) => struct(fields, own) as AnyFieldSchema);
    }
    if (name === "list") {
      const item = first && this.read(first);
      const rules = this.#rulesOf(second);
      if (item === undefined || rules === undefined) return undefined;
      const make = list as (item: AnyFieldSchema, rules: string, own: FieldNames) => AnyFieldSchema;
      return this.#withNames(third, (own) => make(item, rules, own));
    }
    const leaf = leaves[name] as Leaf | undefined;
    const rules = this.#rulesOf(first);
    if (leaf === undefined || rules === undefined) return undefined;
    // Rules that the application adds have no counterpart in JSON Schema.
    const known = rules.split(",").filter((rule) => isKnown(rule, leaf)).join(",");
    return this.#withNames(second, (own) => leaf(known, own));
  }

  #rulesOf(expression: ts.Expression | undefined): string | undefined {
    return expression === undefined ? "" : this.#compiler.literalText(expression);
  }

  #withNames(
    options: ts.Expression | undefined,
    make: (names: FieldNames) => AnyFieldSchema,
  ): AnyFieldSchema | undefined {
    const [form, json] = ["form", "json"].map((name) =>
      this.#compiler.literalText(this.#compiler.propertyOf(options, name))
    );
    try {
      return make({
        ...(form === undefined ? {} : { form }),
        ...(json === undefined ? {} : { json }),
      });
    } catch {
      // The application does not boot with it either: its type says what there is to say.
      return undefined;
    }
  }

  #readFields(expression: ts.Expression): Record<string, AnyFieldSchema> | undefined {
    const at = unwrap(expression);
    const symbol = ts.isIdentifier(at) ? this.#compiler.symbolOf(at) : undefined;
    const initializer = symbol && constantIn(symbol);
    if (initializer !== undefined) return this.#readFields(initializer);
    if (!ts.isObjectLiteralExpression(at)) return undefined;
    const fields: Record<string, AnyFieldSchema> = {};
    for (const property of at.properties) {
      if (ts.isSpreadAssignment(property)) {
        const inner = this.#readFields(property.expression);
        if (inner === undefined) return undefined;
        Object.assign(fields, inner);
        continue;
      }
      const name = nameText(property.name);
      const value = valueOf(property);
      const field = value && this.read(value);
      if (name === undefined || field === undefined) return undefined;
      fields[name] = field;
    }
    return fields;
  }
}

/** Returns the value of a constant or of a member; `undefined` for a variable that may be set anew. */
function constantIn(symbol: ts.Symbol): ts.Expression | undefined {
  const { valueDeclaration: declaration } = symbol;
  const isVariable = declaration !== undefined && ts.isVariableDeclaration(declaration) &&
    (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) === 0;
  return isVariable ? undefined : initializerOf(symbol);
}

function isTopLevel({ valueDeclaration: declaration }: ts.Symbol): boolean {
  return declaration !== undefined && ts.isVariableDeclaration(declaration) &&
    ts.isSourceFile(declaration.parent.parent.parent);
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
