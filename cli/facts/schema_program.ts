import { join, toFileUrl } from "@std/path";
import ts from "npm:typescript@6.0.3";
import type { Place } from "../problem.ts";
import { libraryUrl } from "../project/framework_url.ts";

/** Timeout for loading all modules, and again for the remaining ones. */
const moduleTimeoutMs = 5_000;

/** Returns the program. Its imports are literal, so that Deno finds the modules in advance. */
export function schemaProgram(
  say: string,
  { root, npmCache, folders, wanted }: {
    readonly root: string;
    readonly npmCache: string;
    /** The folders outside of the project whose code it may import, but no data. */
    readonly folders: readonly string[];
    readonly wanted: readonly { readonly place: Place; readonly code: string }[];
  },
): string {
  const modules = [...Map.groupBy(wanted, ({ place }) => place.file)].map(([file, all]) => {
    const code = `export const $fw = [${all.map(({ code }) => `() => (${code})`).join(",\n")}];`;
    const url = JSON.stringify(toFileUrl(join(root, file)).href);
    // The loader hands over JavaScript.
    const own = ts.transpile(code, { target: ts.ScriptTarget.ESNext });
    return { url, own, load: `read(() => import(${url}), ${all.length}),` };
  });
  const [base = "", packages = "", ...linked] = [root, npmCache, ...folders].map((path) =>
    new URL(".", toFileUrl(join(path, "x"))).href
  );
  const library = libraryUrl?.startsWith("file:") ? new URL(".", libraryUrl).href : packages;
  const all = JSON.stringify(`${base}$fw_schemas.js`);
  const together = JSON.stringify(modules.map(({ url }) => `import ${url};`).join("\n"));
  return `import { registerHooks } from "node:module";
import { FieldSchema, toJsonSchema } from "@fw/fw/schema";
${say}
const added = new Map([${modules.map(({ url, own }) => `[${url}, ${JSON.stringify(own)}]`)}]);
const real = (url) => Deno.realPathSync(new URL(url));
// A link of a clone may lead outside.
const isOwn = (url, isData) => url.startsWith(${JSON.stringify(base)})
  ? (real(url) + "/").startsWith(real(${JSON.stringify(base)}) + "/")
  : !url.startsWith("file:") ||
    [...${JSON.stringify([library, packages])}, ...(isData ? [] : ${JSON.stringify(linked)})]
      .some((start) => url.startsWith(start));
registerHooks({
  resolve: (name, context, next) =>
    name === ${all} ? { url: name, format: "module", shortCircuit: true } : next(name, context),
  load: (url, context, next) => {
    if (url === ${all}) return { source: ${together}, format: "module", shortCircuit: true };
    // Imports need no read permission, so a clone could put the reader's files into its document, also
    // by an error that quotes a file other than code.
    const isData = context.importAttributes?.type !== undefined ||
      !/\\.(?:[cm]?[jt]s|[jt]sx)$/.test(new URL(url).pathname);
    if (!isOwn(url, isData)) throw new Error("it imports a file outside of the project: " + url);
    const { source, ...module } = next(url, context);
    return { ...module, source: added.has(url) ? source + "\\n" + added.get(url) : source };
  },
});
const ids = new Map();
const idOf = (value) => ids.getOrInsertComputed(value, () => ids.size);
const plain = (def) => ({
  ...def,
  id: idOf(def),
  checks: [],
  ...(def.fields ? { fields: [...def.fields].map(([name, each]) => [name, plain(each)]) } : {}),
  ...(def.item ? { item: plain(def.item) } : {}),
});
function tell(evaluate) {
  try {
    const value = evaluate();
    if (value instanceof FieldSchema) return { def: plain(value.def) };
    const schema = value?.["~standard"] === undefined ? {} : toJsonSchema(value);
    if (Object.keys(schema).length === 0) return { fault: "it offers no JSON Schema" };
    // Throws for a cycle.
    return { schema: JSON.parse(JSON.stringify(schema)), id: idOf(value) };
  } catch (error) {
    const fault = String(error?.message ?? error).split("\\n")[0];
    // The export below is reached only after the module's own top-level awaits.
    return { fault: /'\\$fw'/.test(fault) ? "its module never finishes loading" : fault };
  }
}
// A module that never finishes loading must not hold back the values of others.
const wait = () => new Promise((resolve) => setTimeout(resolve, ${moduleTimeoutMs}));
// Load all at once: a thousand single imports take seconds. Failures are reported below.
await Promise.race([import(${all}), wait()]).catch(() => {});
const late = wait().then(() => {
  throw new Error("it is not loaded after ${2 * moduleTimeoutMs} ms");
});
async function read(load, count) {
  try {
    return (await Promise.race([load(), late])).$fw.map(tell);
  } catch (error) {
    return Array(count).fill(tell(() => { throw error; }));
  }
}
const found = await Promise.all([
${modules.map(({ load }) => load).join("\n")}
]);
say(found.flat());
Deno.exit(0);
`;
}
