/**
 * Reads schemas that only running code can tell in a process of their own, which may read nothing but
 * what it imports: no network, no environment, no files, no processes.
 */
import { FieldSchema } from "@fw/fw/schema";
import { join, toFileUrl } from "@std/path";
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
  const { said, stderr } = await askProgram(
    (say) => programOf(say, { root, wanted }),
    ["--no-check", "--cached-only", "--ignore-env", `--allow-read=${root}`],
    { cwd: root, timeoutMs, maxBytes },
  );
  const [fault = ""] = stderr.trim().split("\n");
  const found = said === undefined ? wanted.map(() => ({ fault })) : said as readonly Found[];
  return wanted.map((_, index) => toRunSchema(found[index]));
}

type Found =
  | { readonly def: PrintedDef }
  | { readonly schema: Schema }
  | { readonly fault: string };

/** The definition of a field; the fields of a struct are entries. */
interface PrintedDef {
  readonly kind: string;
  readonly fields?: readonly (readonly [string, PrintedDef])[];
  readonly item?: PrintedDef;
}

/** Every import is written out, so that the modules belong to the program that Deno loads. */
function programOf(say: string, { root, wanted }: {
  readonly root: string;
  readonly wanted: readonly WantedSchema[];
}): string {
  const loads = wanted.map(({ file, name }) => {
    const url = JSON.stringify(toFileUrl(join(root, file)).href);
    return `await read(() => import(${url}), ${JSON.stringify(name)}),`;
  });
  return `import { FieldSchema, addRule, toJsonSchema } from "@fw/fw/schema";
${say}
const plain = (def) => {
  // Rules that the application adds in its setup do nothing here, and have no counterpart.
  for (const rule of (def.rules ?? "").split(",")) {
    try { addRule(rule.split("=")[0], () => undefined); } catch { /* a rule of the framework */ }
  }
  return {
    ...def,
    checks: [],
    ...(def.fields ? { fields: [...def.fields].map(([name, each]) => [name, plain(each)]) } : {}),
    ...(def.item ? { item: plain(def.item) } : {}),
  };
};
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

function toRunSchema(found: Found | undefined): RunSchema {
  if (found === undefined) return { kind: "fault", message: "" };
  if ("fault" in found) return { kind: "fault", message: found.fault };
  if ("schema" in found) return { kind: "json", schema: found.schema };
  const def = revive(found.def) as ConstructorParameters<typeof FieldSchema>[0];
  return { kind: "field", schema: new FieldSchema(def) };
}

function revive(def: PrintedDef): object {
  const { fields, item } = def;
  const revived = fields?.map(([name, each]) => [name, revive(each)] as const);
  return {
    ...def,
    ...(revived === undefined ? {} : { fields: new Map(revived) }),
    ...(item === undefined ? {} : { item: revive(item) }),
  };
}
