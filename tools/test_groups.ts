/**
 * Groups of files of tests that share one worker: a worker loads the framework anew, which costs more
 * than most files of tests do.
 *
 * A group is a module that imports its files one after another. Each test keeps the path of its file,
 * in front of its name.
 *
 * @module
 */
import { join, toFileUrl } from "@std/path";
import type { TestKind } from "./test_files.ts";
import { slowestFirst, slowTests } from "./slow_tests.ts";
import { root } from "./workspace.ts";

/**
 * How many files of a kind share a worker at most. Files of the kind `alone` write what a worker does not
 * have for itself, so that none may see another's.
 */
const maxFiles: Readonly<Record<TestKind, number>> = {
  inside: 48,
  alone: 1,
  child: 12,
  browser: 12,
  site: 8,
};

/**
 * Groups neighbouring files, those of one package at most. Files of the kind `browser` are grouped across
 * packages too, since each of their workers loads Playwright and starts a Chromium. Slow files stay by
 * themselves, so that they run beside each other, and come first; the largest groups follow.
 *
 * @param paths Relative to the root.
 */
export function groupFiles(paths: readonly string[], kind: TestKind): string[][] {
  const groups: string[][] = [];
  let subject = "";
  for (const path of slowestFirst(paths)) {
    const isSlow = kind !== "site" && slowTests.includes(path);
    const shared = kind === "browser" ? kind : packageOf(path);
    const own = isSlow ? path : shared;
    const group = groups.at(-1);
    if (group !== undefined && own === subject && group.length < maxFiles[kind]) group.push(path);
    else groups.push([path]);
    subject = own;
  }
  const slow = groups.filter(([path = ""]) => slowTests.includes(path));
  const others = groups.slice(slow.length);
  return [...slow, ...others.toSorted((one, other) => other.length - one.length)];
}

/** Returns the folder of tests of one package, such as `tests/runtime`. */
export function packageOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}

/**
 * Writes a module for each group, also for a group of one file, because `deno test` keeps the order of files
 * in one folder but sorts folders.
 *
 * @param folder Where the modules go.
 * @returns The modules, in the order of the groups.
 */
export async function writeGroups(
  groups: readonly (readonly string[])[],
  folder: string,
): Promise<string[]> {
  return await Promise.all(groups.map(async (group, index) => {
    const path = join(folder, `group_${index}_test.ts`);
    await Deno.writeTextFile(path, groupSource(group));
    return path;
  }));
}

function groupSource(paths: readonly string[]): string {
  const urlOf = (path: string): string => JSON.stringify(toFileUrl(join(root, path)).href);
  const loads = paths.map((path) =>
    `await loadTests(${JSON.stringify(path)}, () => import(${urlOf(path)}));\n`
  );
  return `import { loadTests } from ${urlOf("tools/test_loader.ts")};\n${loads.join("")}`;
}
