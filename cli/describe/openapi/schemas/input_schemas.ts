/** Describes the inputs of `bind`, `bindQuery` and `param`, from schema values or types. */
import { toJsonSchema } from "@fw/fw/schema";
import type { SchemaUse } from "../../../facts/effects.ts";
import type { AnyFieldSchema, SchemaValue, SchemaValues } from "../../../facts/schema_values.ts";
import type { Schema } from "../document.ts";
import type { Components } from "./components.ts";
import { type FormField, formFields, objectFields } from "./form_fields.ts";

export interface InputSchema {
  readonly json: Schema;
  readonly fields: readonly FormField[];
}

export type UnreadSchema = SchemaValue & { readonly kind: "fault" };

export interface InputSchemas {
  /** The schemas whose values could not be read, so that their types describe them. */
  readonly unread: ReadonlyMap<string, UnreadSchema>;
  readonly of: (use: SchemaUse) => InputSchema;
}

export function createInputSchemas(
  { components, values, describeType }: {
    readonly components: Components;
    readonly values: SchemaValues;
    readonly describeType: (use: SchemaUse) => Schema;
  },
): InputSchemas {
  const unread = new Map<string, UnreadSchema>();
  return { unread, of };

  function of(use: SchemaUse): InputSchema {
    const found = values.read(use.expression);
    if (found?.kind === "field") return describeField(found.schema);
    if (found?.kind === "fault") unread.set(`${found.place.file}:${found.place.line}`, found);
    const json = found?.kind === "json"
      ? liftDefinitions(found.schema, components, values.nameOf(found.schema))
      : describeType(use);
    return { json, fields: objectFields(components.resolve(json)) };
  }

  function describeField(field: AnyFieldSchema): InputSchema {
    const { def } = field;
    if (def.kind !== "struct") return { json: toJsonSchema(field), fields: [] };
    const name = values.nameOf(def);
    const build = (): Schema => withNestedNames(toJsonSchema(field), field);
    const json = name === undefined ? build() : components.refer(def, name, build);
    return { json, fields: formFields(field) };
  }

  /** Structs that are separate constants become separate components. */
  function withNestedNames(schema: Schema, { def }: AnyFieldSchema): Schema {
    const properties = (schema["properties"] ?? {}) as Record<string, Schema>;
    for (const [key, inner] of def.kind === "struct" ? def.fields : []) {
      const json = inner.names.json ?? key;
      const [name, own] = [values.nameOf(inner), properties[json]];
      if (own !== undefined && name !== undefined && inner.kind === "struct" && !inner.optional) {
        properties[json] = components.refer(inner, name, () => own);
      }
    }
    return schema;
  }
}

/** Turns a schema and its `$defs` into components, without `$schema` and `$id`. */
function liftDefinitions(schema: Schema, components: Components, name = "Input"): Schema {
  const { $schema: _dialect, $id: _id, $defs, ...rest } = schema;
  const definitions = ($defs ?? {}) as Record<string, Schema>;
  return liftRoot();

  function liftRoot(): Schema {
    return components.refer(schema, name, () => moved(rest) as Schema);
  }

  function moved(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => {
        if (member !== "$ref" || typeof inner !== "string") return [member, moved(inner)];
        if (inner === "#") return [member, liftRoot()["$ref"]];
        const own = /^#\/\$defs\/(.+)$/.exec(inner)?.[1] ?? "";
        const definition = definitions[own];
        if (definition === undefined) return [member, inner];
        const wanted = own.startsWith("__") ? `${name}Part` : own.replace(/[^\w.-]+/g, "_");
        const build = (): Schema => moved(definition) as Schema;
        return [member, components.refer(definition, wanted, build)["$ref"]];
      }),
    );
  }
}
