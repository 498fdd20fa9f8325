/**
 * Finds out what the schemas of `bind`, `bindQuery` and `param` accept: from their source, from a
 * process that imports them, or from the types of their values.
 */
import { toJsonSchema } from "@fw/fw/schema";
import type { Place } from "../../../problem.ts";
import type { Components } from "./components.ts";
import type { Schema } from "../document.ts";
import type { SchemaUse } from "../../../facts/effects.ts";
import { type FormField, formFields, objectFields } from "./form_fields.ts";
import { type Compiler, nodePlace, symbolOf } from "../../../facts/compiler.ts";
import {
  type AnyFieldSchema,
  type RunSchema,
  runSchemas,
  type WantedSchema,
} from "../../../facts/schema_process.ts";
import type { StaticSchemas } from "./static_schema.ts";
import { unwrap } from "../../../project/sources/functions.ts";
import type ts from "npm:typescript@6.0.3";

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
    if (exported !== undefined) wanted.set(keyOf(exported), exported);
  }
  const list = [...wanted.values()];
  const results = await runSchemas(root, list);
  const run = new Map(list.map((each, index) => [keyOf(each), results[index]]));
  return new InputSchemas(options, run);
}

type Run = ReadonlyMap<string, RunSchema | undefined>;

export class InputSchemas {
  readonly #options: InputSchemasOptions;
  readonly #run: Run;
  readonly #unread = new Map<string, UnreadSchema>();

  constructor(options: InputSchemasOptions, run: Run) {
    this.#options = options;
    this.#run = run;
  }

  get unread(): readonly UnreadSchema[] {
    return [...this.#unread.values()];
  }

  of(use: SchemaUse): InputSchema {
    const { compiler, components, describeType, sources } = this.#options;
    const field = sources.read(use.expression);
    if (field !== undefined) return this.#ofField(field);
    const exported = exportedConstant(compiler, use.expression);
    const found = exported && this.#run.get(keyOf(exported));
    if (exported !== undefined && found?.kind === "field") {
      return this.#ofField(found.schema, { name: exported.name, key: keyOf(exported) });
    }
    if (exported !== undefined && found?.kind === "json") {
      return this.#ofJson(found.schema, exported);
    }
    this.#noteUnread(use, exported, found);
    const json = describeType(use);
    return { json, fields: objectFields(json, components.all()) };
  }

  #ofField(
    field: AnyFieldSchema,
    own?: { readonly name: string; readonly key: string },
  ): InputSchema {
    const name = own?.name ?? this.#options.sources.nameOf(field.def);
    const build = (): Schema => this.#withNestedNames(toJsonSchema(field), field);
    const isStruct = field.def.kind === "struct";
    const json = name !== undefined && isStruct
      ? this.#options.components.refer(own?.key ?? field.def, name, build)
      : build();
    return { json, fields: isStruct ? formFields(field) : [] };
  }

  /** Structs that are constants of their own become components of their own. */
  #withNestedNames(schema: Schema, field: AnyFieldSchema): Schema {
    const { def } = field;
    if (def.kind !== "struct") return schema;
    const properties = schema["properties"] as Record<string, Schema> | undefined;
    for (const [key, inner] of def.fields) {
      const json = inner.names.json ?? key;
      const name = this.#options.sources.nameOf(inner);
      const own = properties?.[json];
      if (properties === undefined || own === undefined || name === undefined) continue;
      if (inner.kind === "struct" && !inner.optional) {
        properties[json] = this.#options.components.refer(inner, name, () => own);
      }
    }
    return schema;
  }

  #ofJson(schema: Schema, wanted: WantedSchema): InputSchema {
    const { components } = this.#options;
    const { name } = wanted;
    const key = keyOf(wanted);
    const json = components.refer(
      key,
      name,
      () => liftDefinitions(schema, { components, key, name }),
    );
    return { json, fields: objectFields(json, components.all()) };
  }

  #noteUnread(use: SchemaUse, exported: Exported | undefined, found: RunSchema | undefined): void {
    const place = exported?.place ?? nodePlace(use.expression);
    const name = exported?.name ?? unwrap(this.#options.compiler.ts, use.expression).getText();
    const detail = found?.kind === "fault" ? found.message : "";
    this.#unread.set(`${place.file}:${place.line}`, { name, place, detail });
  }
}

function keyOf({ file, name }: WantedSchema): string {
  return `${file}#${name}`;
}

function exportedConstant(compiler: Compiler, expression: ts.Expression): Exported | undefined {
  const { ts, checker, isOwn } = compiler;
  const at = unwrap(compiler.ts, expression);
  if (!ts.isIdentifier(at) && !ts.isPropertyAccessExpression(at)) return undefined;
  const symbol = symbolOf(compiler, ts.isIdentifier(at) ? at : at.name);
  const declaration = symbol?.valueDeclaration;
  if (symbol === undefined || declaration === undefined || !isOwn(declaration)) return undefined;
  const source = declaration.getSourceFile();
  const module = checker.getSymbolAtLocation(source);
  const isExported = module !== undefined &&
    checker.getExportsOfModule(module).some((each) => each === symbol);
  if (!isExported) return undefined;
  return { file: source.fileName, name: symbol.name, place: nodePlace(declaration) };
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
