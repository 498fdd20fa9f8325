import { join } from "@std/path";
import type { Messages } from "../messages/catalog.ts";
import { errorAt, type Place, type Problem, startOfFile } from "../problem.ts";
import { textOfFile } from "../project/files/look.ts";
import { missingDependency, parseDeathReport } from "../project/process/failure.ts";
import { runForeign } from "../project/process/foreign.ts";
import type { IslandFile } from "../project/routes/islands.ts";
import { filesOf, leavesProject, readModuleGraph } from "../project/sources/graph.ts";

/** The form of bundles: minified for production, readable with source maps for development. */
export type BundleForm = "production" | "development";

export type BundleRun =
  /** The text of each module by name; `inputs` are the project's files in them. */
  | {
    readonly kind: "bundled";
    readonly files: ReadonlyMap<string, string>;
    readonly inputs: ReadonlySet<string>;
  }
  | { readonly kind: "failed"; readonly problems: readonly Problem[] }
  | { readonly kind: "unavailable"; readonly reason: string };

export interface BundlerOptions {
  readonly islands: readonly IslandFile[];
  readonly form: BundleForm;
  readonly messages: Messages;
}

/** Bundles islands in memory. A module of several islands becomes a shared file, which runs once per page. */
export async function runBundler(root: string, options: BundlerOptions): Promise<BundleRun> {
  const { islands, form, messages } = options;
  const folder = await Deno.makeTempDir({ prefix: "fw-islands-" });
  try {
    const sources = islands.map(({ source }) => source);
    const [{ code, stderr }, graph] = await Promise.all([
      runForeign([
        "bundle",
        "--platform=browser",
        "--code-splitting",
        form === "production" ? "--minify" : "--sourcemap=inline",
        `--outdir=${folder}`,
        ...sources,
      ], { cwd: root }),
      readModuleGraph(root, sources),
    ]);
    const inputs = filesOf(graph, root, sources);
    const outside = [...inputs].filter((file) => leavesProject(root, file)).map((file) =>
      errorAt({ file, ...startOfFile }, "E_OUTSIDE_LINK", messages.problems.islandLink())
    );
    if (outside.length > 0) return { kind: "failed", problems: outside };
    if (code !== 0) return explain(stderr, { root, inputs, ...options });
    const files = new Map<string, string>();
    for await (const { name } of Deno.readDir(folder)) {
      files.set(name, await Deno.readTextFile(join(folder, name)));
    }
    const problems = await findForeign(files, { root, inputs, ...options });
    if (problems.length > 0) return { kind: "failed", problems };
    return { kind: "bundled", files: markModules(files, options), inputs };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function explain(stderr: string, project: BundledProject): BundleRun {
  const { root, islands, messages } = project;
  const errors = stderr.split(/^(?=error: )/m).filter((part) => part.startsWith("error: "));
  const reports = errors.map((error) => parseDeathReport(error, root));
  const problems = reports.flatMap(({ message, place }): Problem[] => {
    if (place === undefined) return [];
    // Deno counts columns from 1, its bundler from 0.
    const shift = /^(?:SyntaxError: |Module not found )/.test(message) ? 0 : 1;
    const text = messages.islands.bundle(oneLine(message));
    const missing = missingDependency(message);
    // Deno gives the place of a missing package in the code without its types.
    const at = missing === undefined
      ? { ...place, column: place.column + shift }
      : findImport(missing, { ...project, inputs: new Set([place.file]) });
    const fix = missing === undefined ? text.fix : messages.dev.fixDependency(missing);
    return [errorAt(at, "E_BUNDLE", { ...text, fix })];
  });
  if (problems.length > 0) return { kind: "failed", problems };
  const reason = oneLine((reports[0] ?? parseDeathReport(stderr, root)).message);
  if (!stderr.includes("bundling failed")) return { kind: "unavailable", reason };
  const file = islands[0]?.source ?? "";
  const text = messages.islands.bundle(reason);
  return { kind: "failed", problems: [errorAt({ file, ...startOfFile }, "E_BUNDLE", text)] };
}

function oneLine(message: string): string {
  return message.replace(/^SyntaxError: /, "").trim().replaceAll(/\s*\n\s*/g, " ");
}

interface BundledProject extends BundlerOptions {
  readonly root: string;
  readonly inputs: ReadonlySet<string>;
}

async function findForeign(
  files: ReadonlyMap<string, string>,
  project: BundledProject,
): Promise<Problem[]> {
  const names = new Set<string>();
  for (const [name, text] of files) {
    if (name.endsWith(".css")) names.add(".css");
    else if (/["']node:/.test(text)) {
      // Load the parser only if the bundle may import a built-in; the match may also be in a string.
      const { default: ts } = await import("npm:typescript@6.0.3");
      for (const { fileName } of ts.preProcessFile(text).importedFiles) {
        if (fileName.startsWith("node:")) names.add(fileName);
      }
    }
  }
  return [...names].map((name) =>
    errorAt(findImport(name, project), "E_BUNDLE", project.messages.islands.foreign(name))
  );
}

function findImport(end: string, { root, inputs, islands }: BundledProject): Place {
  const pattern = new RegExp(`\\b(?:import|from)\\b.*${RegExp.escape(end)}["']`);
  for (const file of inputs) {
    if (!/\.[cm]?[jt]sx?$/.test(file)) continue;
    const lines = textOfFile(join(root, file)).split("\n");
    const index = lines.findIndex((line) => pattern.test(line));
    const column = (lines[index] ?? "").search(/["']/) + 1;
    if (index >= 0) return { file, line: index + 1, column };
  }
  return { file: islands[0]?.source ?? "", ...startOfFile };
}

/** Adds a comment with the source's name to each module, on its first line to keep source maps valid. */
function markModules(
  files: ReadonlyMap<string, string>,
  { islands, form }: Pick<BundlerOptions, "islands" | "form">,
): Map<string, string> {
  const sources = new Map(islands.map(({ name, source }) => [`${name}.js`, source]));
  const suffix = form === "development" ? " (development)" : "";
  return new Map([...files].map(([name, text]) => {
    const from = `${sources.get(name) ?? "islands/"}${suffix}`;
    const mark = `Generated by @fw/cli from ${from}. Do not edit: run \`deno task gen\`.`;
    return [name, `/* ${mark} */ ${text}`];
  }));
}
