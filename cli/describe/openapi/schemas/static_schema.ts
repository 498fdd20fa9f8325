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
import type ts from "npm:typescript@6.0.3";
import {
  type Compiler,
  initializerOf,
  literalText,
  nameText,
  propertyOf,
  symbolOf,
} from "../../../facts/compiler.ts";
import type { AnyFieldSchema } from "../../../facts/schema_process.ts";
import { unwrap } from "../../../project/sources/functions.ts";

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
    const { ts } = this.#compiler;
    const at = unwrap(ts, expression);
    if (ts.isIdentifier(at) || ts.isPropertyAccessExpression(at)) return this.#readName(at);
    return ts.isCallExpression(at) ? this.#readCall(at) : undefined;
  }

  #readName(at: ts.Identifier | ts.PropertyAccessExpression): AnyFieldSchema | undefined {
    const { ts } = this.#compiler;
    const symbol = symbolOf(this.#compiler, ts.isIdentifier(at) ? at : at.name);
    const initializer = initializerOf(this.#compiler, symbol);
    if (symbol === undefined || initializer === undefined || !this.#isConstant(symbol)) {
      return undefined;
    }
    if (!this.#known.has(initializer)) {
      // Kept before it is complete, so that a circle of constants ends.
      this.#known.set(initializer, undefined);
      const schema = this.read(initializer);
      this.#known.set(initializer, schema);
      if (schema !== undefined && this.#isTopLevel(symbol)) {
        this.#names.set(schema.def, symbol.name);
      }
    }
    return this.#known.get(initializer);
  }

  #isConstant({ valueDeclaration: declaration }: ts.Symbol): boolean {
    const { ts } = this.#compiler;
    if (declaration === undefined) return false;
    return !ts.isVariableDeclaration(declaration) ||
      (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0;
  }

  #isTopLevel({ valueDeclaration: declaration }: ts.Symbol): boolean {
    const { ts } = this.#compiler;
    return declaration !== undefined && ts.isVariableDeclaration(declaration) &&
      ts.isSourceFile(declaration.parent.parent.parent);
  }

  #readCall(call: ts.CallExpression): AnyFieldSchema | undefined {
    const { ts } = this.#compiler;
    const callee = unwrap(this.#compiler.ts, call.expression);
    if (ts.isPropertyAccessExpression(callee)) {
      const { text: method } = callee.name;
      // Checks have no counterpart in JSON Schema.
      if (method === "check") return this.read(callee.expression);
      if (method === "optional") return this.read(callee.expression)?.optional();
    }
    const name = this.#builderOf(callee);
    return name === undefined ? undefined : this.#build(name, call.arguments);
  }

  #builderOf(callee: ts.Expression): string | undefined {
    const { ts } = this.#compiler;
    const at = ts.isPropertyAccessExpression(callee) ? callee.name : callee;
    const symbol = symbolOf(this.#compiler, at);
    const [declaration] = symbol?.declarations ?? [];
    const isBuilder = declaration !== undefined &&
      this.#compiler.frameworkFile(declaration)?.startsWith(builderFolder) === true;
    return isBuilder ? symbol?.name : undefined;
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
    return this.#withNames(second, (own) => leaf(knownRules(rules, leaf), own));
  }

  #rulesOf(expression: ts.Expression | undefined): string | undefined {
    return expression === undefined ? "" : literalText(this.#compiler, expression);
  }

  #withNames(
    options: ts.Expression | undefined,
    make: (names: FieldNames) => AnyFieldSchema,
  ): AnyFieldSchema | undefined {
    const form = literalText(this.#compiler, propertyOf(this.#compiler, options, "form"));
    const json = literalText(this.#compiler, propertyOf(this.#compiler, options, "json"));
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
    const { ts } = this.#compiler;
    const at = unwrap(ts, expression);
    const symbol = ts.isIdentifier(at) ? symbolOf(this.#compiler, at) : undefined;
    const initializer = symbol && this.#isConstant(symbol)
      ? initializerOf(this.#compiler, symbol)
      : undefined;
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
      const name = property.name && nameText(this.#compiler, property.name);
      const value = ts.isPropertyAssignment(property)
        ? property.initializer
        : ts.isShorthandPropertyAssignment(property)
        ? property.name
        : undefined;
      const field = value && this.read(value);
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
