import type { JsonOptions } from "../base/ctx/input.ts";
import type { FieldErrors } from "../base/errors/field_errors.ts";
import type { AnyField } from "../base/standard_schema.ts";
import { isJsonObject, type JsonObject } from "../base/values.ts";
import { type FormReader, memberAt, Run, scalarText } from "./place.ts";
import { compileSchema, type Output, type StructReader } from "./struct.ts";
import { type FieldDef, FieldSchema, type LeafDef } from "./types.ts";

export interface ParsedInput<T> {
  readonly kind: "ok";
  readonly value: T;
}

/** A submission that was understood and not accepted: a 422. */
export interface InvalidInput<T> {
  readonly kind: "invalid";
  readonly errors: FieldErrors;
  readonly value: Partial<T>;
}

/** A JSON body that could not be understood: a 400. */
type BadInput =
  /** A member that no field of the schema reads, by its dotted name; list elements by index. */
  | { readonly kind: "unknown_field"; readonly field: string }
  | { readonly kind: "not_object" };

export type CheckedInput<T> = ParsedInput<T> | InvalidInput<T>;
export type ParseResult<T> = CheckedInput<T> | BadInput;

const noObject: JsonObject = Object.freeze({});

/** Holds the faults of a pass until they are read; an object literal is slower (`bench/validate`). */
class RefusedInput<T> implements InvalidInput<T> {
  readonly kind = "invalid";
  readonly #reader: StructReader;
  readonly #run: Run;
  readonly #output: Output;
  #errors: FieldErrors | undefined;

  constructor(reader: StructReader, run: Run, output: Output) {
    this.#reader = reader;
    this.#run = run;
    this.#output = output;
  }

  get errors(): FieldErrors {
    return this.#errors ??= this.#run.errors();
  }

  get value(): Partial<T> {
    const failed = new Set<string>();
    // A field of a struct or list fails as a whole.
    for (const [field] of this.#run.errors()) failed.add(field.split(".", 1)[0] ?? "").add(field);
    const isForm = this.#run.form !== undefined;
    const accepted = this.#reader.members.filter(({ form, json }) =>
      !failed.has(isForm ? form : json)
    );
    return Object.fromEntries(accepted.map(({ key }) => [key, this.#output[key]])) as Partial<T>;
  }
}

export function validateForm<T>(reader: StructReader, form: FormReader): CheckedInput<T> {
  const run = new Run(form, noObject, false);
  const output = reader.fromForm(run);
  if (run.failures > 0) return new RefusedInput<T>(reader, run, output);
  return { kind: "ok", value: output as T };
}

export function validateJson<T>(
  reader: StructReader,
  body: unknown,
  options: JsonOptions = {},
): ParseResult<T> {
  if (!isJsonObject(body)) return { kind: "not_object" };
  const run = new Run(undefined, body, options.isPlainText ?? false);
  if (options.members !== undefined) run.members = options.members;
  const output = reader.fromJson(body, run);
  if (run.unknownField !== undefined) return { kind: "unknown_field", field: run.unknownField };
  if (run.failures > 0) return new RefusedInput<T>(reader, run, output);
  return { kind: "ok", value: output as T };
}

export function sentBodyTexts(body: unknown): Pick<FormReader, "all"> {
  return {
    all: (field) => {
      const value = memberAt(body, field.split("."));
      if (Array.isArray(value)) return value.map(scalarText);
      const text = scalarText(value);
      return text === "" ? [] : [text];
    },
  };
}

const only = "value";

/** The compiled fields by kind and rules: `int()` in a handler creates a new field each time. */
const byRules = new Map<string, StructReader>();

/** Rules are constants of the application; the bound is for code that builds them at run time. */
const maxByRules = 1_024;

export function parseText<T>(text: string, field: AnyField<T>): { readonly value: T } | undefined {
  const def = leafOf(field);
  // In a form, an empty number counts as absent; a URL has no such case.
  if (def.kind !== "text" && text.trim() === "") return undefined;
  const values = [text];
  const form = { all: () => values, names: () => [only] };
  const result = validateForm<Record<string, T>>(readerOf(def), form);
  if (result.kind !== "ok") return undefined;
  const value = result.value[only] as T;
  const accepts = def.checks.every((check) => (check(value) ?? undefined) === undefined);
  return accepts ? { value } : undefined;
}

function leafOf(field: object): LeafDef {
  const def: FieldDef | undefined = field instanceof FieldSchema ? field.def : undefined;
  if (def !== undefined && def.kind !== "struct" && def.kind !== "list") return def;
  const what = def === undefined ? "a value that is not a field" : `a ${def.kind}`;
  throw new TypeError(
    `Cannot read one text with ${what}: use text, int, date or another field of one value.`,
  );
}

/** Compiles a field without its checks, which differ only by identity. */
function readerOf(def: LeafDef): StructReader {
  const key = `${def.kind} ${def.optional} ${def.currency ?? ""} ${def.rules}`;
  const known = byRules.get(key);
  if (known !== undefined) return known;
  const fields = new Map([[only, { ...def, names: {}, checks: [] }]]);
  const reader = compileSchema({ kind: "struct", fields, names: {}, optional: false, checks: [] });
  if (byRules.size < maxByRules) byRules.set(key, reader);
  return reader;
}
