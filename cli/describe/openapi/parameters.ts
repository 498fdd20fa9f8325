import {
  type MediaType,
  mediaTypes,
  type Parameter,
  type RequestBody,
  type Schema,
} from "./document.ts";
import type { Effect } from "../../facts/effects.ts";
import { type FormField, formSchema } from "./schemas/form_fields.ts";
import type { ApiHandler } from "../../facts/handlers.ts";
import type { InputSchemas } from "./schemas/input_schemas.ts";

export function pathParameters(handler: ApiHandler, inputs: InputSchemas): Parameter[] {
  const { route, effects, outer } = handler;
  const reads = [...outer, ...effects].filter((each) => each.kind === "param");
  return route.params.map(({ name, isRest }): Parameter => {
    const typed = reads.find((each) => each.name === name && each.schema !== undefined);
    const schema = typed?.schema && withoutNull(inputs.of(typed.schema).json);
    return {
      name,
      in: "path",
      required: true,
      ...(isRest ? { description: "The rest of the path; it may contain slashes." } : {}),
      schema: schema ?? { type: "string", minLength: 1 },
      ...(isRest ? { "x-catch-all": true as const } : {}),
    };
  });
}

/** A parameter is text: a URL has no `null` and no second JSON type. */
function withoutNull(schema: Schema): Schema {
  if (!Array.isArray(schema["type"])) return schema;
  const types = schema["type"].filter((type) => type !== "null");
  // The pattern and the length are those of the text.
  const { pattern: _, maxLength: __, ...number } = schema;
  return schema["format"] === "int64"
    ? { ...number, type: "integer" }
    : { ...schema, type: types[0] };
}

/** Builds the parameters of the query: those of `bindQuery` first, then names that code reads. */
export function queryParameters(
  effects: readonly Effect[],
  inputs: InputSchemas,
): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const effect of effects) {
    if (effect.kind !== "bind" || effect.from !== "query") continue;
    for (const { name, schema, isRequired } of inputs.of(effect.schema).fields) {
      found.set(name, queryParameter(name, schema, isRequired));
    }
  }
  for (const effect of effects) {
    if (effect.kind !== "query" || found.has(effect.name)) continue;
    const text: Schema = { type: "string" };
    const schema = effect.isList ? { type: "array", items: text } : text;
    found.set(effect.name, { name: effect.name, in: "query", schema });
  }
  return [...found.values()];
}

function queryParameter(name: string, schema: Schema, isRequired: boolean): Parameter {
  const { description, ...rest } = schema;
  return {
    name,
    in: "query",
    ...(typeof description === "string" ? { description } : {}),
    ...(isRequired ? { required: true } : {}),
    schema: withoutNull(rest),
  };
}

export function requestBody(
  { method, effects }: Pick<ApiHandler, "method" | "effects">,
  inputs: InputSchemas,
): RequestBody | undefined {
  // `form` of a GET reads the query.
  if (method === "GET") return undefined;
  const content: Record<string, MediaType> = {};
  const fields: FormField[] = [];
  let isForm = false;
  for (const effect of effects) {
    if (effect.kind === "bind" && effect.from !== "query") {
      const input = inputs.of(effect.schema);
      content[mediaTypes.json] ??= { schema: input.json };
      isForm ||= effect.from === "body";
      if (effect.from === "body") fields.push(...input.fields);
    } else if (effect.kind === "field") {
      isForm = true;
      if (effect.name === undefined || fields.some(({ name }) => name === effect.name)) continue;
      fields.push({ name: effect.name, schema: { type: "string" }, isRequired: false });
    }
  }
  const files = effects.filter((each) => each.kind === "file");
  if (isForm && files.length === 0) content[mediaTypes.form] = { schema: formSchema(fields) };
  if (isForm || files.length > 0) content[mediaTypes.multipart] = multipart(fields, files);
  return Object.keys(content).length === 0 ? undefined : { required: true, content };
}

function multipart(
  fields: readonly FormField[],
  files: readonly (Effect & { readonly kind: "file" })[],
): MediaType {
  const parts = files.map(({ name, isOptional }) => ({
    name,
    schema: { type: "string", format: "binary" },
    isRequired: !isOptional,
  }));
  const encoding = files.flatMap(({ name, accept }) =>
    accept.length === 0 ? [] : [[name, { contentType: accept.join(", ") }] as const]
  );
  return {
    schema: formSchema([...fields, ...parts]),
    ...(encoding.length === 0 ? {} : { encoding: Object.fromEntries(encoding) }),
  };
}
