/**
 * The steps of a run: which processes of `deno` check and test the workspace.
 *
 * @module
 */
import { join } from "@std/path";
import type { TestFile, TestKind } from "./test_files.ts";
import { waitingTests } from "./slow_tests.ts";
import { writeExamples } from "./doc_examples.ts";
import { groupFiles, packageOf } from "./test_groups.ts";
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
  /** How many workers it counts for; 0 for a step that mostly waits. */
  readonly jobs: number;
}

/**
 * The root has no lockfile: `deno task` would install all of its packages before any task. What runs
 * npm packages names this one.
 */
export const lock = `--lock=${join(root, "tests/deno.lock")}`;

/** What is checked besides the tests. */
export const gates: readonly Step[] = [
  { title: "format", args: ["fmt", "--check"], isTest: false, jobs: 1 },
  { title: "lint", args: ["lint"], isTest: false, jobs: 1 },
  { title: "types", args: ["check", lock], isTest: false, jobs: 1 },
];

/** The types are one of {@linkcode gates}. */
const testArgs = ["test", "-A", "--no-check", lock];

/** The examples of doc comments. Their types are checked by a house rule. */
export const exampleStep: Step = {
  title: "examples of doc comments",
  args: ["test", "-A", "--no-check", "--no-lock"],
  write: writeExamples,
  isTest: true,
  jobs: 1,
};

/**
 * Makes the steps of files of tests: those that wait come first, then one for each kind, and of the files
 * that run alone one for each folder.
 *
 * @param options How many cores there are to use.
 */
export function testSteps(
  files: readonly TestFile[],
  options: { readonly cores: number },
): Step[] {
  const { wait = [], work = [] } = Object.groupBy(
    files,
    ({ path, kind }) =>
      (kind === "inside" || kind === "child") && waitingTests.includes(path) ? "wait" : "work",
  );
  const waiting = (title: string, kind: TestKind): Step[] => {
    const groups = pathsOf(kind, wait).map((path) => [path]);
    return stepOf(title, { kind, groups, workers: groups.length, jobs: 0 });
  };
  const working = (title: string, kind: TestKind, paths = pathsOf(kind, work)): Step[] => {
    const jobs = kind === "alone" || kind === "site" ? 1 : options.cores;
    // Some files inside wait for a moment, which one worker more makes up for.
    const workers = kind === "inside" ? jobs + 1 : jobs;
    return stepOf(title, { kind, groups: groupFiles(paths, kind), workers, jobs });
  };
  const alone = [...Map.groupBy(pathsOf("alone", work), packageOf)];
  return [
    ...waiting("tests with processes that wait", "child"),
    ...waiting("tests inside that wait", "inside"),
    ...working("tests with processes", "child"),
    ...working("tests in a browser", "browser"),
    ...working("tests of the example in a browser", "site"),
    ...working("tests inside", "inside"),
    ...alone.flatMap(([folder, paths]) => working(`tests alone in ${folder}`, "alone", paths)),
  ];
}

function pathsOf(kind: TestKind, files: readonly TestFile[]): string[] {
  return files.filter((file) => file.kind === kind).map(({ path }) => path);
}

/** The step of some groups; none without a group. */
function stepOf(
  title: string,
  options: {
    readonly kind: TestKind;
    readonly groups: readonly (readonly string[])[];
    readonly workers: number;
    readonly jobs: number;
  },
): Step[] {
  const { kind, groups, workers, jobs } = options;
  if (groups.length === 0) return [];
  const isSerial = kind === "alone" || kind === "site";
  return [{
    title,
    args: [...testArgs, `--preload=${guard}`, ...(isSerial ? [] : ["--parallel"])],
    groups,
    env: { TEST_KIND: kind, DENO_JOBS: String(workers) },
    isTest: true,
    jobs,
  }];
}

const guard = join(root, "tools/test_guard.ts");
