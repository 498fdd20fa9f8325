/** A schema of any library that follows Standard Schema, version 1 (standardschema.dev). */
export type StandardSchema<Input = unknown, Output = Input> = {
  readonly "~standard": StandardProps<Input, Output>;
};

/** The members of `~standard`. */
export type StandardProps<Input = unknown, Output = Input> = {
  readonly version: 1;
  /** Name of the library. */
  readonly vendor: string;
  readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
  readonly types?: StandardTypes<Input, Output> | undefined;
};

/** Input and output type of a schema; exist for the compiler alone. */
export type StandardTypes<Input = unknown, Output = Input> = {
  readonly input: Input;
  readonly output: Output;
};

/** The result of validation: a value, or issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> };

/** An issue: a message for people, and the path of the value, absent for the value as a whole. */
export type StandardIssue = {
  readonly message: string;
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
};

/** Any schema that `bind`, `tryBind` and `bindJson` accept: a `struct`, or one of another library. */
// deno-lint-ignore no-explicit-any -- input types are of the library's own making
export type AnySchema<Output = unknown> = StandardSchema<any, Output>;

/** A field of a schema, as `text` and `int` create it and `c.param` accepts it. */
export interface AnyField<T> {
  /** The plain data of the field. */
  readonly def: object;
  /** The type of the value; exists for the compiler alone. */
  readonly "~output"?: T;
}
