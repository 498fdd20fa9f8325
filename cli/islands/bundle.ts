import { fromFileUrl, join, resolve } from "@std/path";
import type { Messages } from "../messages/catalog.ts";
import { errorAt, type Place, type Problem, type ProblemText, startOfFile } from "../problem.ts";
import { textOfFile } from "../project/files/look.ts";
import { runForeign } from "../project/process/foreign.ts";
import type { IslandFile } from "../project/routes/islands.ts";
import { filesOf, pathInProject } from "../project/sources/graph.ts";
import { readGraphOf } from "../project/sources/types.ts";

/** The form of bundles: minified for production, readable with source maps for development. */
export type BundleForm = "production" | "development";

export type BundleRun =
  /** The text of each module and map by name; `inputs` are the project's files in them. */
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

const formFlags: Readonly<Record<BundleForm, readonly string[]>> = {
  production: ["--minify"],
  development: ["--sourcemap=linked"],
};

/**
 * Bundles islands with `deno bundle`, in memory. A module that several islands import becomes a
 * shared file, which runs once per page.
 */
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
        ...formFlags[form],
        `--outdir=${folder}`,
        ...sources,
      ], { cwd: root }),
      readGraphOf(root, sources),
    ]);
    if (code !== 0) return explain(stderr, { root, islands, messages });
    const inputs = filesOf(graph, root, sources);
    const files = await readFolder(folder);
    const problems = await findForeign(files, { root, inputs, ...options });
    if (problems.length > 0) return { kind: "failed", problems };
    return { kind: "bundled", files: markModules(files, { root, folder, islands, form }), inputs };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function readFolder(folder: string): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for await (const { name } of Deno.readDir(folder)) {
    files.set(name, await Deno.readTextFile(join(folder, name)));
  }
  return files;
}

const located = /^error: ([^]*?)\n[ \t]+at (file:\/\/\S+?):(\d+):(\d+)$/;

function explain(
  stderr: string,
  project: Pick<BundlerOptions, "islands" | "messages"> & { readonly root: string },
): BundleRun {
  const { root, islands, messages } = project;
  const text = stderr.replace(/\n+Stack backtrace:\n[^]*$/, "");
  const errors = text.split(/^(?=error: )/m).filter((part) => part.startsWith("error: "));
  const problems: Problem[] = [];
  for (const error of errors) {
    const [, message = "", url = "", line, column] = located.exec(trimNotes(error)) ?? [];
    if (url === "") continue;
    const file = pathInProject(root, fromFileUrl(url)) ?? url;
    const place = { file, line: Number(line), column: Number(column) + columnShift(message) };
    problems.push(errorAt(place, "E_BUNDLE", wordError(message, { root, messages })));
  }
  if (problems.length > 0) return { kind: "failed", problems };
  const reason = shorten((errors[0] ?? text).replace(/^error: /, ""), root);
  if (!text.includes("bundling failed")) return { kind: "unavailable", reason };
  const file = islands[0]?.source ?? "";
  const texts = messages.islands.bundle(reason);
  return { kind: "failed", problems: [errorAt({ file, ...startOfFile }, "E_BUNDLE", texts)] };
}

/** Returns the correction of a column: Deno counts from 1, its bundler from 0. */
function columnShift(message: string): number {
  return /^(?:SyntaxError: |Module not found )/.test(message) ? 0 : 1;
}

function wordError(
  message: string,
  { root, messages }: Pick<BundlerOptions, "messages"> & { readonly root: string },
): ProblemText {
  const texts = messages.islands.bundle(shorten(message, root));
  const name = /^Import "([^"]+)" not a dependency/.exec(message)?.[1];
  if (name === undefined) return texts;
  const packageName = name.split("/").slice(0, name.startsWith("@") ? 2 : 1).join("/");
  return { ...texts, fix: messages.dev.fixDependency(packageName) };
}

/** Removes the notes after the place, which recommend flags that do not apply here. */
function trimNotes(error: string): string {
  return error.trimEnd().replace(/\n[ \t]+note: [^]*$/, "");
}

/** Returns the message without the code excerpt, and with paths relative to the project. */
function shorten(message: string, root: string): string {
  const lines = message.split("\n").filter((line) => !/^\s*(?:\d+ )?\|/.test(line));
  const text = lines.map((line) => line.trim()).filter((line) => line !== "").join(" ");
  return text.replace(/^SyntaxError: /, "").replace(/file:\/\/\/[^\s"']+/g, (url) => {
    return pathInProject(root, fromFileUrl(url)) ?? url;
  });
}

interface BundledProject extends BundlerOptions {
  readonly root: string;
  readonly inputs: ReadonlySet<string>;
}

async function findForeign(
  files: ReadonlyMap<string, string>,
  project: BundledProject,
): Promise<Problem[]> {
  const texts = project.messages.islands;
  const problems: Problem[] = [];
  for (const [name, text] of files) {
    if (name.endsWith(".css")) {
      const place = findImport(/\.css(?=["'])/, project);
      problems.push(errorAt(place, "E_BUNDLE", texts.bundledStyle()));
    }
    if (!name.endsWith(".js") || !/["']node:/.test(text)) continue;
    // Load the parser only if the bundle may import a built-in; the match may also be in a string.
    const { default: ts } = await import("npm:typescript@6.0.3");
    for (const { fileName } of ts.preProcessFile(text).importedFiles) {
      if (!fileName.startsWith("node:")) continue;
      const place = findImport(new RegExp(`["']${RegExp.escape(fileName)}(?=["'])`), project);
      problems.push(errorAt(place, "E_BUNDLE", texts.bundledBuiltin(fileName)));
    }
  }
  return problems;
}

function findImport(pattern: RegExp, { root, inputs, islands }: BundledProject): Place {
  for (const file of inputs) {
    if (!/\.[cm]?[jt]sx?$/.test(file)) continue;
    const lines = textOfFile(join(root, file)).split("\n");
    const index = lines.findIndex((line) => /\b(?:import|from)\b/.test(line) && pattern.test(line));
    if (index >= 0) {
      return { file, line: index + 1, column: (lines[index] ?? "").search(/["']/) + 1 };
    }
  }
  return { file: islands[0]?.source ?? "", ...startOfFile };
}

/** Adds a first line with the source's name to each module, and fixes source map paths. */
function markModules(
  files: ReadonlyMap<string, string>,
  { root, folder, islands, form }: Pick<BundlerOptions, "islands" | "form"> & {
    readonly root: string;
    readonly folder: string;
  },
): Map<string, string> {
  const sources = new Map(islands.map(({ name, source }) => [`${name}.js`, source]));
  const suffix = form === "development" ? " (development)" : "";
  return new Map([...files].map(([name, text]) => {
    if (!name.endsWith(".map")) {
      const from = `${sources.get(name) ?? "islands/"}${suffix}`;
      const line = `// Generated by @fw/cli from ${from}. Do not edit: run \`deno task gen\`.`;
      return [name, `${line}\n${text}`];
    }
    const map: { readonly mappings: string; readonly sources: readonly string[] } = JSON.parse(
      text,
    );
    const paths = map.sources.map((source) => {
      const file = resolve(folder, source);
      return `fw:///${pathInProject(root, file) ?? file.replace(/^[/\\]/, "")}`;
    });
    return [name, JSON.stringify({ ...map, mappings: `;${map.mappings}`, sources: paths })];
  }));
}
