/**
 * Adds a schema's rules to the response type inferred from it: `Infer<typeof Book>` has numbers,
 * and `Book` knows that they are integers within limits.
 */
import { isJsonObject } from "@fw/fw/addon";
import { toJsonSchema } from "@fw/fw/schema";
import type { Schema } from "../document.ts";
import { type Compiler, isOwn } from "../../../facts/compiler.ts";
import type { SchemaValues } from "../../../facts/schema_values.ts";
import { memberValue } from "../../../project/sources/syntax.ts";
import ts from "npm:typescript@6.0.3";

export type ResponseRules = (property: ts.Symbol, schema: Schema) => Schema;

export function createResponseRules(compiler: Compiler, values: SchemaValues): ResponseRules {
  return (property, schema) => {
    const [declaration] = property.declarations ?? [];
    if (declaration === undefined || !isInferred(compiler, property)) return schema;
    // An inferred property is declared by its field, a member of the literal in `struct({ … })`.
    const value = memberValue(declaration);
    const found = value && values.read(value);
    if (found?.kind !== "field" || found.schema.def.kind === "struct") return schema;
    const isRequired = found.schema.def.rules.split(",").includes("required");
    return merged(schema, toJsonSchema(found.schema), isRequired);
  };
}

/** The compiler's internal record of a property of a mapped type; it has no public type. */
interface MappedProperty {
  readonly links?: {
    readonly mappedType?: { readonly declaration: ts.Node };
    readonly syntheticOrigin?: ts.Symbol;
  };
}

/**
 * Reports whether a property has its schema's type, also through `Omit` or `Pick`. The
 * application's own mapped types keep the declarations but may change the types.
 */
function isInferred(compiler: Compiler, property: ts.Symbol): boolean {
  const { mappedType, syntheticOrigin } = (property as MappedProperty).links ?? {};
  if (mappedType === undefined || isOwn(mappedType.declaration)) return false;
  return compiler.frameworkFile(mappedType.declaration) !== undefined ||
    (syntheticOrigin !== undefined && isInferred(compiler, syntheticOrigin));
}

// A rule of an item does not apply to an empty item.
const itemsRequired = false;

/** The keywords that hold for every value of a field, including an empty one. */
const upperLimits = ["maxItems", "maxLength"];

/** The keywords that an empty value violates; only `required` refuses empty values. */
const otherRules = ["format", "minItems", "minLength", "pattern"];

function merged(schema: Schema, rules: Schema, isRequired: boolean): Schema {
  const [base, isNull] = baseOf(schema);
  const [known] = baseOf(rules);
  // If the type is different or more precise, it wins.
  const isSame = base === known || (base === "number" && known === "integer");
  if (!isSame || base === undefined || "enum" in schema || "format" in schema) return schema;
  const result: Schema = { ...schema, type: isNull ? [known, "null"] : known };
  for (const name of isRequired ? [...upperLimits, ...otherRules] : upperLimits) {
    if (rules[name] !== undefined) result[name] = rules[name];
  }
  const { minimum, maximum, items } = rules;
  if (typeof minimum === "number" && (isRequired || minimum <= 0)) result["minimum"] = minimum;
  if (typeof maximum === "number" && (isRequired || maximum >= 0)) result["maximum"] = maximum;
  if (isJsonObject(schema["items"]) && isJsonObject(items)) {
    result["items"] = merged(schema["items"], items, itemsRequired);
  }
  return result;
}

function baseOf({ type }: Schema): readonly [unknown, boolean] {
  if (!Array.isArray(type)) return [type, false];
  const others = type.filter((each) => each !== "null");
  return others.length === 1 ? [others[0], type.length > 1] : [undefined, false];
}

/** Tags whose value becomes the keyword's value. */
const keywords: ReadonlySet<string> = new Set(
  ["default", "format", "maximum", "maxLength", "minimum", "minLength", "pattern"],
);

export function withPropertyDoc(
  { checker }: Compiler,
  symbol: ts.Symbol | undefined,
  described: Schema,
): Schema {
  if (symbol === undefined) return described;
  const schema: Schema = { ...described };
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker)).trim();
  if (text !== "") schema["description"] = text.replace(/\s+/g, " ");
  for (const { name, text: parts } of symbol.getJsDocTags(checker)) {
    const value = ts.displayPartsToString(parts).trim();
    if (name === "deprecated") schema["deprecated"] = true;
    if (name === "example") schema["examples"] = [parseValue(value)];
    if (keywords.has(name)) schema[name] = parseValue(value);
    // TypeScript has no integers, so this is the only type that a comment may set.
    if (name === "type" && /^(?:integer|\{\s*integer\s*\})$/.test(value)) {
      schema["type"] = withInteger(schema["type"]);
    }
  }
  return schema;
}

function withInteger(type: unknown): unknown {
  if (Array.isArray(type)) return type.map(withInteger);
  return type === "number" ? "integer" : type;
}

function parseValue(text: string): unknown {
  const fenced = /^```\w*\n([\s\S]*?)\n```$/.exec(text)?.[1] ?? text;
  try {
    return JSON.parse(fenced);
  } catch {
    return fenced;
  }
}
