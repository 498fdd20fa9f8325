import { FieldErrors } from "../base/errors/field_errors.ts";
import type { BindOptions, Bound, JsonOptions } from "../base/ctx/input.ts";
import { StructSchema } from "./struct_schema.ts";
import type { AnySchema, StandardIssue } from "../base/standard_schema.ts";
import { type CheckedInput, type ParseResult, validateForm, validateJson } from "./result.ts";
import type { FormReader } from "./place.ts";
import { limitOf, parseRules, type RulePlace, type RuleSpec } from "./rules.ts";
import type { FieldKind, StructDef } from "./types.ts";

export type FormTexts = ReadonlyMap<string, readonly string[]>;

/** Options of reading a form. */
export interface FormInputOptions extends BindOptions {
  /** Returns the time zone of local times; called only if there are some. @default UTC */
  readonly zone?: () => string;
}

const none: readonly string[] = [];

/** Validates a form; synchronously by a `struct`. */
export function parseFormInput<T>(
  schema: AnySchema<T>,
  fields: FormTexts,
  options: FormInputOptions = {},
): CheckedInput<T> | Promise<CheckedInput<T>> {
  const form = { ...formReader(fields), zone: options.zone };
  if (schema instanceof StructSchema) return validateForm<T>(schema.compiled(), form);
  return parseStandard(schema, nestForm(form, options.lists ?? none));
}

/** Validates a JSON body; synchronously by a `struct`. */
export function parseJsonInput<T>(
  schema: AnySchema<T>,
  body: unknown,
  options: JsonOptions = {},
): ParseResult<T> | Promise<ParseResult<T>> {
  if (schema instanceof StructSchema) return validateJson<T>(schema.compiled(), body, options);
  return parseStandard(schema, body);
}

/** The submitted texts, and for a form the names of its fields, from which `ui.form` reads the rows of a list. */
export type SentTexts = Pick<FormReader, "all"> & Partial<Pick<FormReader, "names">>;

export function boundInput<T>(
  result: CheckedInput<T>,
  { all: texts, names }: SentTexts,
): Bound<T> {
  const sent = { files: {}, text: (field: string) => texts(field)[0] ?? "", texts, names };
  if (result.kind !== "ok") {
    return { ok: false, value: result.value, errors: result.errors, ...sent };
  }
  let errors: FieldErrors | undefined;
  return {
    ok: true,
    value: result.value,
    // Created on use: an error with its stack costs as much as reading the form, and few callers need it.
    get errors() {
      return errors ??= new FieldErrors();
    },
    ...sent,
  };
}

/**
 * Validates strings by form field name as `c.tryBind` does, without a request, such as the rows of a file.
 *
 * @param options The fields that a schema of another library reads as lists, and the time zone of local
 * times.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, struct } from "@fw/fw";
 * import { bindTexts } from "@fw/fw/addon";
 *
 * const bound = await bindTexts(struct({ seats: int("min=1") }), new Map([["seats", ["12"]]]));
 * assertEquals(bound.ok && bound.value, { seats: 12 });
 * ```
 */
export async function bindTexts<T>(
  schema: AnySchema<T>,
  texts: ReadonlyMap<string, readonly string[]>,
  options?: FormInputOptions,
): Promise<Bound<T>> {
  return boundInput(await parseFormInput(schema, texts, options), formReader(texts));
}

export function formReader(fields: FormTexts): FormReader {
  return { all: (name) => fields.get(name) ?? none, names: () => fields.keys() };
}

async function parseStandard<T>(schema: AnySchema<T>, value: unknown): Promise<CheckedInput<T>> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return { kind: "ok", value: result.value };
  const errors = new FieldErrors();
  for (const issue of result.issues) errors.add(fieldOf(issue), issue.message);
  return { kind: "invalid", errors, value: {} };
}

function fieldOf(issue: StandardIssue): string {
  return (issue.path ?? []).map((part) => String(typeof part === "object" ? part.key : part))
    .join(".");
}

type NestedForm = { [name: string]: string | string[] | NestedForm };

/** The maximum number of dots in a name; deeper ones are ignored, because a library may recurse. */
const MAX_DEPTH = 64;

/**
 * Nests a form by the dots in its names: `home.city` becomes `{ home: { city } }`, without prototypes. It
 * ignores names with `__proto__` or too many parts, and names that need an object where an earlier name set a
 * value, or vice versa.
 */
function nestForm(form: FormReader, lists: readonly string[]): NestedForm {
  const root: NestedForm = Object.create(null);
  const arrays = new Set(lists);
  for (const name of new Set([...form.names(), ...lists])) {
    const values = form.all(name);
    const first = values[0];
    if (arrays.has(name)) place(root, name, [...values]);
    else if (first !== undefined) place(root, name, values.length === 1 ? first : [...values]);
  }
  return root;
}

function place(root: NestedForm, name: string, value: string | string[]): void {
  const parts = name.split(".", MAX_DEPTH + 1);
  const last = parts.pop();
  if (last === undefined || parts.length === MAX_DEPTH) return;
  if (last === "__proto__" || parts.includes("__proto__")) return;
  let parent = root;
  for (const part of parts) {
    const child = parent[part] ??= Object.create(null) as NestedForm;
    if (typeof child === "string" || Array.isArray(child)) return;
    parent = child;
  }
  parent[last] ??= value;
}

/** A schema's field as a form needs it: its names, its type and its rules. */
export interface FormFieldFacts {
  /** The property path in the value: `venue.city`. */
  readonly path: string;
  /** The name of the form field, by which errors are keyed. */
  readonly name: string;
  /** The builder that made the field. */
  readonly kind: FieldKind;
  /** Whether the rules contain `required`; `false` for a struct. */
  readonly required: boolean;
  /** Whether the field is `.optional()`. */
  readonly optional: boolean;
  /** The rule that determines the format of a string. @default none */
  readonly format: "email" | "url" | "password" | undefined;
  /** The currency of `money`, by its code. @default none */
  readonly currency: string | undefined;
  /** The accepted values of `oneof`, as they are submitted. @default [] */
  readonly oneOf: readonly string[];
  /** The lower limit: characters, selected values, a number, or milliseconds since 1970. @default none */
  readonly min: number | bigint | undefined;
  /** The upper limit of `max` or `len`; for a day without a time its last millisecond. @default none */
  readonly max: number | bigint | undefined;
  /** Whether a limit of a date contains a time. */
  readonly hasTime: boolean;
  /** The fields of a struct, or of the structs of a list. @default [] */
  readonly fields: readonly FormFieldFacts[];
}

/**
 * The name of the buttons that add a row to a list (`lines`) or remove one (`lines.2`). They send the form without
 * saving it, so `c.tryBind` is not `ok` and has no messages.
 */
export const rowButton = "_rows";

const known = new WeakMap<object, readonly FormFieldFacts[]>();

/**
 * Describes the fields of a schema for code that renders a form: the parsed rules that `bind` enforces. App
 * rules and checks have no counterpart in HTML. Throws for a wrong rule or a name that two fields share.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { struct, text } from "@fw/fw";
 * import { readFormFields } from "@fw/fw/addon";
 *
 * const [title] = readFormFields(struct({ title: text("required,max=80") }));
 * assertEquals([title?.name, title?.required, title?.max], ["title", true, 80]);
 * ```
 */
export function readFormFields<T>(schema: StructSchema<T>): readonly FormFieldFacts[] {
  const before = known.get(schema);
  if (before !== undefined) return before;
  schema.compiled();
  const facts = factsOf(schema.def as StructDef, { path: "", name: "" });
  known.set(schema, facts);
  return facts;
}

function factsOf(
  def: StructDef,
  prefix: Readonly<Record<"path" | "name", string>>,
): readonly FormFieldFacts[] {
  return [...def.fields].map(([key, field]) => {
    const path = prefix.path + key;
    const name = prefix.name + (field.names.form ?? key);
    const { kind, optional } = field;
    const item = kind === "list" ? field.item : field;
    const place: RulePlace | undefined = kind === "struct"
      ? undefined
      : { field: name, def: field };
    const rules = place === undefined ? [] : parseRules(place.def.rules, place);
    const find = (...names: readonly string[]): RuleSpec | undefined =>
      rules.find((rule) => names.includes(rule.name));
    const limit = (bound: "min" | "max"): number | bigint | undefined => {
      const rule = find(bound, "len");
      return rule && place && limitOf(rule, place);
    };
    return {
      path,
      name,
      kind,
      optional,
      required: find("required") !== undefined,
      format: find("email", "url", "password")?.name as FormFieldFacts["format"],
      currency: kind === "money" ? field.currency : undefined,
      oneOf: find("oneof")?.param?.split(" ").filter((option) => option !== "") ?? [],
      min: limit("min"),
      max: limit("max"),
      hasTime: kind === "date" &&
        rules.some((rule) => /^m(?:in|ax)$/.test(rule.name) && rule.param?.includes("T") === true),
      fields: item.kind === "struct" ? factsOf(item, { path: `${path}.`, name: `${name}.` }) : [],
    };
  });
}
