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
  /** Which steps it runs after; those of the other lanes run beside it. */
  readonly lane: Lane;
}

/**
 * Steps that run one after another: those of one worker, those that mostly wait, or those of many workers,
 * of which as many run at a time as there are cores.
 */
export type Lane = "one worker" | "waiting" | "many workers";

/** What is checked besides the tests. */
export const gates: readonly Step[] = [
  { title: "format", args: ["fmt", "--check"], isTest: false, lane: "one worker" },
  { title: "lint", args: ["lint"], isTest: false, lane: "one worker" },
  { title: "types", args: ["check"], isTest: false, lane: "one worker" },
];

/** The types are one of {@linkcode gates}. */
const testArgs = ["test", "-A", "--no-check"];

/** The examples of doc comments. Their types are checked by a house rule. */
export const exampleStep: Step = {
  title: "examples of doc comments",
  args: [...testArgs, "--no-lock", "--parallel"],
  write: writeExamples,
  isTest: true,
  lane: "many workers",
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
  const pathsOf = (kind: TestKind): string[] =>
    files.filter((file) => file.kind === kind).map(({ path }) => path);
  const stepOf = (title: string, kind: TestKind, paths: readonly string[]): Step[] =>
    paths.length === 0 ? [] : [{
      title,
      args: [
        ...testArgs,
        `--preload=${guard}`,
        ...(lanes[kind] === "one worker" ? [] : ["--parallel"]),
      ],
      groups: groupFiles(paths, kind),
      env: { TEST_KIND: kind, DENO_JOBS: String(options.cores + waiting[kind]) },
      isTest: true,
      lane: lanes[kind],
    }];
  const { wait = [], work = [] } = Object.groupBy(
    pathsOf("inside"),
    (path) => waitingTests.includes(path) ? "wait" : "work",
  );
  const alone = [...Map.groupBy(pathsOf("alone"), folderOf)];
  return [
    ...stepOf("tests with processes", "child", pathsOf("child")),
    ...stepOf("tests in a browser", "browser", pathsOf("browser")),
    ...stepOf("tests of the example in a browser", "site", pathsOf("site")),
    ...stepOf("tests that wait", "inside", wait).map((step): Step => ({
      ...step,
      groups: wait.map((path) => [path]),
      env: { ...step.env, DENO_JOBS: String(wait.length) },
      lane: "waiting",
    })),
    ...stepOf("tests inside", "inside", work),
    ...alone.flatMap(([folder, paths]) => stepOf(`tests alone in ${folder}`, "alone", paths)),
  ];
}

const lanes: Readonly<Record<TestKind, Lane>> = {
  inside: "many workers",
  alone: "one worker",
  child: "many workers",
  browser: "many workers",
  site: "one worker",
};

/** How many files beyond the cores run at a time: of some kinds most only wait. */
const waiting: Readonly<Record<TestKind, number>> = {
  inside: 2,
  alone: 0,
  child: 1,
  browser: 1,
  site: 0,
};

const guard = join(root, "tools/test_guard.ts");

function folderOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}
