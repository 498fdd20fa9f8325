/**
 * Decides which test files share a process and a worker. Each worker loads the framework again,
 * which takes longer than most test files.
 */
import { join, toFileUrl } from "@std/path";
import { root } from "./workspace.ts";

/**
 * The abilities of a test file, by a folder in its path: `process` or `e2e` (starts processes),
 * `browser` (drives Chromium), `alone` (sets variables of the environment: one file after another),
 * `soak` (takes too long for each run: `deno task soak`).
 */
export type TestKind = "process" | "browser" | "browser alone" | "inside" | "alone" | "soak";

/** Maximum files per worker. A file that sets variables has its own worker. */
const maxFiles: Readonly<Record<TestKind, number>> = {
  process: 12,
  browser: 12,
  "browser alone": 8,
  inside: 48,
  alone: 1,
  soak: 1,
};

/** Files that take more than 20 seconds or wait long: each has its own worker and starts first. */
const slowTests: readonly string[] = [
  "tests/security/floods/slow_clients_test.ts",
  "tests/runtime/guard/deadlines_test.ts",
  "tests/ai/transport_test.ts",
  "tests/cli/mcp/process/mcp_test.ts",
  "tests/e2e/observe/prometheus_test.ts",
  "tests/cli/dev/process/process_test.ts",
  "tests/e2e/listen/linger_test.ts",
  "tests/e2e/listen/socket_handshake_test.ts",
  "tests/cli/commands/process/check_test.ts",
  "tests/cli/commands/process/new_app_test.ts",
  "tests/cli/dev/process/dev_test.ts",
  "tests/cli/export/process/export_test.ts",
  "tests/browser/gallery/looks_test.ts",
  "tests/browser/gallery/gallery_test.ts",
];

export function kindOf(path: string): TestKind {
  const folders = new Set(path.split("/").slice(0, -1));
  if (folders.has("soak")) return "soak";
  if (folders.has("browser")) return folders.has("alone") ? "browser alone" : "browser";
  if (folders.has("process") || folders.has("e2e")) return "process";
  return folders.has("alone") ? "alone" : "inside";
}

/** Groups files by package; all browser tests form one package, as each worker starts a browser. */
export function groupFiles(paths: readonly string[], kind: TestKind): string[][] {
  const isSlow = (path: string): boolean => slowTests.includes(path);
  const groups = slowTests.filter((path) => paths.includes(path)).map((path) => [path]);
  const packages = Map.groupBy(
    paths.filter((path) => !isSlow(path)),
    (path) => kind.startsWith("browser") ? "" : path.split("/").slice(0, 2).join("/"),
  );
  const others: string[][] = [];
  for (const files of packages.values()) {
    for (let start = 0; start < files.length; start += maxFiles[kind]) {
      others.push(files.slice(start, start + maxFiles[kind]));
    }
  }
  return [...groups, ...others.sort((one, other) => other.length - one.length)];
}

/** Writes a module for each group that imports its files. @returns The modules, in group order. */
export async function writeGroups(
  groups: readonly (readonly string[])[],
  folder: string,
): Promise<string[]> {
  return await Promise.all(groups.map(async (paths, index) => {
    const module = join(folder, `group_${index}_test.ts`);
    const imports = paths.map((path) => `import "${toFileUrl(join(root, path)).href}";\n`);
    await Deno.writeTextFile(module, imports.join(""));
    return module;
  }));
}
