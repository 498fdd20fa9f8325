import type { JsonSchema, StandardIssue, StandardSchema } from "../../mod.ts";
import { copyJson } from "./schema.ts";
import { compilePatterns, findIssues } from "./check.ts";

/** A JSON Schema as a Standard Schema that also offers its JSON Schema. */
export interface JsonSchemaValidator<T> extends StandardSchema<unknown, T> {
  /** The schema itself, frozen. */
  readonly schema: JsonSchema;
}

/**
 * Turns a JSON Schema (draft 2020-12) into a schema for tools and structured output. Values are checked
 * by `type`, `properties`, `required`, `additionalProperties`, `items`, `prefixItems`, `enum`, `const`,
 * `anyOf`, `oneOf`, `allOf`, `not`, local `$ref`, `pattern` and the limits of numbers, texts and arrays.
 * Other keywords, such as `format`, describe the value to the model and are not checked.
 *
 * @param schema The JSON Schema; it is copied.
 * @returns The schema, whose values have the type `T`.
 * @throws {TypeError} for a circular schema, a `pattern` that is not a regular expression, and a `$ref` that leads
 * out of the schema or to nothing.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * import { jsonSchema, tool } from "@fw/fw/ai";
 *
 * const search = tool({
 *   name: "search",
 *   description: "Searches the catalogue.",
 *   input: jsonSchema<{ words: string }>({
 *     type: "object",
 *     properties: { words: { type: "string" } },
 *     required: ["words"],
 *   }),
 * }, ({ words }) => [words]);
 * assertEquals(search.inputSchema.required, ["words"]);
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
