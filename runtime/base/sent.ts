/** Types of client input, derived from a schema for the compiler alone. */

/** The types of a schema's field: whether it must be sent, its type as JSON, and its names. */
export type SentField = {
  readonly "~required"?: boolean;
  readonly "~input"?: unknown;
  readonly "~names"?: SentNames;
};

/** The names of a field: that of the form field, and that of the JSON member. */
export type SentNames = { readonly form?: string; readonly json?: string };

/** Fields by property name. */
export type SentFields = { readonly [property: string]: SentField };

/** A date as a client sends it: `2026-01-31`, or RFC 3339 as `JSON.stringify` writes a `Date`. */
export type DateInput = string | Date;

/** A whole number of 64 bits as a client sends it. */
export type Int64Input = number | bigint | `${bigint}`;

type NameOf<Key, Field, As extends keyof SentNames> = Field extends
  { readonly "~names"?: { readonly [Name in As]: infer Own extends string } } ? Own : Key;

type InputOf<Field> = Field extends { readonly "~input"?: infer Input } ? Input : unknown;

/** An absent struct is read as an empty one, so it is required only if one of its fields is. */
type IsSent<Field> = Field extends { readonly "~required"?: true } ? true
  : Field extends { readonly "~shape"?: infer Shape; readonly "~input"?: infer Input }
    ? "~shape" extends keyof Field
      ? SentFields extends Shape ? false : Record<never, never> extends Input ? false : true
    : false
  : false;

/**
 * The same members, which editors and errors then show instead of the name of a type.
 *
 * @internal
 */
export type Members<T> = T extends unknown ? { [Key in keyof T]: T[Key] } : never;

/**
 * The JSON that a client sends for a struct with these fields, by their names in JSON.
 *
 * @internal
 */
export type StructInput<Shape extends SentFields> = Members<
  & {
    readonly [
      Key in keyof Shape as IsSent<Shape[Key]> extends true ? NameOf<Key, Shape[Key], "json">
        : never
    ]: InputOf<Shape[Key]>;
  }
  & {
    readonly [
      Key in keyof Shape as IsSent<Shape[Key]> extends true ? never
        : NameOf<Key, Shape[Key], "json">
    ]?: InputOf<Shape[Key]> | undefined;
  }
>;

type FormValue<Input> = Input extends null ? undefined
  : Input extends Date ? never
  : Input extends number ? number | `${number}`
  : Input extends readonly (infer Item)[] ? Item extends string ? string | readonly string[] : never
  : Input extends string | bigint | boolean ? Input
  : never;

type ShapeOf<Field> = "~shape" extends keyof Field
  ? Field extends { readonly "~shape"?: infer Shape extends SentFields } ? Shape : never
  : never;

/** The fields of a nested struct are named after it: `home.city`. */
type NestedForm<Shape extends SentFields> = {
  [Key in keyof Shape]: [ShapeOf<Shape[Key]>] extends [never] ? never
    : Prefixed<NameOf<Key, Shape[Key], "form"> & string, StructForm<ShapeOf<Shape[Key]>>>;
}[keyof Shape];

type Prefixed<Name extends string, Form> = {
  readonly [Key in keyof Form as `${Name}.${Key & string}`]: Form[Key];
};

type Intersected<Union> = (Union extends unknown ? (each: Union) => void : never) extends
  (each: infer All) => void ? All : never;

/**
 * The form or query that a client sends for a struct with these fields, by their names in forms.
 *
 * @internal
 */
export type StructForm<Shape extends SentFields> =
  & {
    readonly [
      Key in keyof Shape as [ShapeOf<Shape[Key]>] extends [never]
        ? IsSent<Shape[Key]> extends true ? NameOf<Key, Shape[Key], "form"> : never
        : never
    ]: FormValue<InputOf<Shape[Key]>>;
  }
  & {
    readonly [
      Key in keyof Shape as [ShapeOf<Shape[Key]>] extends [never]
        ? IsSent<Shape[Key]> extends true ? never : NameOf<Key, Shape[Key], "form">
        : never
    ]?: FormValue<InputOf<Shape[Key]>> | undefined;
  }
  & Intersected<NestedForm<Shape>>;
