/**
 * Runs everything that must pass, in parallel: format, lint, types, examples and tests.
 *
 * Beyond `deno test`, it separates tests that may not share a process, runs many files per worker,
 * and prints the total counts in the last line.
 */
import { parseArgs } from "@std/cli";
import { join, relative, resolve } from "@std/path";
import { writeExamples } from "./code_blocks.ts";
import { groupFiles, kindOf, type TestKind, writeGroups } from "./test_groups.ts";
import { listFiles, root } from "./workspace.ts";

const usage =
  `deno task test [paths]        everything, as deno task ok; with paths, their tests and types
deno task test:fast [paths]   the tests that start no process and no browser
deno task soak [paths]        the tests that take too long for each run
`;

/** The lock file is not in the root, because `deno task` would install its packages. */
const lock = `--lock=${join(root, "tests/deno.lock")}`;

/** One process of `deno`. Files of a group share a worker. */
interface Step {
  readonly title: string;
  readonly args: readonly string[];
  readonly isTest: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly groups?: readonly (readonly string[])[];
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failure: string;
  readonly skips: readonly string[];
}

const cores = navigator.hardwareConcurrency;

const gates: readonly Step[] = [
  ...[["fmt", "--check"], ["lint"], ["check", lock]].map((args) => ({
    title: `deno ${args[0]}`,
    args,
    isTest: false,
  })),
  {
    title: "examples of doc comments",
    args: ["test", "-A", "--no-check", "--no-lock"],
    isTest: true,
  },
];

function testSteps(files: readonly string[], kinds: readonly TestKind[]): Step[] {
  return kinds.flatMap((kind): Step[] => {
    const groups = groupFiles(files.filter((path) => kindOf(path) === kind), kind);
    if (groups.length === 0) return [];
    const isSerial = /^(?:.*alone|soak)$/.test(kind);
    const preload = `--preload=${join(root, "tools/test_guard.ts")}`;
    const args = ["test", "-A", "--no-check", lock, preload];
    // More workers than cores, because tests wait at times; browsers keep the cores busy.
    const workers = cores + (kind === "browser" ? 0 : kind === "inside" ? 2 : 1);
    return [{
      title: `tests: ${kind}`,
      args: isSerial ? args : [...args, "--parallel"],
      isTest: true,
      env: { TEST_KIND: kind, DENO_JOBS: String(workers) },
      groups,
    }];
  });
}

async function runStep(step: Step): Promise<Outcome> {
  const folder = await Deno.makeTempDir({ prefix: "fw_tests_" });
  const isExample = step.isTest && step.groups === undefined;
  const modules = isExample
    ? await writeExamples(folder)
    : await writeGroups(step.groups ?? [], folder);
  const startedMs = performance.now();
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...step.args, ...modules],
    cwd: isExample ? folder : root,
    env: { NO_COLOR: "1", RUST_BACKTRACE: "0", ...step.env },
    stdin: "null",
  }).output();
  await Deno.remove(folder, { recursive: true });
  const output = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes)).join("\n")
    // The name of a group's module is of no use to readers.
    .replace(/^\S*\/group_\d+_test\.ts => /gm, "");
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  // Print at the end, so that steps do not mix their output.
  console.log(
    `\n==> ${step.title}\n${output.trimEnd()}\n${code === 0 ? "ok" : "FAILED"}: ${seconds} s`,
  );
  return readOutcome(step, code, output);
}

const summary =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/gm;

/** Reads the counts of a step; a run without a summary counts as a failure. */
function readOutcome({ title, isTest }: Step, code: number, output: string): Outcome {
  // Read the last summary: a test may run `deno test` itself and print its output.
  const [, passed = 0, failed = 0, skipped = 0] = [...output.matchAll(summary)].at(-1) ?? [];
  const isUncounted = code !== 0
    ? Number(failed) === 0
    : isTest && Number(passed) + Number(skipped) === 0;
  const cut = output.slice(Math.max(0, output.lastIndexOf("\n ERRORS")));
  return {
    passed: Number(passed),
    failed: isUncounted ? 1 : Number(failed),
    skipped: Number(skipped),
    failure: code === 0 && !isUncounted ? "" : `FAILED ${title}\n${cut.slice(-20_000)}`,
    skips: [...output.matchAll(/\(skipped: (.+)\) \.\.\. ignored/g)].map(([, reason = ""]) =>
      reason
    ),
  };
}

async function runLane(steps: readonly Step[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const step of steps) outcomes.push(await runStep(step));
  return outcomes;
}

async function main(words: readonly string[]): Promise<number> {
  // `deno task test -- tests/ui` passes "--" on.
  const { _: named, fast, soak, ...others } = parseArgs(words.filter((word) => word !== "--"), {
    boolean: ["fast", "soak"],
    string: ["_"],
  });
  if (Object.keys(others).length > 0) {
    console.log(usage);
    return "h" in others || "help" in others ? 0 : 2;
  }
  const paths = named.map((path) => relative(root, resolve(String(path))).replaceAll("\\", "/"));
  const all = (await listFiles("", [".ts", ".tsx"])).filter((path) =>
    /_test\.tsx?$/.test(path) && !/^(?:tests\/fixtures|cli\/samples)\//.test(path)
  );
  const isUnder = (path: string, part: string): boolean => `${path}/`.startsWith(`${part}/`);
  const empty = paths.find((part) => part !== "" && !all.some((path) => isUnder(path, part)));
  if (empty !== undefined) {
    console.error(`Cannot test "${empty}": it has no file that ends in _test.ts or _test.tsx`);
    return 2;
  }
  const isWhole = paths.every((part) => part === "");
  const files = all.filter((path) => isWhole || paths.some((part) => isUnder(path, part)));
  const isSoak = soak || files.every((path) => kindOf(path) === "soak");
  const runLanes = async (lanes: readonly (readonly Step[])[]): Promise<number> =>
    report((await Promise.all(lanes.map(runLane))).flat());
  if (isSoak) return await runLanes([testSteps(files, ["soak"])]);
  if (fast) return await runLanes([testSteps(files, ["inside"]), testSteps(files, ["alone"])]);
  const types = { title: "deno check", args: ["check", lock, ...files], isTest: false };
  // More lanes would slow each test down; browsers also repaint until their test ends.
  return await runLanes([
    testSteps(files, ["process"]),
    testSteps(files, ["browser", "browser alone", "inside", "alone"]),
    isWhole ? gates : [types],
  ]);
}

/** Skips that fail in CI, where `.ci/run` installs the engines. */
const neededSkips = /^no (?:postgresql|redis-server)$/;

function report(outcomes: readonly Outcome[]): number {
  const skips = [...new Set(outcomes.flatMap(({ skips }) => skips))];
  for (const reason of skips) console.log(`skipped: ${reason}`);
  for (const { failure } of outcomes) if (failure !== "") console.log(`\n${failure}`);
  const missing = Deno.env.has("CI") ? skips.filter((reason) => neededSkips.test(reason)) : [];
  for (const reason of missing) console.log(`FAILED: ${reason}, which CI installs`);
  const sum = (key: "passed" | "failed" | "skipped"): number =>
    outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const [failed, skipped] = [sum("failed") + missing.length, sum("skipped")];
  console.log(
    `${sum("passed")} passed, ${failed} failed` + (skipped > 0 ? `, ${skipped} skipped` : ""),
  );
  return failed === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
