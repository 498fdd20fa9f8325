/**
 * Reads JSON Schemas in one form, whatever keywords say the same, so that two can be compared.
 *
 * @module
 */
import type { JsonObject } from "@fw/fw/addon";
import { entriesOf, listOf, memberOf, objectOf, textOf, textsOf } from "../../project/json.ts";
import { findReference, followReferences } from "../document/values.ts";
import { jsonText } from "./shown.ts";

interface Target {
  readonly ref: string;
  readonly isNullable: boolean;
}

/** The last of the references that lead to a schema, through choices of it and `null`. */
export function targetOf(document: unknown, schema: unknown): Target | undefined {
  let target: Target | undefined;
  let found = schema;
  for (let step = 0; step < 32; step++) {
    const ref = textOf(memberOf(found, "$ref"));
    const choice = ref === undefined ? nullableReference(found) : undefined;
    const next = ref ?? choice;
    if (next === undefined) return target;
    target = { ref: next, isNullable: choice !== undefined || target?.isNullable === true };
    found = findReference(document, next);
  }
  return target;
}

/** The reference that a schema chooses beside `null`. */
function nullableReference(schema: unknown): string | undefined {
  for (const keyword of ["oneOf", "anyOf"]) {
    const choices = listOf(memberOf(schema, keyword));
    const refs = choices.flatMap((each) => textOf(memberOf(each, "$ref")) ?? []);
    const hasNull = choices.some((each) => memberOf(each, "type") === "null");
    if (choices.length === 2 && hasNull && refs.length === 1) return refs[0];
  }
  return undefined;
}

/** A schema as an object without `$ref`, `allOf` and a choice of `null`; `undefined` for `false`. */
export function normalize(document: unknown, schema: unknown, depth = 0): JsonObject | undefined {
  const found = followReferences(document, schema);
  if (found === false) return undefined;
  const object = objectOf(found) ?? {};
  const parts = listOf(memberOf(object, "allOf"));
  const whole = parts.length === 0 || depth > 20
    ? object
    : mergeParts(object, parts.map((part) => normalize(document, part, depth + 1) ?? {}));
  return withoutNullChoice(document, whole, depth);
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
function withoutNullChoice(document: unknown, schema: JsonObject, depth: number): JsonObject {
  for (const keyword of ["oneOf", "anyOf"]) {
    const choices = listOf(memberOf(schema, keyword));
    const others = choices.filter((choice) => memberOf(choice, "type") !== "null");
    const [only] = others;
    if (choices.length !== 2 || others.length !== 1 || depth > 20) continue;
    const inner = normalize(document, only, depth + 1);
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

function valuesList(schema: JsonObject): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, "const") && schema["const"] !== undefined) return [schema["const"]];
  const values = memberOf(schema, "enum");
  return Array.isArray(values) ? values : undefined;
}

/** The values that an `enum` or a `const` lists, as JSON, without `null`, which the types tell. */
export function valuesOf(schema: JsonObject): ReadonlySet<string> | undefined {
  const values = valuesList(schema);
  return values === undefined
    ? undefined
    : new Set(values.filter((value) => value !== null).map(jsonText));
}

/** The types that a schema names; `undefined` if it names none. */
export function typesOf(schema: JsonObject): ReadonlySet<string> | undefined {
  const given = memberOf(schema, "type");
  const names = new Set(typeof given === "string" ? [given] : textsOf(given));
  if (names.size === 0) return undefined;
  if (memberOf(schema, "nullable") === true) names.add("null");
  return names;
}

export function withoutNull(types: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...types].filter((type) => type !== "null"));
}

export function accepts(types: ReadonlySet<string>, type: string): boolean {
  return types.has(type) || type === "integer" && types.has("number");
}

export function typeText(types: ReadonlySet<string>): string {
  return [...types].join(" | ");
}

export function hasChoices(schema: JsonObject): boolean {
  return ["oneOf", "anyOf", "enum", "const"].some((name) => memberOf(schema, name) !== undefined);
}
