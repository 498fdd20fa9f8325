import { FieldSchema, toJsonSchema } from "@fw/fw/schema";
import type { Schema } from "../document.ts";
import type { AnyFieldSchema } from "../../../facts/schema_values.ts";

export interface FormField {
  readonly name: string;
  readonly schema: Schema;
  readonly isRequired: boolean;
}

type Definition = AnyFieldSchema["def"];

const numbered = "\0";

/** Returns the fields that a struct of the framework reads from a form. */
export function formFields({ def }: AnyFieldSchema): readonly FormField[] {
  return def.kind === "struct" ? fieldsOf(def, { name: "", isSure: true }) : [];
}

function fieldsOf(
  field: Definition,
  { name, isSure }: { readonly name: string; readonly isSure: boolean },
): FormField[] {
  const prefix = name === "" ? "" : `${name}.`;
  if (field.kind === "list") {
    return fieldsOf(field.item, { name: prefix + numbered, isSure: false });
  }
  if (field.kind === "struct") {
    const isInside = isSure && !field.optional;
    return [...field.fields].flatMap(([key, inner]) =>
      fieldsOf(inner, { name: prefix + (inner.names.form ?? key), isSure: isInside })
    );
  }
  const isRequired = isSure && field.rules.split(",").includes("required");
  // A form has no `null`; an optional field is omitted.
  const schema = toJsonSchema(new FieldSchema({ ...field, optional: false }));
  return [{ name, schema: asText(field.kind, schema), isRequired }];
}

/** Reports whether a field belongs to a list, so that its name contains a number. */
export function isNumbered({ name }: FormField): boolean {
  return name.includes(numbered);
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
  const [many, single] = [fields.filter(isNumbered), fields.filter((field) => !isNumbered(field))];
  const pattern = (name: string): string =>
    `^${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&").replaceAll(numbered, "\\d+")}$`;
  return {
    type: "object",
    properties: Object.fromEntries(single.map(({ name, schema }) => [name, schema])),
    ...(many.length === 0 ? {} : {
      patternProperties: Object.fromEntries(
        many.map(({ name, schema }) => [pattern(name), schema]),
      ),
    }),
    ...(required.length === 0 ? {} : { required }),
  };
}
