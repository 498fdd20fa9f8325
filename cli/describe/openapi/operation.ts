import type ts from "npm:typescript@6.0.3";
import type { Components } from "./schemas/components.ts";
import {
  type MediaType,
  mediaTypes,
  type Operation,
  type Parameter,
  type RequestBody,
  type ResponseObject,
  type Schema,
} from "./document.ts";
import { DirectiveReader } from "./apply_directives.ts";
import { type Compiler, nodePlace } from "../../facts/compiler.ts";
import type { ApiHandler } from "../../facts/handlers.ts";
import type { InputSchemas } from "./schemas/input_schemas.ts";
import type { Reporter } from "./reporter.ts";
import { ResponseSet } from "./responses.ts";
import type { SecuritySchemes } from "./security.ts";
import type { TypeSchemas } from "./schemas/type_schema.ts";
import { isWriteMethod } from "../../project/routes/convention_file.ts";
import type { Effect } from "../../facts/effects.ts";
import { type FormField, formSchema } from "./schemas/form_fields.ts";

export interface OperationOptions {
  readonly compiler: Compiler;
  readonly components: Components;
  readonly types: TypeSchemas;
  readonly inputs: InputSchemas;
  readonly security: SecuritySchemes;
  readonly reporter: Reporter;
  readonly problem: Schema;
  readonly isCsrfForApi: boolean;
  readonly isLimited: boolean;
  readonly uniqueId: (wanted: string) => string;
}

export class OperationBuilder {
  readonly #handler: ApiHandler;
  readonly #options: OperationOptions;
  readonly #label: string;

  constructor(handler: ApiHandler, options: OperationOptions) {
    this.#handler = handler;
    this.#options = options;
    this.#label = `${handler.method} ${handler.route.pattern}`;
  }

  build(): Operation {
    const { route, method, comment, effects, outer } = this.#handler;
    const { inputs, security, uniqueId } = this.#options;
    const checksCsrf = this.#checksCsrf();
    const parameters = [
      ...pathParameters(this.#handler, inputs),
      ...queryParameters([...outer, ...effects], inputs),
    ];
    const responses = this.#responses(checksCsrf);
    const body = requestBody(this.#handler, inputs);
    const operation: Operation = {
      operationId: uniqueId(operationIdOf(method, route.pattern)),
      // Without a comment the summary is the route, as lists of operations need a string.
      summary: comment.summary === "" ? this.#label : comment.summary,
      ...(comment.description === "" ? {} : { description: comment.description }),
      ...(comment.isDeprecated ? { deprecated: true as const } : {}),
      tags: [defaultTag(route.pattern)],
      security: security.requirementsOf([...outer, ...effects]),
      ...(checksCsrf ? { "x-csrf": true as const } : {}),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body === undefined ? {} : { requestBody: body }),
      responses,
    };
    const errors = this.#errorContent();
    new DirectiveReader({ handler: this.#handler, ...this.#options, errors }).apply(operation);
    this.#applyExamples(operation);
    this.#checkKnown(operation);
    operation.responses = withDefault(operation.responses, errors);
    return operation;
  }

  #checksCsrf(): boolean {
    const { route, method } = this.#handler;
    return route.checksCsrf && isWriteMethod(method) &&
      (route.kind === "page" || this.#options.isCsrfForApi);
  }

  #responses(checksCsrf: boolean): Record<string, ResponseObject> {
    const { route, method, effects, outer } = this.#handler;
    const { problem, isLimited, reporter } = this.#options;
    return new ResponseSet({
      effects,
      outer,
      isPage: route.kind === "page",
      isRead: !isWriteMethod(method),
      checksCsrf,
      hasBody: isWriteMethod(method) && method !== "DELETE",
      hasParams: route.params.length > 0,
      isLimited,
      problem,
      describe: (type, { node, label }) => this.#describe(type, { node, label }),
      reportStatus: (node) =>
        reporter.error(
          "E_OPENAPI_STATUS",
          nodePlace(node),
          reporter.texts.status(this.#label, this.#handler.route.file.path),
        ),
    }).build();
  }

  #describe(type: ts.Type, at: { readonly node: ts.Node; readonly label: string }): Schema {
    const { types, reporter } = this.#options;
    return types.schemaOf(type, ({ path, type: written }) => {
      const { path: file } = this.#handler.route.file;
      const text = reporter.texts.undeclared(this.#label, file, written, at.label, path);
      reporter.error("E_OPENAPI_TYPE", nodePlace(at.node), text);
    });
  }

  #errorContent(): ResponseObject["content"] {
    return this.#handler.route.kind === "page"
      ? { [mediaTypes.html]: { schema: { type: "string" } } }
      : { [mediaTypes.problem]: { schema: this.#options.problem } };
  }

  #applyExamples(operation: Operation): void {
    for (const { label, text } of this.#handler.comment.examples) {
      const value = parseExample(text);
      if (value === undefined) continue;
      const media = label === "request"
        ? operation.requestBody?.content[mediaTypes.json]
        : responseMedia(operation, label);
      if (media !== undefined) media.example = value.value;
    }
  }

  /** A handler of a package, or a response of unknown make, tells nothing by itself. */
  #checkKnown({ responses }: Operation): void {
    // The redirect of a guard says nothing about the handler.
    const isGuard = this.#handler.outer.some(({ kind }) => kind === "guard");
    const own = Object.keys(responses).map(Number).filter((status) =>
      status < 400 && !(isGuard && (status === 302 || status === 303))
    );
    if (own.length > 0) return;
    const { reporter } = this.#options;
    const { place, route } = this.#handler;
    reporter.warn(
      "E_OPENAPI_RESPONSE",
      place,
      reporter.texts.noResponse(this.#label, route.file.path),
    );
  }
}

function withDefault(
  responses: Record<string, ResponseObject>,
  content: ResponseObject["content"],
): Record<string, ResponseObject> {
  const sorted = Object.entries(responses).sort(([a], [b]) => Number(a) - Number(b));
  return {
    ...Object.fromEntries(sorted),
    default: {
      description: "Any other error.",
      ...(content === undefined ? {} : { content }),
    },
  };
}

function responseMedia({ responses }: Operation, label: string): { example?: unknown } | undefined {
  const status = label !== ""
    ? label
    : Object.keys(responses).find((each) => responses[each]?.content?.[mediaTypes.json]);
  const content = responses[status ?? ""]?.content;
  return content?.[mediaTypes.json] ?? content?.[mediaTypes.problem];
}

function parseExample(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // An example of code, such as a call of the API.
    return undefined;
  }
}

/** `GET /api/events/{slug}` is `getApiEventsBySlug`. */
function operationIdOf(method: string, pattern: string): string {
  const words = pattern.split("/").filter((part) => part !== "").map((part) => {
    const name = /^\{(\w+)(?:\.\.\.)?\}$/.exec(part)?.[1];
    const word = (name ?? part).split(/[^\p{L}\p{N}]+/u).map(capitalized).join("");
    return name === undefined ? word : `By${word}`;
  });
  const id = method.toLowerCase() + words.join("");
  return id.replace(/[^A-Za-z0-9]/g, "") || method.toLowerCase();
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function defaultTag(pattern: string): string {
  const fixed = pattern.split("/").filter((part) => part !== "" && !part.startsWith("{"));
  return fixed.at(-1) ?? "default";
}

function pathParameters(handler: ApiHandler, inputs: InputSchemas): Parameter[] {
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
function queryParameters(
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
