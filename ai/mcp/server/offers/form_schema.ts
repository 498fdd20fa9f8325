import type { AnySchema, JsonSchema } from "../../../../mod.ts";
import { describeObject } from "../../../schema/schema.ts";

/** The keywords that clients understand on a field of a form ("Requested Schema"). */
const kept: Readonly<Record<string, readonly string[]>> = {
  string: [
    "title",
    "description",
    "minLength",
    "maxLength",
    "format",
    "enum",
    "enumNames",
    "oneOf",
    "default",
  ],
  number: ["title", "description", "minimum", "maximum", "default"],
  integer: ["title", "description", "minimum", "maximum", "default"],
  boolean: ["title", "description", "default"],
  array: ["title", "description", "minItems", "maxItems", "items", "default"],
};

const formats: ReadonlySet<unknown> = new Set(["email", "uri", "date", "date-time"]);

/**
 * Describes a form in the subset of JSON Schema that clients render: one level, plain values and
 * choices.
 *
 * @throws {TypeError} for a field that no client renders.
 */
export function describeForm(schema: AnySchema): JsonSchema {
  const { properties = {}, required = [] } = describeObject(schema, "the form of elicit");
  const fields = Object.entries(properties).map(([name, field]) => [name, describe(name, field)]);
  return {
    type: "object",
    // Not an object literal: a field may be named "__proto__".
    properties: Object.fromEntries(fields),
    ...(required.length === 0 ? {} : { required: [...required] }),
  };
}

function describe(name: string, field: JsonSchema): JsonSchema {
  const types = Array.isArray(field.type) ? field.type : [field.type];
  const type = types.find((each) => each !== "null") ?? "";
  const keywords = kept[type];
  if (keywords === undefined) return refuse(name, "it is no text, number, boolean or choice");
  if (type === "array" && !isChoice(field.items)) {
    return refuse(name, "a list must name its choices");
  }
  const described: JsonSchema = { type };
  for (const keyword of keywords) {
    const value = keyword === "format" ? formatOf(field) : field[keyword];
    if (value !== undefined) described[keyword] = value;
  }
  if (described.enum !== undefined) {
    const isKept = described.enum.map((value) => value !== null);
    described.enum = described.enum.filter((_, at) => isKept[at]);
    // The labels of older revisions, one for each value.
    if (Array.isArray(described.enumNames)) {
      described.enumNames = described.enumNames.filter((_, at) => isKept[at]);
    }
    // A choice has no other limits.
    delete described.minLength;
    delete described.maxLength;
  }
  return described;
}

function formatOf(field: JsonSchema): unknown {
  const found = field.format ?? field.anyOf?.find(({ format }) => formats.has(format))?.format;
  return formats.has(found) ? found : undefined;
}

function isChoice(items: JsonSchema | undefined): boolean {
  return items?.enum !== undefined || items?.anyOf !== undefined;
}

function refuse(name: string, reason: string): never {
  throw new TypeError(
    `Cannot ask for the field "${name}": ${reason}; clients render flat forms only.`,
  );
}
