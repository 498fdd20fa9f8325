import type {
  BindOptions,
  BodyLimits,
  Bound,
  FileRules,
  FormFiles,
  Upload,
} from "../base/ctx/input.ts";
import { type HttpError, httpError } from "../base/errors/errors.ts";
import { FieldErrors } from "../base/errors/field_errors.ts";
import type { AnySchema } from "../base/standard_schema.ts";
import {
  bindTexts,
  type FormInputOptions,
  formReader,
  parseFormInput,
  parseJsonInput,
  rowButton,
  type SentTexts,
} from "../schema/input.ts";
import { type CheckedInput, type ParseResult, sentBodyTexts } from "../schema/result.ts";
import type { RequestBody } from "./body.ts";
import { parseQuery, readForm } from "./form/form.ts";
import { readJson } from "./json.ts";
import { bindTypes } from "./type.ts";

/** Reads the files of a form and adds them, or their messages, to the result of its fields. */
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

export function acceptInput<T>([result]: Input<T>): T {
  if (result.kind === "ok") return result.value;
  throw result.errors;
}

/** The result of reading a body, and the submitted texts. */
export type Input<T> = readonly [CheckedInput<T>, SentTexts];

/** Reads a JSON or form body by a schema; `zone` is the time zone of its local times. */
export async function readInput<T>(
  source: { readonly body: RequestBody; readonly zone: string },
  schema: AnySchema<T>,
  options: BindOptions & { readonly isJson?: boolean } = {},
): Promise<Input<T>> {
  const { body } = source;
  const isJson = options.isJson === true || body.type?.kind === "json";
  let result: ParseResult<T>;
  let texts: SentTexts;
  if (isJson) {
    const { value, isPlainText, members } = await readJson(body);
    result = await parseJsonInput(schema, value, { isPlainText, members });
    texts = sentBodyTexts(value);
  } else {
    const { fields } = await readForm(body, bindTypes);
    const form = await parseFormInput(schema, fields, { ...options, zone: () => source.zone });
    // A button that adds or removes a row keeps the form from being saved.
    result = fields.has(rowButton)
      ? { kind: "invalid", errors: new FieldErrors(), value: form.value }
      : form;
    texts = formReader(fields);
  }
  if (result.kind === "unknown_field") throw unknownField(result.field);
  if (result.kind === "not_object") {
    throw httpError(400, "the JSON must be an object", { code: "invalid_json" });
  }
  return [result, texts];
}

/** The maximum length of a client's field name in a message. */
const maxNameChars = 80;

function unknownField(name: string): HttpError {
  const shown = JSON.stringify(name.slice(0, maxNameChars).toWellFormed());
  return httpError(400, `the JSON has the unknown field ${shown}`, { code: "unknown_field" });
}

export type QuerySource = Readonly<{ query: string; limits: BodyLimits }>;

export async function bindQuery<T>(
  source: QuerySource,
  schema: AnySchema<T>,
  options?: FormInputOptions,
): Promise<T> {
  const bound = await tryBindQuery(source, schema, options);
  if (bound.ok) return bound.value;
  // 400, not 422: a link was wrong, not a form that the user can correct.
  throw new FieldErrors({ status: 400 }).merge(bound.errors);
}

export async function tryBindQuery<T>(
  { query, limits }: QuerySource,
  schema: AnySchema<T>,
  options: FormInputOptions = {},
): Promise<Bound<T>> {
  return await bindTexts(schema, parseQuery(query.slice(1), limits), options);
}
