import {
  type AnySchema,
  type JsonSchema,
  type StandardIssue,
  type StandardSchema,
  toJsonSchema,
} from "../../mod.ts";
import { compilePatterns, findIssues } from "./check.ts";

/** The result of a validation; `message` lists the issues on one line. */
export type Validated<T> =
  | { readonly kind: "valid"; readonly value: T }
  | { readonly kind: "invalid"; readonly message: string };

const maxIssues = 10;

/** Maximum nesting of a JSON Schema, beyond which servers refuse it. */
const maxSchemaDepth = 64;

export async function validate<T>(schema: AnySchema<T>, value: unknown): Promise<Validated<T>> {
  const result = await schema["~standard"].validate(value);
  if (result.issues === undefined) return { kind: "valid", value: result.value };
  const listed = result.issues.slice(0, maxIssues).map(issueText);
  const more = result.issues.length - listed.length;
  if (more > 0) listed.push(`and ${more} more`);
  return { kind: "invalid", message: listed.join("; ") };
}

function issueText({ path = [], message }: StandardIssue): string {
  const place = path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
  return place === "" ? message : `${place}: ${message}`;
}

/** Returns an object schema as frozen JSON Schema. @throws {TypeError} if it cannot be described as one. */
export function describeObject(schema: AnySchema, subject: string): JsonSchema {
  checkSchema(schema, subject);
  const described = copyJson(describePossible(schema, subject), subject);
  if (described.type !== "object") {
    throw new TypeError(
      `Cannot describe ${subject}: its schema has no JSON Schema with the type "object". Use a ` +
        "struct, a schema library with Standard JSON Schema, or jsonSchema({...}).",
    );
  }
  return described;
}

interface ZodSchema {
  readonly _zod?: {
    readonly def: {
      readonly type: string;
      readonly coerce?: boolean;
      readonly in?: ZodSchema;
      readonly out?: ZodSchema;
      readonly options?: readonly ZodSchema[];
    };
  };
}

/** The types of zod whose values JSON cannot express, so that no model's value would match. */
const impossible: ReadonlySet<string> = new Set(["date", "bigint", "symbol", "map", "set"]);

/** Describes a schema. @throws {TypeError} for a field that no JSON value matches, such as `z.date()`. */
function describePossible(schema: AnySchema, subject: string): JsonSchema {
  const standard: object = schema["~standard"];
  const { jsonSchema } = standard as {
    readonly jsonSchema?: { readonly input?: (options: object) => JsonSchema };
  };
  if (jsonSchema?.input === undefined) return toJsonSchema(schema);
  const found = new Map<ZodSchema, readonly PropertyKey[]>();
  const allowed = new Set<ZodSchema>();
  const override = (
    { zodSchema, path = [] }: { readonly zodSchema: ZodSchema; readonly path?: PropertyKey[] },
  ): void => {
    const def = zodSchema._zod?.def;
    if (def === undefined) return;
    if (impossible.has(def.type) && def.coerce !== true) found.set(zodSchema, path);
    // A field after a transform, or in a union, may still match.
    if (def.in?._zod?.def.type === "transform" && def.out !== undefined) allowed.add(def.out);
    if (def.type === "union") def.options?.forEach((option) => allowed.add(option));
  };
  const described = jsonSchema.input({
    target: "draft-2020-12",
    libraryOptions: { unrepresentable: "any", override },
  });
  for (const [field, path] of found) {
    if (allowed.has(field)) continue;
    const place = path.filter((key) => key !== "properties").map(String).join(".");
    throw new TypeError(
      `Cannot describe ${subject}: the field "${place}" is a ${field._zod?.def.type}, which JSON does not ` +
        "have. Use a string, for example z.iso.datetime(), or z.coerce.",
    );
  }
  return described;
}

export function checkSchema(schema: AnySchema, subject: string): void {
  const value: Partial<AnySchema> | null | undefined = schema;
  if (typeof value?.["~standard"]?.validate === "function") return;
  throw new TypeError(
    `Cannot describe ${subject}: it is not a schema. Use a struct, a Standard Schema, or ` +
      "jsonSchema({...}) around a JSON Schema.",
  );
}

/** Returns a frozen copy of a JSON Schema. @throws {TypeError} for a circular or too deep one. */
function copyJson(schema: JsonSchema, subject: string): JsonSchema {
  return copyValue(schema, subject, 0) as JsonSchema;
}

function copyValue(value: unknown, subject: string, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  // The depth limit also detects circular objects.
  if (depth >= maxSchemaDepth) {
    throw new TypeError(
      `Cannot describe ${subject}: its JSON Schema is circular or nested deeper than ` +
        `${maxSchemaDepth}; refer to a schema in "$defs" by "$ref".`,
    );
  }
  const copy = (item: unknown): unknown => copyValue(item, subject, depth + 1);
  if (Array.isArray(value)) return Object.freeze(value.map(copy));
  const entries = Object.entries(value).map(([key, item]) => [key, copy(item)]);
  // Not an object literal: a member may be named "__proto__".
  return Object.freeze(Object.fromEntries(entries));
}

/** A JSON Schema as a Standard Schema that also offers its JSON Schema. */
export interface JsonSchemaValidator<T> extends StandardSchema<unknown, T> {
  /** The schema itself, frozen. */
  readonly schema: JsonSchema;
}

/**
 * Turns a copy of a JSON Schema (draft 2020-12) into a schema for tools and structured output. Values are
 * checked by `type`, `properties`, `required`, `additionalProperties`, `items`, `prefixItems`, `enum`, `const`,
 * `anyOf`, `oneOf`, `allOf`, `not`, local `$ref`, `pattern` and the limits of numbers, strings and arrays.
 * Other keywords, such as `format`, describe the value to the model and are not checked.
 *
 * @throws {TypeError} for a circular schema, a `pattern` that is not a regular expression, and a `$ref`
 * whose target is outside the schema or missing.
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { jsonSchema } from "@fw/fw/ai";
 *
 * const input = jsonSchema<{ words: string }>({
 *   type: "object",
 *   properties: { words: { type: "string" } },
 *   required: ["words"],
 * });
 * assertEquals(input.schema.required, ["words"]);
 * ```
 */
export function jsonSchema<T = Record<string, unknown>>(
  schema: JsonSchema,
): JsonSchemaValidator<T> {
  const copy = copyJson(schema, "a JSON Schema");
  const patterns = compilePatterns(copy);
  const standard = {
    version: 1,
    vendor: "fw",
    validate: (value: unknown) => {
      const issues: StandardIssue[] = findIssues(value, { root: copy, patterns });
      return issues.length === 0 ? { value: value as T } : { issues };
    },
    jsonSchema: { input: () => copy },
  } as const;
  return { schema: copy, "~standard": standard };
}
