/**
 * The files of tests: where they are, and what each kind of them may do.
 *
 * A file is `inside` unless its folder says otherwise, or the file itself, in a line of its own near the
 * top: `// test: child, runs "deno check"`. New folders are found without being named here.
 *
 * @module
 */
import { join } from "@std/path";
import { listFiles, root } from "./workspace.ts";

/**
 * What a file of tests may do.
 *
 * - `inside`: runs beside others in one process, and starts none.
 * - `alone`: the same, but one file after another: it writes what a process has once, such as a
 *   variable of the environment.
 * - `child`: starts processes.
 * - `browser`: drives Chromium.
 * - `site`: drives Chromium, one file after another: what it serves is set by variables.
 */
export type TestKind = "inside" | "alone" | "child" | "browser" | "site";

/** All kinds. */
export const testKinds: readonly TestKind[] = ["inside", "alone", "child", "browser", "site"];

/** Folders whose files are of another kind than `inside`. */
const folderKinds: Readonly<Record<string, TestKind>> = {
  "tests/browser/": "browser",
  "tests/e2e/": "child",
};

/** A file of tests. */
export interface TestFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  /** What it may do. */
  readonly kind: TestKind;
}

/** What a file says of its kind. */
export interface KindMark {
  /** The word after `test:`, which may be no kind at all. */
  readonly kind: string;
  /** Why, which is for readers. */
  readonly reason: string;
}

/** Whether a file is one of tests: its name ends in `_test.ts` or `_test.tsx`. */
export function isTestFile(path: string): boolean {
  return /_test\.tsx?$/.test(path);
}

/** Finds the line by which a file names its kind, `// test: child, runs "deno check"`. */
export function parseKindMark(source: string): KindMark | undefined {
  const [, kind, reason] = /^\/\/ test: *(\w+)(?:, *(.*))?$/m.exec(source) ?? [];
  return kind === undefined ? undefined : { kind, reason: reason ?? "" };
}

/** Returns the kind of the files in a folder that say nothing of it themselves. */
export function kindByFolder(path: string): TestKind {
  const folder = Object.keys(folderKinds).find((start) => path.startsWith(start));
  return folderKinds[folder ?? ""] ?? "inside";
}

/**
 * Returns the kind of a file.
 *
 * @throws {Error} when the file names no kind that there is.
 */
export function kindOf(path: string, source: string): TestKind {
  const mark = parseKindMark(source);
  if (mark === undefined) return kindByFolder(path);
  const kind = testKinds.find((each) => each === mark.kind);
  if (kind !== undefined) return kind;
  throw new Error(`Cannot run "${path}": write one of ${testKinds.join(", ")} after "// test:"`);
}

/** Whether a path is another one, or is in the folder of that name. Both are relative to the root. */
export function isUnder(path: string, part: string): boolean {
  return path === part || path.startsWith(`${part}/`);
}

/**
 * Lists the files of tests, sorted by path.
 *
 * @param under Folders or files, relative to the root with `/`; none stand for all files.
 */
export async function listTestFiles(under: readonly string[] = []): Promise<TestFile[]> {
  const isWanted = (path: string): boolean =>
    under.length === 0 || under.some((part) => isUnder(path, part));
  const paths = await listFiles("", [".ts", ".tsx"]);
  // Fixtures are input of tests: `deno.json` excludes them as well.
  const wanted = paths.filter((path) =>
    isTestFile(path) && isWanted(path) && !path.startsWith("tests/fixtures/")
  );
  return await Promise.all(wanted.map(async (path) => {
    return { path, kind: kindOf(path, await Deno.readTextFile(join(root, path))) };
  }));
}
