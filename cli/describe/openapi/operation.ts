import type { Effect } from "../../facts/effects.ts";
import type { ApiHandler } from "../../facts/handlers.ts";
import { isWriteMethod } from "../../project/routes/convention_file.ts";
import type { ApiContext } from "./context.ts";
import { applyDirectives } from "./directives.ts";
import {
  type MediaType,
  mediaTypes,
  type Operation,
  type Parameter,
  type RequestBody,
  type Schema,
  type SecurityRequirement,
} from "./document.ts";
import { describeResponses } from "./responses.ts";
import { type FormField, formSchema, isNumbered } from "./schemas/form_fields.ts";
import type { InputSchemas } from "./schemas/input_schemas.ts";

export function describeOperation(
  handler: ApiHandler,
  api: ApiContext,
  uniqueId: (wanted: string) => string,
): Operation {
  const { route, method, comment, effects, outer } = handler;
  const all = [...outer, ...effects];
  const label = `${method} ${route.pattern}`;
  const checksCsrf = route.checksCsrf && isWriteMethod(method) &&
    (route.kind === "page" || api.isCsrfForApi);
  const parameters = [
    ...pathParameters(handler, api.inputs),
    ...queryParameters(all, api.inputs),
  ];
  const responses = describeResponses(handler, api, checksCsrf);
  const body = requestBody(handler, api.inputs);
  const operation: Operation = {
    operationId: uniqueId(operationIdOf(method, route.pattern)),
    // Without a comment the route is the summary, because viewers list operations by their summary.
    summary: comment.summary === "" ? label : comment.summary,
    ...(comment.description === "" ? {} : { description: comment.description }),
    ...(comment.isDeprecated ? { deprecated: true as const } : {}),
    tags: [route.pattern.split("/").findLast((part) => /^[^{]/.test(part)) ?? "default"],
    security: requirementsOf(all, api.security),
    ...(checksCsrf ? { "x-csrf": true as const } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined ? {} : { requestBody: body }),
    responses,
  };
  const { media, schema } = api.errorsOf(route);
  const errors = { [media]: { schema } };
  applyDirectives(operation, { handler, api, errors });
  if (!tellsSuccess(operation, handler)) {
    const text = api.texts.noResponse(label, route.file.path);
    api.report("E_OPENAPI_RESPONSE", handler.place, text, "warning");
  }
  const sorted = Object.entries(operation.responses).sort(([a], [b]) => Number(a) - Number(b));
  operation.responses = {
    ...Object.fromEntries(sorted),
    default: { description: "Any other error.", content: errors },
  };
  return operation;
}

/** Reports whether a success is described; a package's handler may describe none. */
function tellsSuccess({ responses }: Operation, { outer }: ApiHandler): boolean {
  // A guard's redirect does not describe the handler.
  const isGuard = outer.some(({ kind }) => kind === "guard");
  return Object.keys(responses).map(Number).some((status) =>
    status < 400 && !(isGuard && (status === 302 || status === 303))
  );
}

const sessionCookie = "fw_session";

/** Returns the security of an operation and adds its schemes. A session and a token are alternatives. */
function requirementsOf(
  effects: readonly Effect[],
  schemes: Map<string, Schema>,
): SecurityRequirement[] {
  const session: SecurityRequirement = {};
  const tokens = new Map<string, SecurityRequirement>();
  for (const effect of effects) {
    if (effect.kind === "guard") {
      const { cookie = sessionCookie } = effect;
      const name = cookie === sessionCookie ? "session" : cookie.replace(/[^\w.-]+/g, "_");
      session[name] = [];
      schemes.set(name, {
        type: "apiKey",
        in: "cookie",
        name: cookie,
        description: "The session of a signed-in user. Over HTTPS the name has the prefix " +
          "`__Host-`, below a base path `__Secure-`.",
      });
    }
    const challenge = effect.kind === "error" ? effect.challenge ?? "" : "";
    const scheme = effect.kind === "token"
      ? (effect.scheme ?? "bearer").toLowerCase()
      : /^(bearer|basic)\b/i.exec(challenge)?.[1]?.toLowerCase();
    if (scheme === undefined) continue;
    const name = scheme.replace(/[^\w.-]+/g, "_");
    tokens.set(name, { [name]: [] });
    schemes.set(name, { type: "http", scheme });
  }
  return [...Object.keys(session).length === 0 ? [] : [session], ...tokens.values()];
}

/** `GET /api/events/{slug}` is `getApiEventsBySlug`. */
function operationIdOf(method: string, pattern: string): string {
  const words = pattern.split("/").filter((part) => part !== "").map((part) => {
    const name = /^\{(\w+)(?:\.\.\.)?\}$/.exec(part)?.[1];
    const word = (name ?? part)
      .replaceAll(/(?:^|[^\p{L}\p{N}]+)(.?)/gu, (_, start: string) => start.toUpperCase());
    return name === undefined ? word : `By${word}`;
  });
  const id = method.toLowerCase() + words.join("");
  return id.replace(/[^A-Za-z0-9]/g, "") || method.toLowerCase();
}

function pathParameters({ route, effects, outer }: ApiHandler, inputs: InputSchemas): Parameter[] {
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

/** Reduces a parameter's schema to one type without `null`, because a URL carries text. */
function withoutNull(schema: Schema): Schema {
  if (!Array.isArray(schema["type"])) return schema;
  const types = schema["type"].filter((type) => type !== "null");
  // The pattern and the length apply to the text form.
  const { pattern: _, maxLength: __, ...number } = schema;
  return schema["format"] === "int64"
    ? { ...number, type: "integer" }
    : { ...schema, type: types[0] };
}

/** Builds the query parameters: those of `bindQuery`, then others that the code reads. */
function queryParameters(effects: readonly Effect[], inputs: InputSchemas): Parameter[] {
  const found = new Map<string, Parameter>();
  for (const effect of effects) {
    if (effect.kind !== "bind" || effect.from !== "query") continue;
    for (const field of inputs.of(effect.schema).fields) {
      const { name, schema, isRequired } = field;
      // A parameter needs a fixed name.
      if (!isNumbered(field)) found.set(name, queryParameter(name, schema, isRequired));
    }
  }
  for (const effect of effects) {
    if (effect.kind !== "query" || found.has(effect.name)) continue;
    found.set(effect.name, { name: effect.name, in: "query", schema: { type: "string" } });
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
  // In a GET, `form` reads the query.
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
