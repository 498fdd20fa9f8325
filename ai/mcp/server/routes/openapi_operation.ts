import type { JsonSchema, Method } from "../../../../mod.ts";
import { isJsonObject } from "../../../json.ts";
import { resolveReference } from "../../../schema/check.ts";

export interface Operation {
  readonly method: Exclude<Method, "OPTIONS">;
  readonly pattern: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

type Json = Readonly<Record<string, unknown>>;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export function findOperation(document: unknown, operationId: string): Operation {
  const fail = (reason: string): never => {
    throw new TypeError(`Cannot make the operation "${operationId}" a tool: ${reason}.`);
  };
  if (!isJsonObject(document) || !isJsonObject(document.paths)) {
    return fail("the document has no paths");
  }
  for (const [pattern, item] of Object.entries(document.paths)) {
    if (!isJsonObject(item)) continue;
    for (const method of methods) {
      const operation = item[method.toLowerCase()];
      if (!isJsonObject(operation) || operation.operationId !== operationId) continue;
      const parameters = parametersOf(document, [item.parameters, operation.parameters]);
      const schema = schemaOf({ document, operation, parameters, fail });
      return { method, pattern, description: describe(operation), schema };
    }
  }
  return fail("the document does not have it");
}

/** Joins the parameters of a path and of its operation, which overrides them by name and place. */
function parametersOf(document: Json, lists: readonly unknown[]): readonly Json[] {
  const byName = new Map<string, Json>();
  for (const each of lists.flatMap(listOf)) {
    const parameter = resolve(document, each);
    byName.set(JSON.stringify([parameter.name, parameter.in]), parameter);
  }
  return [...byName.values()];
}

function describe({ summary, description, operationId }: Json): string {
  const texts = [summary, description].filter((text) => typeof text === "string" && text !== "");
  return texts.length === 0 ? String(operationId) : texts.join("\n");
}

function schemaOf(
  { document, operation, parameters, fail }: {
    readonly document: Json;
    readonly operation: Json;
    readonly parameters: readonly Json[];
    readonly fail: (reason: string) => never;
  },
): JsonSchema {
  const properties = new Map<string, unknown>();
  const required = new Set<string>();
  const add = (name: string, schema: unknown): void => {
    if (properties.has(name)) fail(`"${name}" is a parameter and a member of the body`);
    properties.set(name, schema);
  };
  for (const { name, in: place, schema, description, required: isRequired } of parameters) {
    if (typeof name !== "string") continue;
    if (place !== "path" && place !== "query") {
      if (isRequired === true) {
        fail(`it needs "${name}" in a ${String(place)}, which no tool sends`);
      }
      continue;
    }
    const about = typeof description === "string" ? { description } : {};
    add(name, { ...(isJsonObject(schema) ? schema : { type: "string" }), ...about });
    if (isRequired === true || place === "path") required.add(name);
  }
  const body = bodySchema(document, operation);
  if (body !== undefined) {
    if (!isJsonObject(body.properties)) fail("its JSON body is not an object");
    for (const [name, schema] of Object.entries(body.properties as Json)) add(name, schema);
    for (const name of listOf(body.required)) required.add(String(name));
  }
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties) as Record<string, JsonSchema>,
    ...(required.size === 0 ? {} : { required: [...required] }),
    additionalProperties: false,
  };
  return withDefinitions(document, schema);
}

function bodySchema(document: Json, { requestBody }: Json): Json | undefined {
  const { content } = resolve(document, requestBody);
  const json = isJsonObject(content) ? content["application/json"] : undefined;
  return isJsonObject(json) ? resolve(document, json.schema) : undefined;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

const maxReferences = 16;

function resolve(document: Json, value: unknown, followed = 0): Json {
  if (!isJsonObject(value)) return {};
  const { $ref } = value;
  if (typeof $ref !== "string" || !$ref.startsWith("#/") || followed >= maxReferences) return value;
  return resolve(document, resolveReference(document, $ref), followed + 1);
}

const prefix = "#/components/schemas/";

/** Copies the schemas that are referred to into the schema itself, since it travels alone. */
function withDefinitions(document: Json, schema: JsonSchema): JsonSchema {
  const definitions = new Map<string, unknown>();
  const work: string[] = [];
  const moved = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(moved);
    if (!isJsonObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (key !== "$ref" || typeof inner !== "string" || !inner.startsWith(prefix)) {
          return [key, moved(inner)];
        }
        const name = inner.slice(prefix.length);
        if (!definitions.has(name)) {
          definitions.set(name, {});
          work.push(name);
        }
        return [key, `#/$defs/${name}`];
      }),
    );
  };
  const whole = moved(schema) as JsonSchema;
  for (let name = work.pop(); name !== undefined; name = work.pop()) {
    definitions.set(name, moved(resolve(document, { $ref: prefix + name })));
  }
  return definitions.size === 0 ? whole : { ...whole, $defs: Object.fromEntries(definitions) };
}
