import type {
  BoolRule,
  DateRule,
  HasRequired,
  ListRule,
  NumberRule,
  RuleText,
  TextRule,
} from "./rule_text.ts";
import type { AnyCheck, FieldDef, FieldNames, LeafKind } from "./types.ts";
import type { StructCheckResult, StructDef } from "./types.ts";
import { FieldSchema } from "./types.ts";
import type { DateInput, Int64Input, SentFields, StructInput } from "../base/sent.ts";
import type { StandardProps, StandardResult, StandardSchema } from "../base/standard_schema.ts";
import { validateJson } from "./result.ts";
import { compileSchema, type StructReader } from "./struct.ts";

/** The fields of a struct, by property name. */
// deno-lint-ignore no-explicit-any -- the field types are what is inferred from
export type Fields = { readonly [property: string]: FieldSchema<any, boolean> };

/**
 * The type of the value that a schema gives: of a `struct`, of a field, or of a schema of another
 * library.
 *
 * @example
 * ```ts
 * import { type Infer, int, struct, text } from "@fw/fw";
 *
 * const NewEvent = struct({ title: text("required"), seats: int() });
 * type NewEvent = Infer<typeof NewEvent>; // { title: string; seats: number }
 * const event: NewEvent = { title: "Launch", seats: 20 };
 * ```
 */
export type Infer<Schema> = Schema extends StandardSchema<infer _, infer Output> ? Output
  : Schema extends FieldSchema<infer Value, boolean> ? Value
  : never;

/** The value of a struct with these fields. */
export type StructValue<Shape extends Fields> = {
  -readonly [Key in keyof Shape]: Shape[Key] extends FieldSchema<infer Value, boolean> ? Value
    : never;
};

/** A schema of several named fields: what `bind`, `tryBind` and `bindJson` take. */
export class StructSchema<
  T,
  Input = unknown,
  Shape extends SentFields = SentFields,
  Names extends FieldNames = FieldNames,
> extends FieldSchema<T, false, Input, Names> implements StandardSchema<Input, T> {
  readonly #def: StructDef;
  /** The fields; exists for the compiler alone. */
  declare readonly "~shape"?: Shape;
  #reader: StructReader | undefined;

  /** Use {@link struct} instead. */
  constructor(def: StructDef) {
    super(def);
    this.#def = def;
  }

  /**
   * Adds a check of the whole value. It runs last, only when no field failed, and must be
   * synchronous; checks against data belong after `bind`.
   *
   * @param fn Returns nothing, or `FieldErrors` (see `fieldError`) whose names are those of this
   * struct's fields. An error that it throws is rethrown by `bind` unchanged.
   * @returns The checked schema.
   */
  override check(
    fn: (value: NonNullable<T>) => StructCheckResult,
  ): StructSchema<T, Input, Shape, Names> {
    return new StructSchema({ ...this.#def, checks: [...this.#def.checks, fn as AnyCheck] });
  }

  /** The schema as Standard Schema: it validates JSON values. */
  get "~standard"(): StandardProps<Input, T> {
    return { version: 1, vendor: "fw", validate: (value) => standardResult(this, value) };
  }

  /**
   * Returns the compiled schema, compiling it on the first call.
   *
   * @internal
   * @returns The readers.
   * @throws {TypeError} for a wrong rule or a name that two fields share.
   */
  compiled(): StructReader {
    return this.#reader ??= compileSchema(this.#def);
  }
}

function standardResult<T>(schema: StructSchema<T>, value: unknown): StandardResult<T> {
  const result = validateJson<T>(schema.compiled(), value);
  switch (result.kind) {
    case "ok":
      return { value: result.value };
    case "invalid":
      return {
        issues: [...result.errors].map(([field, message]) => ({ message, path: field.split(".") })),
      };
    case "unknown_field":
      return { issues: [{ message: "Unknown field", path: result.field.split(".") }] };
    case "not_object":
      return { issues: [{ message: "Expected an object" }] };
  }
}

/**
 * Creates a schema of several named fields. Nested in another struct, its form fields carry its name
 * as a prefix (`home.city`); absent, it is read as empty, so that its required fields are named.
 *
 * @param fields The fields by property name.
 * @param names Names of the struct itself, when it is nested.
 * @returns The schema.
 * @throws {TypeError} when a property is named `__proto__` or is no field.
 *
 * @example
 * ```ts
 * import { type Infer, int, struct, text } from "@fw/fw";
 *
 * export const NewEvent = struct({
 *   title: text("required,max=80"),
 *   seats: int("min=1,max=500"),
 *   venue: struct({ city: text("required") }),
 * });
 * export type NewEvent = Infer<typeof NewEvent>;
 * ```
 */
export function struct<
  const Shape extends Fields,
  const Names extends FieldNames = Record<never, never>,
>(
  fields: Shape,
  names?: Names,
): StructSchema<StructValue<Shape>, StructInput<Shape>, Shape, Names> {
  const defs = new Map<string, FieldDef>();
  for (const [key, field] of Object.entries(fields)) {
    if (key === "__proto__" || !(field instanceof FieldSchema)) {
      throw new TypeError(
        `Cannot make a struct with the property "${key}": ` +
          (key === "__proto__"
            ? "the name sets a prototype; choose another and give { form, json } names."
            : "its value is no field; use text, int, struct or another builder."),
      );
    }
    defs.set(key, field.def);
  }
  const def = { kind: "struct", fields: defs, names: names ?? {} } as const;
  return new StructSchema({ ...def, optional: false, checks: [] });
}

function leaf<T, Required extends boolean, Input, Names extends FieldNames>(
  kind: LeafKind,
  rules: string,
  names: FieldNames = {},
): FieldSchema<T, Required, Input, Names> {
  return new FieldSchema({ kind, rules, names, optional: false, checks: [] });
}

/**
 * Creates a field for a text. Absent, it is `""`. Characters are Unicode code points, and CR LF counts
 * as one; nothing is trimmed. Text with a lone surrogate is refused.
 *
 * @param rules `required`, `min=n`, `max=n`, `len=n` characters, `email`, `url`, `oneof=a b c`,
 * `eqfield=name`, and rules of the app: comma separated, applied in order.
 * @param names Names that differ from the property name.
 * @returns The field.
 *
 * @example
 * ```ts
 * import { struct, text } from "@fw/fw";
 *
 * struct({ email: text("required,email"), note: text("max=500", { form: "remark" }).optional() });
 * ```
 */
export function text<
  const Rules extends string = "",
  const Names extends FieldNames = Record<never, never>,
>(
  rules?: RuleText<Rules, TextRule>,
  names?: Names,
): FieldSchema<string, HasRequired<Rules>, string, Names> {
  return leaf("text", rules ?? "", names);
}

/**
 * Creates a field for a list of texts: form fields of one name, or a JSON array of strings. Absent, it
 * is `[]`; so is a single empty form field.
 *
 * @param rules `required` (at least one), `min=n`, `max=n`, `len=n` chosen, and rules of the app.
 * @param names Names that differ from the property name.
 * @returns The field.
 *
 * @example
 * ```ts
 * import { struct, texts } from "@fw/fw";
 *
 * struct({ tags: texts("max=5") });
 * ```
 */
export function texts<
  const Rules extends string = "",
  const Names extends FieldNames = Record<never, never>,
>(
  rules?: RuleText<Rules, ListRule>,
  names?: Names,
): FieldSchema<string[], HasRequired<Rules>, readonly string[], Names> {
  return leaf("texts", rules ?? "", names);
}

/**
 * Creates a boolean field. In a form `on`, `true` and `1` are true, `off`, `false` and `0` are
 * false, and any true value of several wins. Absent, it is `false`.
 *
 * @param rules `required` (must be true), and rules of the app.
 * @param names Names that differ from the property name.
 * @returns The field.
 *
 * @example
 * ```ts
 * import { bool, struct } from "@fw/fw";
 *
 * struct({ terms: bool("required"), newsletter: bool() });
 * ```
 */
export function bool<
  const Rules extends string = "",
  const Names extends FieldNames = Record<never, never>,
>(
  rules?: RuleText<Rules, BoolRule>,
  names?: Names,
): FieldSchema<boolean, HasRequired<Rules>, boolean, Names> {
  return leaf("bool", rules ?? "", names);
}

/**
 * Creates a field for a whole number in the range that a `number` holds exactly. In a form decimal
 * digits with an optional sign; in JSON a number. Absent, it is `0`.
 *
 * @param rules `required` (not zero; with `optional`, sent), `min=n`, `max=n`, `oneof=1 2 3`,
 * `eqfield=name`, and rules of the app.
 * @param names Names that differ from the property name.
 * @returns The field.
 *
 * @example
 * ```ts
 * import { int, struct } from "@fw/fw";
 *
 * struct({ seats: int("min=1,max=500") });
 * ```
 */
export function int<
  const Rules extends string = "",
  const Names extends FieldNames = Record<never, never>,
>(
  rules?: RuleText<Rules, NumberRule>,
  names?: Names,
): FieldSchema<number, HasRequired<Rules>, number, Names> {
  return leaf("int", rules ?? "", names);
}

/**
 * Creates a field for a whole number of 64 bits. In JSON a number in the safe range, or decimal digits
 * in a string. Absent, it is `0n`.
 *
 * @param rules As for {@link int}.
 * @param names Names that differ from the property name.
 * @returns The field.
 *
 * @example
 * ```ts
 * import { int64, struct } from "@fw/fw";
 *
 * struct({ id: int64("required,min=1") });
 * ```
 */
export function int64<
  const Rules extends string = "",
  const Names extends FieldNames = Record<never, never>,
>(
  rules?: RuleText<Rules, NumberRule>,
  names?: Names,
): FieldSchema<bigint, HasRequired<Rules>, Int64Input, Names> {
  return leaf("int64", rules ?? "", names);
}

/**
 * Creates a field for a decimal number. In a form the fraction follows a comma or a dot, an exponent is
 * accepted, and grouping, hex, `NaN` and `Infinity` are not; in JSON a number. Absent, it is `0`.
 *
 * @param rules As for {@link int}.
 * @param names Names that differ from the property name.
 * @returns The field.
 *
 * @example
 * ```ts
 * import { float, struct } from "@fw/fw";
 *
 * struct({ price: float("required,min=0.01") });
 * ```
 */
export function float<
  const Rules extends string = "",
  const Names extends FieldNames = Record<never, never>,
>(
  rules?: RuleText<Rules, NumberRule>,
  names?: Names,
): FieldSchema<number, HasRequired<Rules>, number, Names> {
  return leaf("float", rules ?? "", names);
}

/**
 * Creates a field for a date, `YYYY-MM-DD` or `YYYY-MM-DDTHH:MM`, read as UTC; JSON accepts RFC 3339 as
 * well, which `JSON.stringify` writes for a `Date`. Absent, it is `null`.
 *
 * @param rules `required`, `min=2026-01-01` (not before), `max=2026-12-31` (not after),
 * `eqfield=name`, and rules of the app.
 * @param names Names that differ from the property name.
 * @returns The field.
 *
 * @example
 * ```ts
 * import { date, struct } from "@fw/fw";
 *
 * struct({ starts: date("required,min=2026-01-01"), ends: date() });
 * ```
 */
export function date<
  const Rules extends string = "",
  const Names extends FieldNames = Record<never, never>,
>(
  rules?: RuleText<Rules, DateRule>,
  names?: Names,
): FieldSchema<
  HasRequired<Rules> extends true ? Date : Date | null,
  HasRequired<Rules>,
  HasRequired<Rules> extends true ? DateInput : DateInput | null,
  Names
> {
  return leaf("date", rules ?? "", names);
}

/**
 * Creates a field for an array of structs or of other fields, for JSON bodies. For a form it is absent,
 * so `[]`. Errors are named by index: `items.0.city`.
 *
 * @param item The field that every element must be.
 * @param rules As for {@link texts}.
 * @param names Names that differ from the property name.
 * @returns The field.
 *
 * @example
 * ```ts
 * import { int, list, struct, text } from "@fw/fw";
 *
 * struct({ items: list(struct({ sku: text("required"), count: int("min=1") }), "required,max=50") });
 * ```
 */
export function list<
  T,
  Optional extends boolean,
  Input,
  const Rules extends string = "",
  const Names extends FieldNames = Record<never, never>,
>(
  item: FieldSchema<T, Optional, Input>,
  rules?: RuleText<Rules, ListRule>,
  names?: Names,
): FieldSchema<T[], HasRequired<Rules>, readonly Input[], Names> {
  const def = { kind: "list", item: item.def, rules: rules ?? "", names: names ?? {} } as const;
  return new FieldSchema({ ...def, optional: false, checks: [] });
}
