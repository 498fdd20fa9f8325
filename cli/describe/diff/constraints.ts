/**
 * The keywords of JSON Schema that limit a value, and what a change of them means.
 *
 * @module
 */
import type { JsonObject } from "@fw/fw/addon";
import { memberOf } from "../../project/json.ts";
import { jsonText } from "./shown.ts";

/** What became of the values that a schema accepts. */
export type Effect = "narrower" | "wider" | "other";

export function effectOf(lost: boolean, gained: boolean): Effect {
  if (lost && gained) return "other";
  return lost ? "narrower" : "wider";
}

/** The keywords that limit by a number, and whether they are lower limits. */
export const limits: readonly (readonly [string, boolean])[] = [
  ["minimum", true],
  ["exclusiveMinimum", true],
  ["minLength", true],
  ["minItems", true],
  ["minProperties", true],
  ["minContains", true],
  ["maximum", false],
  ["exclusiveMaximum", false],
  ["maxLength", false],
  ["maxItems", false],
  ["maxProperties", false],
  ["maxContains", false],
];

/** The keywords that a value meets or does not. */
export const constraints = [
  "pattern",
  "format",
  "multipleOf",
  "uniqueItems",
  "contentMediaType",
  "contentEncoding",
  "propertyNames",
  "contains",
  "not",
  "if",
  "dependentRequired",
];

export function numberOf(schema: JsonObject, name: string): number | undefined {
  const value = memberOf(schema, name);
  return typeof value === "number" ? value : undefined;
}

export function constraintOf(schema: JsonObject, name: string): string | undefined {
  const value = memberOf(schema, name);
  if (value === undefined || name === "uniqueItems" && value !== true) return undefined;
  return typeof value === "string" ? value : jsonText(value);
}

export function constraintEffect(name: string, from: string, to: string): Effect {
  if (name === "format") {
    if (from === "int32" && to === "int64") return "wider";
    if (from === "int64" && to === "int32") return "narrower";
    if (from === "float" && to === "double") return "wider";
    if (from === "double" && to === "float") return "narrower";
  }
  if (name === "multipleOf") {
    if (Number(to) % Number(from) === 0) return "narrower";
    if (Number(from) % Number(to) === 0) return "wider";
  }
  return "other";
}
