/**
 * The steps of a run: which processes of `deno` check and test the workspace.
 *
 * @module
 */
import { join } from "@std/path";
import type { TestFile, TestKind } from "./test_files.ts";
import { slowestFirst } from "./slow_tests.ts";
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
}

/** What is checked besides the tests. */
export const gates: readonly Step[] = [
  { title: "format", args: ["fmt", "--check"], isTest: false },
  { title: "lint", args: ["lint"], isTest: false },
  { title: "types", args: ["check"], isTest: false },
];

/** The types are one of {@linkcode gates}. */
const testArgs = ["test", "-A", "--no-check"];

/** The examples of doc comments. Their types are checked by a house rule. */
export const exampleStep: Step = {
  title: "examples of doc comments",
  args: [...testArgs, "--no-lock", "--parallel"],
  write: writeExamples,
  isTest: true,
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
  const stepsOf = (kind: TestKind, title: string): Step[] => {
    const paths = files.filter((file) => file.kind === kind).map(({ path }) => path);
    const groups = kind === "alone" ? Map.groupBy(paths, folderOf) : new Map([["", paths]]);
    return [...groups].filter(([, group]) => group.length > 0).map(([folder, group]) => ({
      title: `${title}${folder}`,
      args: [
        ...testArgs,
        `--preload=${guard}`,
        ...(kind === "alone" || kind === "site" ? [] : ["--parallel"]),
      ],
      groups: groupFiles(slowestFirst(group), kind),
      env: { TEST_KIND: kind, DENO_JOBS: String(options.cores + waiting[kind]) },
      isTest: true,
    }));
  };
  return [
    ...stepsOf("child", "tests with processes"),
    ...stepsOf("browser", "tests in a browser"),
    ...stepsOf("site", "tests of the example in a browser"),
    ...stepsOf("inside", "tests inside"),
    ...stepsOf("alone", "tests alone in "),
  ];
}

/** How many files beyond the cores run at a time: of some kinds most only wait. */
const waiting: Readonly<Record<TestKind, number>> = {
  inside: 4,
  alone: 0,
  child: 1,
  browser: 1,
  site: 0,
};

const guard = join(root, "tools/test_guard.ts");

function folderOf(path: string): string {
  return path.split("/").slice(0, 2).join("/");
}
