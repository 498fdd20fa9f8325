/** A schema of any library that follows Standard Schema, version 1 (standardschema.dev). */
export interface StandardSchema<Input = unknown, Output = Input> {
  /** The members that the specification defines. */
  readonly "~standard": StandardProps<Input, Output>;
}

/** The members of `~standard`. */
export interface StandardProps<Input = unknown, Output = Input> {
  /** Version of the specification. */
  readonly version: 1;
  /** Name of the library. */
  readonly vendor: string;
  /** Validates a value. */
  readonly validate: (
    value: unknown,
  ) => StandardResult<Output> | Promise<StandardResult<Output>>;
  /** The types; exists for the compiler alone. */
  readonly types?: StandardTypes<Input, Output> | undefined;
}

/** Input and output type of a schema. */
export interface StandardTypes<Input = unknown, Output = Input> {
  /** Input type of the schema. */
  readonly input: Input;
  /** Output type of the schema. */
  readonly output: Output;
}

/** The result of validation: a value, or issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> };

/** One thing that is wrong. */
export interface StandardIssue {
  /** Message for people. */
  readonly message: string;
  /** Path of the value; absent for the value as a whole. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** Any schema that `bind`, `tryBind` and `bindJson` take: a `struct`, or one of another library. */
// deno-lint-ignore no-explicit-any -- input types are of the library's own making
export type AnySchema<Output = unknown> = StandardSchema<any, Output>;

/** A field of a schema, as `text` and `int` make it: what `c.param` takes. */
export interface AnyField<T> {
  /** The plain data of the field. */
  readonly def: object;
  /** The type of the value; exists for the compiler alone. */
  readonly "~output"?: T;
}
