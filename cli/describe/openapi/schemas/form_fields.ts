import { FieldSchema, toJsonSchema } from "@fw/fw/schema";
import type { Schema } from "../document.ts";
import type { AnyFieldSchema } from "../../../facts/schema_values.ts";

export interface FormField {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

type Definition = AnyFieldSchema["def"];

/** Returns the fields that a struct of the framework reads from a form; lists are left out. */
export function formFields({ def }: AnyFieldSchema): readonly FormField[] {
  return def.kind === "struct" ? fieldsOf(def, { prefix: "", isSure: true }) : [];
}

function fieldsOf(
  def: Definition,
  at: { readonly prefix: string; readonly isSure: boolean },
): FormField[] {
  if (def.kind !== "struct") return [];
  return [...def.fields].flatMap(([key, field]) => {
    const name = at.prefix + (field.names.form ?? key);
    if (field.kind === "struct") {
      return fieldsOf(field, { prefix: `${name}.`, isSure: at.isSure && !field.optional });
    }
    if (field.kind === "list") return [];
    const isRequired = at.isSure && field.rules.split(",").includes("required");
    // A form has no `null`; an optional field is omitted.
    const schema = toJsonSchema(new FieldSchema({ ...field, optional: false }));
    return [{ name, schema: asText(field.kind, schema), isRequired }];
  });
}

/** Adapts a schema to form text: no second type for `int64`, no `null` for a date. */
function asText(kind: Definition["kind"], schema: Schema): Schema {
  if (kind === "date") {
    const { anyOf } = schema;
    const formats = Array.isArray(anyOf) ? anyOf.filter(({ type }) => type !== "null") : [];
    return { ...schema, type: "string", anyOf: formats };
  }
  if (kind !== "int64") return schema;
  const { pattern: _pattern, ...rest } = schema;
  return { ...rest, type: "integer" };
}

export function objectFields(object: Schema): readonly FormField[] {
  const required = new Set((object["required"] ?? []) as readonly string[]);
  const properties = (object["properties"] ?? {}) as Readonly<Record<string, Schema>>;
  return Object.entries(properties).map(([key, inner]) => ({
    name: key,
    schema: inner,
    isRequired: required.has(key),
  }));
}

export function formSchema(fields: readonly FormField[]): Schema {
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length === 0 ? {} : { required }),
  };
}
