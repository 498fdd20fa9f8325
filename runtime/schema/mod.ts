/**
 * Schemas, validation and JSON Schema, without a request: for scripts, jobs and shared packages. The
 * main entry exports the same names.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { int, struct, text } from "@fw/fw/schema";
 *
 * const NewEvent = struct({ title: text("required,max=80"), seats: int("min=1") });
 * const result = await NewEvent["~standard"].validate({ title: "Opening", seats: 0 });
 * assertEquals(result.issues?.map(({ path }) => path), [["seats"]]);
 * ```
 *
 * @module
 */

export { fieldError, FieldErrors } from "../base/errors/field_errors.ts";
export type * from "../base/standard_schema.ts";
export type * from "../base/sent.ts";
export * from "./builders.ts";
export {
  type Fields,
  type Infer,
  type PartialFields,
  type PartialValue,
  struct,
  type StructNames,
  type StructOptions,
  StructSchema,
  type StructValue,
} from "./struct_schema.ts";
export { type JsonSchema, toJsonSchema } from "./json_schema.ts";
export {
  type FieldCheckResult,
  type FieldNames,
  FieldSchema,
  type NoNames,
  type StructCheckResult,
} from "./types.ts";
export { useValidationPtBr, validationMessages, validationMessagesPtBr } from "./messages.ts";
export { addRule, type RuleField, type RuleFunction } from "./rules.ts";
