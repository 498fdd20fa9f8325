import type { Members, SentFields, StructInput } from "../base/sent.ts";
import type { StandardProps, StandardResult, StandardSchema } from "../base/standard_schema.ts";
import { validateJson } from "./result.ts";
import { compileSchema, type StructReader } from "./struct.ts";
import {
  type AnyCheck,
  type FieldDef,
  type FieldNames,
  FieldSchema,
  type StructCheckResult,
  type StructDef,
} from "./types.ts";

/** The fields of a struct, by property. */
// deno-lint-ignore no-explicit-any -- the field types are what is inferred from
export type Fields = { readonly [property: string]: FieldSchema<any, boolean> };

/**
 * The type of a schema's value: a `struct`, a field, or a schema of another library.
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
export type StructValue<Shape extends Fields> = Members<
  {
    -readonly [Key in keyof Shape]: Shape[Key] extends FieldSchema<infer Value, boolean> ? Value
      : never;
  }
>;

/** The value of the same struct's `partial()`. */
export type PartialValue<Shape extends SentFields> = Members<
  {
    -readonly [Key in keyof Shape]?: Shape[Key] extends FieldSchema<infer Value, infer Required>
      ? Required extends true ? Value : Value | null
      : never;
  }
>;

/** The fields of the same struct's `partial()`. */
export type PartialFields<Shape extends SentFields> = {
  readonly [Key in keyof Shape]: Shape[Key] extends
    FieldSchema<infer Value, boolean, infer Input, infer Names>
    ? FieldSchema<Value, false, Input | null, Names>
    : Shape[Key];
};

/** Options of `struct`: its names when it is nested, and the handling of unknown members. */
export interface StructOptions extends FieldNames {
  /** Whether a JSON member that no field reads is a 400 or ignored. @default "refuse" */
  readonly unknown?: "refuse" | "ignore";
}

/**
 * The names among the options.
 *
 * @internal
 */
export type StructNames<Options extends StructOptions> = Omit<Options, "unknown"> extends
  infer Names extends FieldNames ? Names : never;

/** A schema of several named fields, for `bind`, `tryBind` and `bindJson`. */
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
   * Adds a check of the whole value, like {@link FieldSchema.check}. It runs last, and only if no field
   * failed; its errors are named by this struct's fields.
   */
  override check(
    fn: (value: NonNullable<T>) => StructCheckResult,
  ): StructSchema<T, Input, Shape, Names> {
    return new StructSchema({ ...this.#def, checks: [...this.#def.checks, fn as AnyCheck] });
  }

  /**
   * Creates the schema of a change (PATCH, PUT): fields that were not sent are absent from the value, and
   * `null` stays `null` if the field is not `required`. Sent fields must pass their rules; checks of the
   * whole struct are skipped.
   *
   * @example
   * ```ts
   * import { struct, text, texts, type Infer } from "@fw/fw";
   *
   * const Change = struct({ title: text("required,max=80"), tags: texts() }).partial();
   * const change: Infer<typeof Change> = { tags: null };
   * ```
   */
  partial(): StructSchema<
    PartialValue<Shape>,
    StructInput<PartialFields<Shape>>,
    PartialFields<Shape>,
    Names
  > {
    const fields = new Map(
      [...this.#def.fields].map(([key, field]) => [key, { ...field, partial: true }] as const),
    );
    return new StructSchema({ ...this.#def, fields, checks: [] });
  }

  /** The schema as Standard Schema: it validates JSON values. */
  get "~standard"(): StandardProps<Input, T> {
    return { version: 1, vendor: "fw", validate: (value) => standardResult(this, value) };
  }

  /**
   * Returns the schema compiled on the first call, which throws for a wrong rule or a repeated name.
   *
   * @internal
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
 * Creates a schema of several named fields. Nested in another struct, its form fields carry its name as a
 * prefix (`home.city`); if absent, it is read as empty, so that its required fields are reported.
 *
 * @throws {TypeError} when a property is named `__proto__` or is not a field.
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
  const Names extends StructOptions = Record<never, never>,
>(
  fields: Shape,
  options?: Names,
): StructSchema<StructValue<Shape>, StructInput<Shape>, Shape, StructNames<Names>> {
  const defs = new Map<string, FieldDef>();
  for (const [key, field] of Object.entries(fields)) {
    if (key === "__proto__" || !(field instanceof FieldSchema)) {
      throw new TypeError(
        `Cannot create a struct with the property "${key}": ` +
          (key === "__proto__"
            ? "the name sets a prototype; choose another and give { form, json } names."
            : "its value is not a field; use text, int, struct or another builder."),
      );
    }
    defs.set(key, field.def);
  }
  const { unknown, ...names }: StructOptions = options ?? {};
  const def = {
    kind: "struct",
    fields: defs,
    names,
    ignoresUnknown: unknown === "ignore",
  } as const;
  return new StructSchema({ ...def, optional: false, checks: [] });
}
