/**
 * Finds out what the schemas of `bind`, `bindQuery` and `param` accept: from their source, from a
 * process that imports them, or from the types of their values.
 */
import { toJsonSchema } from "@fw/fw/schema";
import type ts from "npm:typescript@6.0.3";
import { type Compiler, isOwn } from "../../../facts/compiler.ts";
import type { SchemaUse } from "../../../facts/effects.ts";
import {
  type AnyFieldSchema,
  type RunSchema,
  runSchemas,
  type WantedSchema,
} from "../../../facts/schema_process.ts";
import type { Place } from "../../../problem.ts";
import { nodePlace, unwrap } from "../../../project/sources/syntax.ts";
import type { Schema } from "../document.ts";
import type { Components } from "./components.ts";
import { type FormField, formFields, objectFields } from "./form_fields.ts";
import type { StaticSchemas } from "./static_schema.ts";

export interface InputSchema {
  readonly json: Schema;
  readonly fields: readonly FormField[];
}

export interface UnreadSchema {
  readonly name: string;
  readonly place: Place;
  readonly detail: string;
}

export interface InputSchemasOptions {
  readonly root: string;
  readonly compiler: Compiler;
  readonly components: Components;
  readonly sources: StaticSchemas;
  /** Describes a type, where the schema itself cannot be read. */
  readonly describeType: (use: SchemaUse) => Schema;
}

/** A constant whose value only running code can tell. */
interface Exported extends WantedSchema {
  readonly key: string;
  readonly place: Place;
}

export async function readInputSchemas(
  uses: readonly SchemaUse[],
  options: InputSchemasOptions,
): Promise<InputSchemas> {
  const { root, compiler, sources } = options;
  const wanted = new Map<string, Exported>();
  for (const { expression } of uses) {
    if (sources.read(expression) !== undefined) continue;
    const exported = exportedConstant(compiler, expression);
    if (exported !== undefined) wanted.set(exported.key, exported);
  }
  const results = await runSchemas(root, [...wanted.values()]);
  return new InputSchemas(
    options,
    new Map([...wanted.keys()].map((key, index) => [key, results[index]])),
  );
}

export class InputSchemas {
  readonly #options: InputSchemasOptions;
  readonly #run: ReadonlyMap<string, RunSchema | undefined>;
  readonly #unread = new Map<string, UnreadSchema>();

  constructor(options: InputSchemasOptions, run: ReadonlyMap<string, RunSchema | undefined>) {
    this.#options = options;
    this.#run = run;
  }

  get unread(): readonly UnreadSchema[] {
    return [...this.#unread.values()];
  }

  of(use: SchemaUse): InputSchema {
    const { compiler, components, describeType, sources } = this.#options;
    const field = sources.read(use.expression);
    if (field !== undefined) {
      return this.#ofField(field, { key: field.def, name: sources.nameOf(field.def) });
    }
    const exported = exportedConstant(compiler, use.expression);
    const found = this.#run.get(exported?.key ?? "");
    if (exported !== undefined && found?.kind === "field") {
      return this.#ofField(found.schema, exported);
    }
    let json: Schema;
    if (exported !== undefined && found?.kind === "json") {
      const { key, name } = exported;
      const lift = (): Schema => liftDefinitions(found.schema, { components, key, name });
      json = components.refer(key, name, lift);
    } else {
      const place = exported?.place ?? nodePlace(use.expression);
      const name = exported?.name ?? unwrap(use.expression).getText();
      const detail = found?.kind === "fault" ? found.message : "";
      this.#unread.set(`${place.file}:${place.line}`, { name, place, detail });
      json = describeType(use);
    }
    return { json, fields: objectFields(json, components.all()) };
  }

  #ofField(
    field: AnyFieldSchema,
    { key, name }: { readonly key: unknown; readonly name: string | undefined },
  ): InputSchema {
    if (field.def.kind !== "struct") return { json: toJsonSchema(field), fields: [] };
    const build = (): Schema => this.#withNestedNames(toJsonSchema(field), field);
    const json = name === undefined ? build() : this.#options.components.refer(key, name, build);
    return { json, fields: formFields(field) };
  }

  /** Structs that are constants of their own become components of their own. */
  #withNestedNames(schema: Schema, { def }: AnyFieldSchema): Schema {
    const { components, sources } = this.#options;
    const properties = schema["properties"] as Record<string, Schema> | undefined;
    for (const [key, inner] of def.kind === "struct" ? def.fields : []) {
      const json = inner.names.json ?? key;
      const name = sources.nameOf(inner);
      const own = properties?.[json];
      if (properties === undefined || own === undefined || name === undefined) continue;
      if (inner.kind === "struct" && !inner.optional) {
        properties[json] = components.refer(inner, name, () => own);
      }
    }
    return schema;
  }
}

function exportedConstant(compiler: Compiler, expression: ts.Expression): Exported | undefined {
  const { checker } = compiler;
  const symbol = compiler.namedSymbol(expression);
  const declaration = symbol?.valueDeclaration;
  if (symbol === undefined || declaration === undefined || !isOwn(declaration)) return undefined;
  const source = declaration.getSourceFile();
  const module = checker.getSymbolAtLocation(source);
  if (module === undefined || !checker.getExportsOfModule(module).includes(symbol)) {
    return undefined;
  }
  const { fileName: file } = source;
  return { file, name: symbol.name, key: `${file}#${symbol.name}`, place: nodePlace(declaration) };
}

/** Returns the schema without `$schema`, `$id` and `$defs`, whose references it follows. */
function liftDefinitions(schema: Schema, { components, key, name }: {
  readonly components: Components;
  readonly key: string;
  /** The name of its component, to which `#` refers. */
  readonly name: string;
}): Schema {
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
        const own = /^#\/\$defs\/(.+)$/.exec(inner)?.[1] ?? "";
        const definition = definitions[own];
        if (definition === undefined) return [member, inner];
        const wanted = own.startsWith("__") ? `${name}Part` : own.replace(/[^\w.-]+/g, "_");
        const build = (): Schema => moved(definition) as Schema;
        return [member, components.refer(`${key}#${own}`, wanted, build).$ref];
      }),
    );
  }
}
