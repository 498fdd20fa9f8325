/**
 * The steps of a run: which processes of `deno` check and test the workspace.
 *
 * @module
 */
import { join } from "@std/path";
import type { TestFile, TestKind } from "./test_files.ts";
import { waitingTests } from "./slow_tests.ts";
import { writeExamples } from "./doc_examples.ts";
import { groupFiles } from "./test_groups.ts";
import { root } from "./workspace.ts";

/** One process of `deno`. */
export interface Step {
  /** What is printed above its output. */
  readonly title: string;
  /** Arguments of `deno`, before the files of tests. */
  readonly args: readonly string[];
  /** The files of tests; those of a group share a worker. @default [] */
  readonly groups?: readonly (readonly string[])[];
  /**
   * Writes what it runs into an empty folder, which is then its working directory.
   *
   * @returns The modules of tests.
   */
  readonly write?: (folder: string) => Promise<string[]>;
  /** Variables of its environment. @default {} */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it runs tests, which are counted; else it counts when it fails. */
  readonly isTest: boolean;
  /** How many of its groups run at a time; none of one that mostly waits counts. */
  readonly jobs: number;
}

/** What is checked besides the tests. */
export const gates: readonly Step[] = [
  { title: "format", args: ["fmt", "--check"], isTest: false, jobs: 1 },
  { title: "lint", args: ["lint"], isTest: false, jobs: 1 },
  { title: "types", args: ["check"], isTest: false, jobs: 1 },
];

/** The types are one of {@linkcode gates}. */
const testArgs = ["test", "-A", "--no-check"];

/** The examples of doc comments. Their types are checked by a house rule. */
export const exampleStep: Step = {
  title: "examples of doc comments",
  args: [...testArgs, "--no-lock", "--parallel"],
  write: writeExamples,
  isTest: true,
  jobs: 1,
};

/**
 * Makes the steps of files of tests: one for each kind, of those that run alone one for each folder.
 * The longest come first.
 *
 * @param options How many cores there are to use.
 */
export function testSteps(
  files: readonly TestFile[],
  options: { readonly cores: number },
): Step[] {
  const stepOf = (title: string, kind: TestKind, paths: readonly string[]): Step[] => {
    const jobs = kind === "alone" || kind === "site" ? 1 : options.cores;
    return paths.length === 0 ? [] : [{
      title,
      args: [...testArgs, `--preload=${guard}`, ...(jobs > 1 ? ["--parallel"] : [])],
      groups: groupFiles(paths, kind),
      env: { TEST_KIND: kind, DENO_JOBS: String(kind === "inside" ? jobs + 1 : jobs) },
      isTest: true,
      jobs,
    }];
  };
  const { wait = [], work = [] } = Object.groupBy(
    files,
    ({ path }) => waitingTests.includes(path) ? "wait" : "work",
  );
  const pathsOf = (kind: TestKind, of = work): string[] =>
    of.filter((file) => file.kind === kind).map(({ path }) => path);
  const waitingOf = (title: string, kind: TestKind): Step[] =>
    stepOf(title, kind, pathsOf(kind, wait)).map((step) => {
      const groups = step.groups?.flat().map((path) => [path]) ?? [];
      const args = [...testArgs, `--preload=${guard}`, "--parallel"];
      return {
        ...step,
        args,
        groups,
        env: { ...step.env, DENO_JOBS: String(groups.length) },
        jobs: 0,
      };
    });
  const alone = [...Map.groupBy(pathsOf("alone"), folderOf)];
  return [
    ...waitingOf("tests with processes that wait", "child"),
    ...waitingOf("tests inside that wait", "inside"),
    ...stepOf("tests with processes", "child", pathsOf("child")),
    ...stepOf("tests in a browser", "browser", pathsOf("browser")),
    ...stepOf("tests of the example in a browser", "site", pathsOf("site")),
    ...stepOf("tests inside", "inside", pathsOf("inside")),
    ...alone.flatMap(([folder, paths]) => stepOf(`tests alone in ${folder}`, "alone", paths)),
  ];
}

const guard = join(root, "tools/test_guard.ts");

function folderOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}
