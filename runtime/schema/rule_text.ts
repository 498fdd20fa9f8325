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

/** A rule of the app, with or without a parameter: what {@link ValidationRules} names. */
export type AppRule =
  | (keyof ValidationRules & string)
  | `${keyof ValidationRules & string}=${string}`;

/** Rules that {@link text} takes. */
export type TextRule =
  | "required"
  | "email"
  | "url"
  | "slug"
  | "segment"
  | "password"
  | `${"min" | "max" | "len"}=${number}`
  | `${"oneof" | "eqfield"}=${string}`;

/** Rules that `int`, `int64` and `float` take. */
export type NumberRule =
  | "required"
  | `${"min" | "max"}=${number}`
  | `${"oneof" | "eqfield"}=${string}`;

/** Rules that `date` takes. */
export type DateRule = "required" | `${"min" | "max"}=${number}-${string}` | `eqfield=${string}`;

/** Rules that `texts` and `list` take. */
export type ListRule = "required" | `${"min" | "max" | "len"}=${number}`;

/** Rules that `bool` takes. */
export type BoolRule = "required";

/**
 * The rules themselves when the builder knows all of them, otherwise a string that names the first unknown
 * one, for the compiler's message. Rules known at run time only are checked at the first use of the schema.
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

/** The values of `oneof` among the rules; every text without it. */
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
