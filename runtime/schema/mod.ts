/**
 * Schemas, validation and JSON Schema, without a request: for scripts, jobs and shared packages. The
 * main entry exports the same names.
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
export type * from "./rule_text.ts";
export {
  type FieldCheckResult,
  type FieldNames,
  FieldSchema,
  type NoNames,
  type StructCheckResult,
} from "./types.ts";
export {
  useValidationEnglish,
  useValidationPtBr,
  validationMessages,
  validationMessagesPtBr,
} from "./messages.ts";
export { addRule, type RuleField, type RuleFunction } from "./rules.ts";
