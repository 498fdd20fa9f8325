import { type HttpError, httpError } from "../base/errors/errors.ts";
import { FieldErrors } from "../base/errors/field_errors.ts";
import type { Bound, FileRules, FormFiles, Upload } from "../base/ctx/input.ts";
import type { AnySchema } from "../base/standard_schema.ts";
import type { RequestBody } from "./body.ts";
import { readJson } from "./json.ts";
import { bindTypes, unsupportedType } from "./type.ts";
import { readForm } from "./form/form.ts";
import {
  boundInput,
  type FormInputOptions,
  parseFormInput,
  parseJsonInput,
  sentFormTexts,
  type SentTexts,
} from "../schema/input.ts";
import {
  type BadInput,
  type InvalidInput,
  type ParsedInput,
  sentBodyTexts,
} from "../schema/result.ts";

/** The result of reading a body with a schema, with the submitted values. */
interface Reading<T> {
  readonly result: ParsedInput<T> | InvalidInput<T>;
  readonly texts: SentTexts;
}

/** Reads the body as JSON and validates it. */
export async function bindJson<T>(body: RequestBody, schema: AnySchema<T>): Promise<T> {
  return valueOf((await jsonReading(body, schema)).result);
}

/** Reads the body as a form or as JSON, by its content type, and validates it. */
export async function bindBody<T>(
  body: RequestBody,
  schema: AnySchema<T>,
  options: FormInputOptions = {},
): Promise<T> {
  return valueOf((await reading(body, schema, options)).result);
}

/** Does the same, but returns the messages with the submitted values instead of throwing them. */
export async function tryBindBody<T>(
  body: RequestBody,
  schema: AnySchema<T>,
  options: FormInputOptions = {},
): Promise<Bound<T>> {
  const { result, texts } = await reading(body, schema, options);
  return boundInput(result, texts);
}

/** Reads the files of a form and adds them, or their messages, to what its fields gave. */
export async function boundWithFiles<T, Files extends FormFiles>(
  bound: Bound<T>,
  files: Files,
  read: (field: string, rules: FileRules) => Promise<Upload | undefined>,
): Promise<Bound<T, Files>> {
  const accepted: Record<string, Upload | undefined> = Object.create(null);
  let areFine = true;
  for (const [field, rules] of Object.entries(files)) {
    try {
      accepted[field] = await read(field, rules);
    } catch (error) {
      if (!(error instanceof FieldErrors)) throw error;
      bound.errors.merge(error);
      areFine = false;
    }
  }
  const { ok, ...rest } = bound;
  return { ...rest, ok: ok && areFine, files: accepted } as Bound<T, Files>;
}

function valueOf<T>(result: ParsedInput<T> | InvalidInput<T>): T {
  if (result.kind === "ok") return result.value;
  throw result.errors;
}

function reading<T>(
  body: RequestBody,
  schema: AnySchema<T>,
  options: FormInputOptions,
): Promise<Reading<T>> {
  const { type } = body;
  if (type === undefined) return formReading(body, schema, options);
  const { kind, essence } = type;
  if (kind === "json") return jsonReading(body, schema);
  if (kind === "other") throw unsupportedType(essence, bindTypes);
  return formReading(body, schema, options);
}

async function formReading<T>(
  body: RequestBody,
  schema: AnySchema<T>,
  options: FormInputOptions,
): Promise<Reading<T>> {
  const { fields } = await readForm(body, bindTypes);
  const result = refuseBad(await parseFormInput(schema, fields, options));
  return { result, texts: sentFormTexts(fields) };
}

async function jsonReading<T>(body: RequestBody, schema: AnySchema<T>): Promise<Reading<T>> {
  const { value, isPlainText, members } = await readJson(body);
  const result = refuseBad(await parseJsonInput(schema, value, { isPlainText, members }));
  return { result, texts: sentBodyTexts(value) };
}

/** The longest part of a client's own name that goes into a message. */
const maxNameChars = 80;

function refuseBad<T>(
  result: ParsedInput<T> | InvalidInput<T> | BadInput,
): ParsedInput<T> | InvalidInput<T> {
  if (result.kind === "unknown_field") throw unknownField(result.field);
  if (result.kind === "not_object") {
    throw httpError(400, "the JSON must be an object", { code: "invalid_json" });
  }
  return result;
}

function unknownField(name: string): HttpError {
  const shown = JSON.stringify(name.slice(0, maxNameChars).toWellFormed());
  return httpError(400, `the JSON has the unknown field ${shown}`, { code: "unknown_field" });
}
