import { type FieldSchema, struct, type StructSchema } from "../../../runtime/schema/mod.ts";
import type { JsonOptions } from "../../../runtime/base/ctx/input.ts";
import * as input from "../../../runtime/schema/input.ts";
import type { ParseResult } from "../../../runtime/schema/result.ts";

/** The result as plain data: the value, or `{ errors }`, or the fault of the body. */
export function plain(result: ParseResult<unknown>): unknown {
  switch (result.kind) {
    case "ok":
      return result.value;
    case "invalid":
      return { errors: { ...result.errors.fields } };
    case "unknown_field":
      return { unknown: result.field };
    case "not_object":
      return "not an object";
  }
}

/** Groups the values of a query by their names. */
export function groupTexts(query: string): Map<string, string[]> {
  const groups = Map.groupBy(new URLSearchParams(query), ([name]) => name);
  return new Map([...groups].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]));
}

/** Validates a form by a struct, which is synchronous. */
export function parseFormInput<T>(
  schema: StructSchema<T>,
  source: string | input.FormTexts,
  options?: input.FormInputOptions,
): ParseResult<T> {
  const fields = typeof source === "string" ? groupTexts(source) : source;
  return input.parseFormInput(schema, fields, options) as ParseResult<T>;
}

/** Validates a JSON body by a struct, which is synchronous. */
export function parseJsonInput<T>(
  schema: StructSchema<T>,
  body: unknown,
  options?: JsonOptions,
): ParseResult<T> {
  return input.parseJsonInput(schema, body, options) as ParseResult<T>;
}

// deno-lint-ignore no-explicit-any -- fields of all types stand in one table
export type AnyField = FieldSchema<any, boolean>;

export function form<T>(schema: StructSchema<T>, query: string): unknown {
  return plain(parseFormInput(schema, query));
}

export function json<T>(schema: StructSchema<T>, text: string): unknown {
  return plain(parseJsonInput(schema, JSON.parse(text)));
}

/** Reads one form field `a`: returns its value, or its message in angle brackets. */
export function formField(field: AnyField, values: readonly string[]): unknown {
  return single(parseFormInput(struct({ a: field }), new Map([["a", values]])));
}

/** Reads one JSON member `a`: returns its value, or its message in angle brackets. */
export function jsonField(field: AnyField, value: unknown): unknown {
  return single(parseJsonInput(struct({ a: field }), value === undefined ? {} : { a: value }));
}

function single(result: ParseResult<unknown>): unknown {
  if (result.kind === "ok") return (result.value as { a: unknown }).a;
  return result.kind === "invalid" ? `<${result.errors.get("a")}>` : result.kind;
}
