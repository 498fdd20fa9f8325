import type { AnyField } from "../base/standard_schema.ts";
import { validateForm } from "./result.ts";
import { compileSchema, type StructReader } from "./struct.ts";
import { type FieldDef, FieldSchema, type LeafDef } from "./types.ts";

/** The name of the only field while a parameter is read. */
const only = "value";

/** The compiled fields by kind and rules: a handler that writes `int()` makes a new field each time. */
const byRules = new Map<string, StructReader>();

/** Rules are constants of the application; the bound is for code that makes them up. */
const maxByRules = 1_024;

/** The compiled fields with checks of their own, which nothing but their identity tells apart. */
const byField: WeakMap<object, StructReader> = new WeakMap();

/** Reads one text, such as a route parameter, by a field. */
export function parseText<T>(text: string, field: AnyField<T>): { readonly value: T } | undefined {
  const def = leafOf(field);
  // In a form an empty number is one that was left out; a URL has no such thing.
  if (def.kind !== "text" && text.trim() === "") return undefined;
  const values = [text];
  const form = { all: () => values, names: () => [only] };
  const result = validateForm<Record<string, T>>(readerOf(def), form);
  return result.kind === "ok" ? { value: result.value[only] as T } : undefined;
}

function leafOf(field: object): LeafDef {
  const def: FieldDef | undefined = field instanceof FieldSchema ? field.def : undefined;
  if (def !== undefined && def.kind !== "struct" && def.kind !== "list") return def;
  throw new TypeError(
    `Cannot read one text with ${
      def === undefined ? "a value that is no field" : `a ${def.kind}`
    }: ` +
      "use text, int, date or another field of one value.",
  );
}

function readerOf(def: LeafDef): StructReader {
  if (def.checks.length > 0) {
    const known = byField.get(def);
    if (known !== undefined) return known;
    const reader = compileLeaf(def);
    byField.set(def, reader);
    return reader;
  }
  const key = `${def.kind} ${def.optional} ${def.currency ?? ""} ${def.rules}`;
  const known = byRules.get(key);
  if (known !== undefined) return known;
  const reader = compileLeaf(def);
  if (byRules.size < maxByRules) byRules.set(key, reader);
  return reader;
}

function compileLeaf(def: LeafDef): StructReader {
  return compileSchema({
    kind: "struct",
    fields: new Map([[only, { ...def, names: {} }]]),
    names: {},
    optional: false,
    checks: [],
  });
}
