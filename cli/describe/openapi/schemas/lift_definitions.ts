import type { Components } from "./components.ts";
import type { Schema } from "../document.ts";

export interface LiftOptions {
  readonly components: Components;
  /** What tells the schema apart from others. */
  readonly key: string;
  /** The name of its component, to which `#` refers. */
  readonly name: string;
}

/** Returns the schema without `$schema`, `$id` and `$defs`, whose references it follows. */
export function liftDefinitions(schema: Schema, options: LiftOptions): Schema {
  const { components, key, name } = options;
  const { $schema: _dialect, $id: _id, $defs, ...rest } = schema;
  const definitions = ($defs ?? {}) as Record<string, Schema>;
  return moved(rest) as Schema;

  function moved(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(moved);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([member, inner]) => {
        if (member !== "$ref" || typeof inner !== "string") return [member, moved(inner)];
        if (inner === "#") return [member, `#/components/schemas/${name}`];
        const own = /^#\/\$defs\/(.+)$/.exec(inner)?.[1];
        const definition = own === undefined ? undefined : definitions[own];
        if (own === undefined || definition === undefined) return [member, inner];
        const wanted = own.startsWith("__") ? `${name}Part` : own.replace(/[^\w.-]+/g, "_");
        const { $ref } = components.refer(
          `${key}#${own}`,
          wanted,
          () => moved(definition) as Schema,
        );
        return [member, $ref];
      }),
    );
  }
}
