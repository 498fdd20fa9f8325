import type { AnySchema } from "../base/standard_schema.ts";
import { maxScalarChars, parseParam } from "./convert.ts";
import {
  groupOf,
  limitOf,
  maxEmailChars,
  maxUrlChars,
  parseRules,
  type RulePlace,
  type RuleSpec,
  segment,
  slug,
} from "./rules.ts";
import { type FieldDef, FieldSchema, type LeafDef, type ListDef, type StructDef } from "./types.ts";

/**
 * A JSON Schema, draft 2020-12 (json-schema.org), as OpenAPI 3.1 uses it. Other keywords come from schemas of
 * other libraries.
 */
export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  enum?: (string | number | null)[];
  /** `true` for a required boolean, such as a box that must be ticked. */
  const?: boolean;
  pattern?: string;
  /** `email`, `uri`, `date`, `date-time`, `int64` or `password`. */
  format?: string;
  anyOf?: JsonSchema[];
  [keyword: string]: unknown;
};

/**
 * Describes what a schema accepts as a JSON body. A field with `required` is listed as such; an optional one,
 * and a date without it, may be `null`.
 *
 * `eqfield`, rules of the app, checks, the limits of dates and the rules of an `int64` as a string have no
 * counterpart and are omitted. Some refusals are omitted too, because they would put a pattern or bounds on
 * every field: control characters, lone surrogates, whole numbers from 2 ** 53, instants that an offset moves
 * out of the years 1 to 9999, invalid IPv4 addresses and `xn--` names, and a required list of empty strings.
 * The document is stricter in two places: `null` for a field that need not be sent, and an empty string or
 * list, which only `required` refuses.
 *
 * @param schema A struct, one field, or a schema of another library, which must offer Standard JSON Schema
 * (`~standard.jsonSchema`); otherwise the result is `{}`, which accepts anything.
 * @throws {TypeError} for a wrong rule; and what the other library throws.
 * @example
 * ```ts
 * import { struct, text, toJsonSchema } from "@fw/fw";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(toJsonSchema(struct({ title: text("required,max=80") })), {
 *   type: "object",
 *   properties: { title: { type: "string", minLength: 1, maxLength: 80 } },
 *   required: ["title"],
 *   additionalProperties: false,
 * });
 * ```
 */
// deno-lint-ignore no-explicit-any -- the value of the field does not matter
export function toJsonSchema(schema: AnySchema | FieldSchema<any, boolean>): JsonSchema {
  if (schema instanceof FieldSchema) return describe(schema.def, "body");
  const { jsonSchema } = (schema as AnySchema)["~standard"] as Partial<{
    readonly jsonSchema: { readonly input: (options: Record<string, unknown>) => JsonSchema };
  }>;
  if (typeof jsonSchema?.input !== "function") return {};
  return jsonSchema.input({
    target: "draft-2020-12",
    // By default zod throws for types that JSON Schema cannot express, such as a Date.
    libraryOptions: { unrepresentable: "any" },
  });
}

function describe(def: FieldDef, name: string): JsonSchema {
  const schema = describeValue(def, name);
  // An absent date is read as `null`, which has no empty form, so a client may send `null` back.
  const mayBeNull = def.optional || def.partial || def.kind === "date" || def.kind === "day";
  return mayBeNull && !hasRequired(def) ? orNull(schema) : schema;
}

function describeValue(def: FieldDef, name: string): JsonSchema {
  if (def.kind === "struct") return describeStruct(def, name);
  const place: RulePlace = { field: name, def };
  const rules = parseRules(def.rules, place);
  const schema: JsonSchema = def.kind === "list"
    ? { type: "array", items: describe(def.item, `${name}.0`) }
    : structuredClone(bases[def.kind]);
  for (const rule of rules) applyRule(schema, rule, place);
  if (rules.some((rule) => rule.name === "required")) addRequired(schema, def);
  return schema;
}

function describeStruct(def: StructDef, name: string): JsonSchema {
  const properties: [string, JsonSchema][] = [];
  const required: string[] = [];
  for (const [key, field] of def.fields) {
    const json = field.names.json ?? key;
    properties.push([json, describe(field, `${name}.${json}`)]);
    if (isRequired(field)) required.push(json);
  }
  return {
    type: "object",
    // Not an object literal: a member may be named "__proto__".
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
    ...(def.ignoresUnknown === true ? {} : { additionalProperties: false }),
  };
}

function hasRequired(def: FieldDef): boolean {
  return def.kind !== "struct" && def.rules.split(",").includes("required");
}

/** Reports whether a field is required. An absent struct is read as empty, so all its fields decide. */
function isRequired(def: FieldDef): boolean {
  if (def.partial === true) return false;
  if (def.kind !== "struct") return hasRequired(def);
  return !def.optional && [...def.fields.values()].some(isRequired);
}

/** White space and invisible characters: controls, direction marks and joiners. */
const unseen = String
  .raw`\s\x00-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff`;

const label = `[^${unseen}\\x00-/:-@[-\`{-\\x7f](?:[^${unseen}\\x00-,./:-@[-\`{-\\x7f]*` +
  `[^${unseen}\\x00-/:-@[-\`{-\\x7f])?`;

const email = `^[^${unseen}@<>()[\\],;:"\\\\]+@${label}(?:\\.${label})+$`;
const port = String.raw`0*(?:\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d\d|655[0-2]\d|6553[0-5])`;

/** Characters that no part of a URL contains: white space and control characters. */
const blank = String.raw`\s\x00-\x1f\x7f-\x9f`;

const host = String
  .raw`(?:\[[\dA-Fa-f:.]+\]|(?:[^${blank}/\\?#@:<>^|%[\]]|%[\dA-Fa-f]{2})+)`;

const url = String.raw`^[Hh][Tt][Tt][Pp][Ss]?://(?:[^${blank}/\\?#]*@)?${host}(?::(?:${port})?)?` +
  String.raw`(?:[/\\?#][^${blank}]*)?$`;

/** An existing day, from year 1. */
const realDay = String
  .raw`(?:[1-9]\d{3}|0[1-9]\d\d|00[1-9]\d|000[1-9])-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\d|3[01])|` +
  String.raw`(?:0[469]|11)-(?:0[1-9]|[12]\d|30)|02-(?:0[1-9]|1\d|2[0-8]))|` +
  String.raw`(?:\d\d(?:0[48]|[2468][048]|[13579][26])|(?:0[48]|[2468][048]|[13579][26])00)-02-29`;

/** A time of HTML or of RFC 3339. */
const time = String
  .raw`[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)?`;

const bases: Readonly<Record<LeafDef["kind"], JsonSchema>> = {
  text: { type: "string" },
  texts: { type: "array", items: { type: "string" } },
  bool: { type: "boolean" },
  int: { type: "integer" },
  money: { type: "integer" },
  float: { type: "number" },
  int64: {
    type: ["integer", "string"],
    format: "int64",
    pattern: "^[+-]?\\d+$",
    maxLength: maxScalarChars,
  },
  day: { type: "string", format: "date", pattern: `^(?:${realDay})$` },
  date: {
    type: "string",
    pattern: `^(?:${realDay})(?:${time})?$`,
    anyOf: [{ format: "date" }, { format: "date-time" }, { pattern: `${time}$` }],
  },
};

function applyRule(schema: JsonSchema, rule: RuleSpec, place: RulePlace): void {
  switch (rule.name) {
    case "min":
    case "max":
    case "len":
      return addLimit(schema, rule, place);
    case "email":
    case "url": {
      const isEmail = rule.name === "email";
      // The format covers ASCII only, and many validators do not check it; the pattern compiles in the regular
      // expressions of all languages.
      schema.anyOf = [{ type: "string", format: isEmail ? "email" : "uri" }, { type: "string" }];
      schema.pattern = isEmail ? email : url;
      schema.maxLength ??= isEmail ? maxEmailChars : maxUrlChars;
      return;
    }
    case "password":
      schema.format = "password";
      return;
    case "slug":
      schema.pattern = slug.source;
      return;
    case "segment":
      schema.pattern = segment.source;
      return;
    case "oneof": {
      const options = (rule.param ?? "").split(" ").filter((option) => option !== "");
      if (place.def.kind === "int64") {
        // As a string, which has several spellings, any number is accepted.
        schema.anyOf = [{ enum: options.map(Number) }, { type: "string" }];
        return;
      }
      schema.enum = groupOf(place) === "number"
        ? options.map((option) => Number(parseParam(place.def as LeafDef, option)))
        : options;
    }
  }
}

function addLimit(schema: JsonSchema, rule: RuleSpec, place: RulePlace): void {
  if (groupOf(place) === "date") return;
  const limit = Number(limitOf(rule, place));
  if (groupOf(place) === "number") {
    schema[rule.name === "min" ? "minimum" : "maximum"] = limit;
    return;
  }
  const unit = groupOf(place) === "text" ? "Length" : "Items";
  if (rule.name !== "max") schema[`min${unit}`] = limit;
  if (rule.name !== "min") schema[`max${unit}`] = limit;
}

function addRequired(schema: JsonSchema, def: LeafDef | ListDef): void {
  if (def.kind === "text") schema.minLength ||= 1;
  if (def.kind === "texts" || def.kind === "list") schema.minItems ||= 1;
  if (def.optional) return;
  if (def.kind === "bool") schema.const = true;
  const isNumber = /^(?:int|int64|float|money)$/.test(def.kind);
  if (!isNumber || (schema.minimum ?? 0) > 0 || (schema.maximum ?? 0) < 0) return;
  schema.anyOf ??= [{ exclusiveMinimum: 0 }, { exclusiveMaximum: 0 }];
}

function orNull(schema: JsonSchema): JsonSchema {
  const types = Array.isArray(schema.type) ? schema.type : [schema.type ?? "object"];
  const nullable: JsonSchema = { ...schema, type: [...types, "null"] };
  if (schema.enum !== undefined) nullable.enum = [...schema.enum, null];
  if (schema.anyOf !== undefined) nullable.anyOf = [...schema.anyOf, { type: "null" }];
  return nullable;
}
