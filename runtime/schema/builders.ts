import type { DateInput, Int64Input } from "../base/sent.ts";
import { type FieldNames, FieldSchema, type LeafDef, type ListDef, type NoNames } from "./types.ts";

/**
 * Names of the rules that an app adds with `addRule`. Declare each name here, so that the compiler
 * accepts it in the rules of a schema; the value of a member has no meaning.
 *
 * @example
 * ```ts ignore
 * declare module "@fw/fw" {
 *   interface ValidationRules {
 *     even: true;
 *   }
 * }
 * ```
 */
// deno-lint-ignore no-empty-interface -- it is filled by the app, through declaration merging
export interface ValidationRules {}

/** A rule of the app, as {@link ValidationRules} names it, with or without a parameter. */
export type AppRule =
  | (keyof ValidationRules & string)
  | `${keyof ValidationRules & string}=${string}`;

/** Rules that {@link text} accepts. */
export type TextRule =
  | "required"
  | "email"
  | "url"
  | "slug"
  | "segment"
  | "password"
  | `${"min" | "max" | "len"}=${number}`
  | `${"oneof" | "eqfield"}=${string}`;

/** Rules that `int`, `int64` and `float` accept. */
export type NumberRule =
  | "required"
  | `${"min" | "max"}=${number}`
  | `${"oneof" | "eqfield"}=${string}`;

/** Rules that `date` accepts. */
export type DateRule = "required" | `${"min" | "max"}=${number}-${string}` | `eqfield=${string}`;

/** Rules that `texts` and `list` accept. */
export type ListRule = "required" | `${"min" | "max" | "len"}=${number}`;

/** Rules that `bool` accepts. */
export type BoolRule = "required";

/**
 * The rules themselves if the builder knows all of them, otherwise a string that names the first unknown one,
 * for the compiler's message. Rules known only at run time are checked when the schema is first used.
 */
export type RuleText<Rules extends string, Rule extends string, All extends string = Rules> =
  string extends Rules ? Rules
    : Rules extends `${infer Head},${infer Rest}`
      ? Head extends Rule | AppRule ? RuleText<Rest, Rule, All> : `Unknown rule: ${Head}`
    : Rules extends Rule | AppRule ? All
    : Rules extends "" ? (All extends "" ? All : "Unknown rule after the last comma")
    : `Unknown rule: ${Rules}`;

/** Whether `required` is among the rules. */
export type HasRequired<Rules extends string> = string extends Rules ? false
  : `,${Rules},` extends `${string},required,${string}` ? true
  : false;

/** The values of `oneof` among the rules; `string` without it. */
type OneOf<Rules extends string> = Rules extends `${infer Head},${infer Rest}`
  ? Head extends `oneof=${infer Options}` ? Words<Options> : OneOf<Rest>
  : Rules extends `oneof=${infer Options}` ? Words<Options>
  : string;

type Words<Text extends string, Found extends string = never> = Text extends
  `${infer Word} ${infer Rest}` ? Words<Rest, Found | Word> : Exclude<Found | Text, "">;

/**
 * The value of a string with these rules: with `oneof` one of its options, or `""` unless it is required.
 *
 * @internal
 */
export type TextValue<Rules extends string> = string extends Rules ? string
  : HasRequired<Rules> extends true ? OneOf<Rules>
  : OneOf<Rules> | "";

function field<T, Required extends boolean, Input, Names extends FieldNames>(
  own: Pick<LeafDef, "kind" | "currency"> | Pick<ListDef, "kind" | "item">,
  rules: string = "",
  names: FieldNames = {},
): FieldSchema<T, Required, Input, Names> {
  return new FieldSchema({ ...own, rules, names, optional: false, checks: [] });
}

/**
 * Creates a field for a string; its value is `""` if absent. Characters are Unicode code points, and CR LF
 * counts as one; nothing is trimmed. Lone surrogates and control characters other than tab, LF and CR are
 * refused.
 *
 * @param rules `required`, `min=n`, `max=n`, `len=n` characters, `email`, `url`, `slug` (lower-case letters,
 * digits, single hyphens), `segment` (of a path), `password` (any characters), `oneof=a b c` (whose options
 * become the type), `eqfield=name`, and rules of the app: comma separated, applied in order.
 * @example
 * ```ts
 * import { struct, text } from "@fw/fw";
 *
 * struct({ email: text("required,email"), note: text("max=500", { form: "remark" }).optional() });
 * ```
 */
export function text<const Rules extends string = "", const Names extends FieldNames = NoNames>(
  rules?: RuleText<Rules, TextRule>,
  names?: Names,
): FieldSchema<TextValue<Rules>, HasRequired<Rules>, TextValue<Rules>, Names> {
  return field({ kind: "text" }, rules, names);
}

/**
 * Creates a field for a list of strings: form fields of one name, or a JSON array. Its value is `[]` if it is
 * absent or a single empty form field.
 *
 * @param rules `required` (at least one), `min=n`, `max=n`, `len=n` chosen, and rules of the app.
 * @example
 * ```ts
 * import { struct, texts } from "@fw/fw";
 *
 * struct({ tags: texts("max=5") });
 * ```
 */
export function texts<const Rules extends string = "", const Names extends FieldNames = NoNames>(
  rules?: RuleText<Rules, ListRule>,
  names?: Names,
): FieldSchema<string[], HasRequired<Rules>, readonly string[], Names> {
  return field({ kind: "texts" }, rules, names);
}

/**
 * Creates a boolean field; its value is `false` if absent. In a form `on`, `true` and `1` are true, `off`,
 * `false` and `0` are false, and any true value of several wins.
 *
 * @param rules `required` (must be true), and rules of the app.
 * @example
 * ```ts
 * import { bool, struct } from "@fw/fw";
 *
 * struct({ terms: bool("required"), newsletter: bool() });
 * ```
 */
export function bool<const Rules extends string = "", const Names extends FieldNames = NoNames>(
  rules?: RuleText<Rules, BoolRule>,
  names?: Names,
): FieldSchema<boolean, HasRequired<Rules>, boolean, Names> {
  return field({ kind: "bool" }, rules, names);
}

/**
 * Creates a field for a whole number in the range that a `number` holds exactly: decimal digits with an
 * optional sign in a form, a number in JSON. Its value is `0` if absent.
 *
 * @param rules `required` (not zero; with `optional`, sent), `min=n`, `max=n`, `oneof=1 2 3`, `eqfield=name`,
 * and rules of the app.
 * @example
 * ```ts
 * import { int, struct } from "@fw/fw";
 *
 * struct({ seats: int("min=1,max=500") });
 * ```
 */
export function int<const Rules extends string = "", const Names extends FieldNames = NoNames>(
  rules?: RuleText<Rules, NumberRule>,
  names?: Names,
): FieldSchema<number, HasRequired<Rules>, number, Names> {
  return field({ kind: "int" }, rules, names);
}

/**
 * Creates a field for a whole number of 64 bits, with the rules of {@link int}: in JSON a number in the safe
 * range, or decimal digits in a string. Its value is `0n` if absent.
 *
 * @example
 * ```ts
 * import { int64, struct } from "@fw/fw";
 *
 * struct({ id: int64("required,min=1") });
 * ```
 */
export function int64<const Rules extends string = "", const Names extends FieldNames = NoNames>(
  rules?: RuleText<Rules, NumberRule>,
  names?: Names,
): FieldSchema<bigint, HasRequired<Rules>, Int64Input, Names> {
  return field({ kind: "int64" }, rules, names);
}

/**
 * Creates a field for a decimal number, with the rules of {@link int}; its value is `0` if absent. In a form
 * the fraction follows a comma or a dot, an exponent is accepted, and grouping, hex, `NaN` and `Infinity` are
 * not.
 *
 * @example
 * ```ts
 * import { float, struct } from "@fw/fw";
 *
 * struct({ price: float("required,min=0.01") });
 * ```
 */
export function float<const Rules extends string = "", const Names extends FieldNames = NoNames>(
  rules?: RuleText<Rules, NumberRule>,
  names?: Names,
): FieldSchema<number, HasRequired<Rules>, number, Names> {
  return field({ kind: "float" }, rules, names);
}

/**
 * Creates a field for an instant: a day, which is midnight in UTC, a local date and time of HTML such as
 * `2026-03-01T19:30:05`, read in `c.zone` from a form or a query and in UTC from JSON, or RFC 3339 with its
 * offset. Its value is `null` if absent.
 *
 * @param rules `required`, `min=2026-01-01` (not before), `max=2026-12-31` (not after), `eqfield=name`, and
 * rules of the app.
 * @example
 * ```ts
 * import { date, struct } from "@fw/fw";
 *
 * struct({ starts: date("required,min=2026-01-01") });
 * ```
 */
export function date<const Rules extends string = "", const Names extends FieldNames = NoNames>(
  rules?: RuleText<Rules, DateRule>,
  names?: Names,
): FieldSchema<
  HasRequired<Rules> extends true ? Date : Date | null,
  HasRequired<Rules>,
  HasRequired<Rules> extends true ? DateInput : DateInput | null,
  Names
> {
  return field({ kind: "date" }, rules, names);
}

/**
 * Creates a field for a day as a string such as `2026-03-01`, independent of time zones, with the rules of
 * {@link date}. Its value is `null` if absent.
 *
 * @example
 * ```ts
 * import { day, struct } from "@fw/fw";
 *
 * struct({ due: day("required,min=2026-01-01") });
 * ```
 */
export function day<const Rules extends string = "", const Names extends FieldNames = NoNames>(
  rules?: RuleText<Rules, DateRule>,
  names?: Names,
): FieldSchema<
  HasRequired<Rules> extends true ? string : string | null,
  HasRequired<Rules>,
  HasRequired<Rules> extends true ? string : string | null,
  Names
> {
  return field({ kind: "day" }, rules, names);
}

/**
 * Creates a field for an amount of money in minor units, such as cents; its value is `0` if absent. In a form
 * it is read by the language of the request (`1.234,50` in Portuguese); in JSON it is a whole number.
 *
 * @param currency The ISO 4217 code.
 * @param rules As for {@link int}; limits are amounts with a dot, such as `min=0.50`.
 * @throws {TypeError} for a malformed code.
 * @example
 * ```ts
 * import { money, struct } from "@fw/fw";
 *
 * struct({ price: money("EUR", "required,min=0.50") });
 * ```
 */
export function money<const Rules extends string = "", const Names extends FieldNames = NoNames>(
  currency: string,
  rules?: RuleText<Rules, NumberRule>,
  names?: Names,
): FieldSchema<number, HasRequired<Rules>, number, Names> {
  if (!/^[A-Z]{3}$/.test(currency)) {
    throw new TypeError(
      `Cannot create a field for the currency "${currency}": use a code such as "EUR".`,
    );
  }
  return field({ kind: "money", currency }, rules, names);
}

/**
 * Creates a field for an array of structs or of other fields, with the rules of {@linkcode texts}. Form
 * fields and errors are named by number, such as `items.0.city`. In a form, the numbers give the order and
 * may have gaps, and an element whose fields are all empty is omitted; values of one name, as checkboxes
 * send them, are elements too.
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
  const Names extends FieldNames = NoNames,
>(
  item: FieldSchema<T, Optional, Input>,
  rules?: RuleText<Rules, ListRule>,
  names?: Names,
): FieldSchema<T[], HasRequired<Rules>, readonly Input[], Names> {
  return field({ kind: "list", item: item.def }, rules, names);
}
