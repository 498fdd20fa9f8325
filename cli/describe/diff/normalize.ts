/**
 * Brings schemas into one form, so that two ways to write the same schema do not differ.
 *
 * @module
 */
import type { JsonObject } from "@fw/fw/addon";
import { entriesOf, listOf, memberOf, objectOf, textsOf } from "../../project/json.ts";
import { followReferences } from "../document/values.ts";

/** What normalizing needs besides the schema. */
export interface Normalizing {
  /** The document of the schema. */
  readonly document: unknown;
  /** Counts the schemas that are looked at; below zero, parts were left out. */
  readonly budget: { left: number };
}

/** Returns a schema as an object without `$ref`, `allOf` and a choice of `null`; `undefined` for `false`. */
export function normalize(schema: unknown, at: Normalizing, depth = 0): JsonObject | undefined {
  const found = followReferences(at.document, schema);
  if (found === false) return undefined;
  const object = objectOf(found) ?? {};
  // Parts that refer to each other lead to the same ones on any number of ways.
  if (--at.budget.left < 0) return object;
  const parts = listOf(memberOf(object, "allOf"));
  const whole = parts.length === 0 || depth > 20
    ? object
    : mergeParts(object, parts.map((part) => normalize(part, at, depth + 1) ?? {}));
  return withoutNullChoice(whole, at, depth);
}

/** Joins the parts of an `allOf`: members and required names of all; of other keywords the first. */
function mergeParts(own: JsonObject, parts: readonly JsonObject[]): JsonObject {
  const { allOf: _, ...rest } = own;
  const merged = new Map<string, unknown>(Object.entries(rest));
  for (const part of parts) {
    for (const [name, value] of Object.entries(part)) {
      const before = merged.get(name);
      if (name === "properties") {
        merged.set(name, Object.fromEntries([...entriesOf(value), ...entriesOf(before)]));
      } else if (name === "required") {
        merged.set(name, [...new Set([...textsOf(before), ...textsOf(value)])]);
      } else if (before === undefined) merged.set(name, value);
    }
  }
  return Object.fromEntries(merged);
}

/** Writes `anyOf: [X, { type: "null" }]` as X with the type `null` beside its own. */
function withoutNullChoice(schema: JsonObject, at: Normalizing, depth: number): JsonObject {
  for (const keyword of ["oneOf", "anyOf"]) {
    const choices = listOf(memberOf(schema, keyword));
    const others = choices.filter((choice) => memberOf(choice, "type") !== "null");
    const [only] = others;
    if (choices.length !== 2 || others.length !== 1 || depth > 20) continue;
    const inner = normalize(only, at, depth + 1);
    const types = inner === undefined ? undefined : typesOf(inner);
    if (inner === undefined || types === undefined) continue;
    const { [keyword]: _, ...rest } = schema;
    const values = valuesList(inner);
    return {
      ...inner,
      ...rest,
      type: [...types, "null"],
      ...(values === undefined ? {} : { enum: [...values, null], const: undefined }),
    };
  }
  return schema;
}

/** Lists the values of an `enum` or a `const`; `undefined` without either. */
export function valuesList(schema: JsonObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, "const") && schema["const"] !== undefined) return [schema["const"]];
  const values = memberOf(schema, "enum");
  return Array.isArray(values) ? values : undefined;
}

/** Returns the types that a schema names; `undefined` if it names none. */
export function typesOf(schema: JsonObject): ReadonlySet<string> | undefined {
  const given = memberOf(schema, "type");
  const names = new Set(typeof given === "string" ? [given] : textsOf(given));
  if (names.size === 0) return undefined;
  if (memberOf(schema, "nullable") === true) names.add("null");
  return names;
}
