import { FieldErrors } from "../base/errors/field_errors.ts";
import type { BodyLimits, Bound } from "../base/ctx/input.ts";
import type { AnySchema } from "../base/standard_schema.ts";
import { bindTexts, type FormInputOptions } from "../schema/input.ts";
import { parseQuery } from "./form/form.ts";

export interface QuerySource {
  /** The query with its `?`, or `""`. */
  readonly query: string;
  /** The limits of a form, which hold for a query too. */
  readonly limits: BodyLimits;
}

export async function bindQuery<T>(
  source: QuerySource,
  schema: AnySchema<T>,
  options?: FormInputOptions,
): Promise<T> {
  const bound = await tryBindQuery(source, schema, options);
  if (bound.ok) return bound.value;
  // A link was wrong, not a form that the client can fill in again.
  throw new FieldErrors({ status: 400 }).merge(bound.errors);
}

/** Does the same, but returns the messages with the submitted values. */
export async function tryBindQuery<T>(
  { query, limits }: QuerySource,
  schema: AnySchema<T>,
  options: FormInputOptions = {},
): Promise<Bound<T>> {
  return await bindTexts(schema, parseQuery(query.slice(1), limits), options);
}
