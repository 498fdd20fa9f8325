import { generatedFile } from "@fw/fw/conventions";
import { join } from "@std/path";
import { statIfThereSync, textOfFile } from "../project/files/look.ts";
import { runGit } from "../project/process/git.ts";
import type { Project } from "../project/project.ts";
import { listTests } from "../project/sources/sources.ts";
import { filesOf } from "../project/sources/graph.ts";
import { readGraphOf } from "../project/sources/types.ts";

/** Returns the files that differ from the last commit, deleted ones included; `undefined` without one. */
export async function changedFiles(root: string): Promise<Set<string> | undefined> {
  const lists = await Promise.all([
    // Inside a submodule git would read a configuration that is not this repository's.
    ["diff", "--name-only", "-z", "--relative", "--ignore-submodules=dirty", "HEAD", "--", "."],
    ["ls-files", "--others", "--exclude-standard", "-z", "--", "."],
  ].map(async (args) => {
    // A git that cannot start is one that knows no file.
    const run = await runGit(root, args).catch(() => undefined);
    return run?.code === 0 ? run.stdout.split("\0").filter((name) => name !== "") : undefined;
  }));
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? new Set(known.flat()) : undefined;
}

export function presentFiles(
  root: string,
  changed: ReadonlySet<string>,
  extensions: RegExp,
): string[] {
  return [...changed].filter((file) =>
    extensions.test(file) && statIfThereSync(join(root, file))?.isFile
  ).sort();
}

/**
 * Returns the tests that import what changed. A test that runs the whole application depends on all
 * that the application imports, and on the files that it may read.
 *
 * @returns The files; `undefined` for all, where the imports cannot be read.
 */
export async function testsOf(
  project: Project,
  changed: ReadonlySet<string>,
): Promise<readonly string[] | undefined> {
  const { root } = project;
  const tests = listTests(root);
  if (tests.length === 0) return [];
  if ([...changed].some((file) => /^deno\.(?:jsonc?|lock)$/.test(file))) return undefined;
  const isThere = statIfThereSync(join(root, generatedFile)) !== undefined;
  const entries = [...tests, ...isThere ? [generatedFile] : []];
  const graph = await readGraphOf(root, entries, { remote: false });
  if (graph === undefined) return undefined;
  const closureOf = (file: string): Set<string> => filesOf(graph, root, [file]);
  const app = closureOf(generatedFile);
  const closures = new Map(tests.map((test) => [test, closureOf(test)]));
  const known = new Set([...app, ...[...closures.values()].flatMap((files) => [...files])]);
  // What no module imports may be read at run time: a template, a stylesheet.
  const isAppChanged = [...changed].some((file) => app.has(file) || isRead(file, known));
  return tests.filter((test) => {
    const files = closures.get(test) ?? new Set();
    if ([...files].some((file) => changed.has(file))) return true;
    return isAppChanged && [...files].some((file) => runsApp(root, file));
  });
}

function isRead(file: string, known: ReadonlySet<string>): boolean {
  return !known.has(file) &&
    !/\.md$|[._]test\.[jt]sx?$|(?:^|\/)\.|^policy\.txt$|^openapi\.json$/.test(file);
}

function runsApp(root: string, file: string): boolean {
  if (file === generatedFile) return true;
  return /\.[cm]?[jt]sx?$/.test(file) && /\btestApp\s*\(/.test(textOfFile(join(root, file)));
}
