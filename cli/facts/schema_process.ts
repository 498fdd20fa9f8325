/**
 * Reads schemas that only running code can tell in a process of their own, which may read nothing but
 * what it imports: no network, no environment, no files, no processes.
 */
import type { JsonObject } from "@fw/fw/addon";
import { FieldSchema, toJsonSchema } from "@fw/fw/schema";
import { join, toFileUrl } from "@std/path";
import { listOf, memberOf, objectOf, textOf } from "../project/json.ts";
import { askProgram } from "../project/process/app_program.ts";

export type AnyFieldSchema = FieldSchema<unknown, boolean>;

type Schema = Record<string, unknown>;

export interface WantedSchema {
  readonly file: string;
  readonly name: string;
}

export type RunSchema =
  | { readonly kind: "field"; readonly schema: AnyFieldSchema }
  /** The JSON Schema that another library offers. */
  | { readonly kind: "json"; readonly schema: Schema }
  | { readonly kind: "fault"; readonly message: string };

const timeoutMs = 15_000;

/** The most bytes of both outputs: a module may print without an end. */
const maxBytes = 16_777_216;

export async function runSchemas(
  root: string,
  wanted: readonly WantedSchema[],
): Promise<readonly RunSchema[]> {
  if (wanted.length === 0) return [];
  // A single comma would begin the path of another folder.
  const read = `--allow-read=${root.replaceAll(",", ",,")}`;
  const { said, stderr } = await askProgram(
    (say) => schemaProgram(say, root, wanted),
    ["--no-check", "--cached-only", "--ignore-env", read],
    { cwd: root, timeoutMs, maxBytes },
  );
  const [fault = ""] = stderr.trim().split("\n");
  const found = said === undefined ? wanted.map(() => ({ fault })) : listOf(said);
  return wanted.map((_, index) => toRunSchema(found[index]));
}

/** Every import is written out, so that the modules belong to the program that Deno loads. */
function schemaProgram(say: string, root: string, wanted: readonly WantedSchema[]): string {
  const loads = wanted.map(({ file, name }) => {
    const url = JSON.stringify(toFileUrl(join(root, file)).href);
    return `await read(() => import(${url}), ${JSON.stringify(name)}),`;
  });
  return `import { FieldSchema, toJsonSchema } from "@fw/fw/schema";
${say}
const plain = (def) => ({
  ...def,
  checks: [],
  ...(def.fields ? { fields: [...def.fields].map(([name, each]) => [name, plain(each)]) } : {}),
  ...(def.item ? { item: plain(def.item) } : {}),
});
async function read(load, name) {
  try {
    const value = (await load())[name];
    if (value instanceof FieldSchema) return { def: plain(value.def) };
    const schema = value?.["~standard"] === undefined ? {} : toJsonSchema(value);
    if (Object.keys(schema).length > 0) return { schema };
    return { fault: name + " offers no JSON Schema" };
  } catch (error) {
    return { fault: String(error?.message ?? error).split("\\n")[0] };
  }
}
const found = [
${loads.join("\n")}
];
say(found);
Deno.exit(0);
`;
}

/** Reads what the process says, which the code of the project can change. */
function toRunSchema(found: unknown): RunSchema {
  const schema = objectOf(memberOf(found, "schema"));
  if (schema !== undefined) return { kind: "json", schema };
  const def = memberOf(found, "def");
  const field = def === undefined ? undefined : toField(revive(objectOf(def) ?? {}));
  if (field !== undefined) return { kind: "field", schema: field };
  return { kind: "fault", message: textOf(memberOf(found, "fault")) ?? "" };
}

/** Returns the field of a definition; `undefined` for what no schema has. */
function toField(def: object): AnyFieldSchema | undefined {
  const field = new FieldSchema(def as ConstructorParameters<typeof FieldSchema>[0]);
  try {
    const schema: unknown = toJsonSchema(field);
    return schema === undefined ? undefined : field;
  } catch {
    return undefined;
  }
}

/** Revives the definition of a field; the fields of a struct come as entries. */
function revive(def: JsonObject): object {
  const { fields, item, names, rules } = def;
  const entries = listOf(fields).map((entry) => {
    const [name, each] = listOf(entry);
    return [String(name), revive(objectOf(each) ?? {})] as const;
  });
  const revived = {
    ...def,
    names: objectOf(names) ?? {},
    ...(fields === undefined ? {} : { fields: new Map(entries) }),
    ...(item === undefined ? {} : { item: revive(objectOf(item) ?? {}) }),
  };
  // Rules that the application adds in its setup have no counterpart.
  const known = (textOf(rules) ?? "").split(",")
    .filter((rule) => rule !== "" && toField({ ...revived, rules: rule }) !== undefined);
  return { ...revived, rules: known.join(",") };
}
