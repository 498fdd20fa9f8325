/**
 * Adds to the type of a response what the schema behind it tells: `Infer<typeof Book>` has numbers, and
 * `Book` says that they are integers between limits.
 */
import { isJsonObject } from "@fw/fw/addon";
import { toJsonSchema } from "@fw/fw/schema";
import type ts from "npm:typescript@6.0.3";
import type { Schema } from "../document.ts";
import { type Compiler, isOwn, valueOf } from "../../../facts/compiler.ts";
import type { SchemaValues } from "../../../facts/schema_values.ts";

export type ResponseRules = (property: ts.Symbol, schema: Schema) => Schema;

export function createResponseRules(compiler: Compiler, values: SchemaValues): ResponseRules {
  return (property, schema) => {
    const [declaration] = property.declarations ?? [];
    if (declaration === undefined || !isInferred(compiler, property)) return schema;
    // An inferred property has the declaration of the field: a member of the literal in `struct({ … })`.
    const value = valueOf(declaration);
    const found = value && values.read(value);
    if (found?.kind !== "field" || found.schema.def.kind === "struct") return schema;
    const isRequired = found.schema.def.rules.split(",").includes("required");
    return merged(schema, toJsonSchema(found.schema), isRequired);
  };
}

/** The part of a property of a mapped type that the compiler keeps; it has no public form. */
interface MappedProperty {
  readonly links?: {
    readonly mappedType?: { readonly declaration: ts.Node };
    readonly syntheticOrigin?: ts.Symbol;
  };
}

/**
 * Reports whether a property has the type that a schema infers, perhaps behind `Omit` or `Pick`. A
 * mapped type of the application keeps the declarations and may have other types.
 */
function isInferred(compiler: Compiler, property: ts.Symbol): boolean {
  const { mappedType, syntheticOrigin } = (property as MappedProperty).links ?? {};
  if (mappedType === undefined || isOwn(mappedType.declaration)) return false;
  return compiler.frameworkFile(mappedType.declaration) !== undefined ||
    (syntheticOrigin !== undefined && isInferred(compiler, syntheticOrigin));
}

// A rule of an item says nothing about the empty one.
const itemsRequired = false;

/** The keywords that hold for every value of a field, also for the empty one. */
const upperLimits = ["maxItems", "maxLength"];

/** The keywords that an empty value breaks, which every rule but `required` ignores. */
const otherRules = ["format", "minItems", "minLength", "pattern"];

function merged(schema: Schema, rules: Schema, isRequired: boolean): Schema {
  const [base, isNull] = baseOf(schema);
  const [known] = baseOf(rules);
  // Where the type says something else or more, the type counts.
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
