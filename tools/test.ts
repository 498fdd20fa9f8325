/**
 * Everything that must pass: format, lint, types, examples of doc comments and tests, side by side.
 *
 * `deno test` runs the tests. What it cannot do is here: processes of their own for what may not share one,
 * one worker for many files, the checks beside the tests, and the sum of all counts as the last line.
 */
import { join, relative, resolve } from "@std/path";
import { writeExamples } from "./doc_examples.ts";
import { groupFiles, kindOf, type TestKind, testKinds, writeGroups } from "./test_groups.ts";
import { listFiles, root } from "./workspace.ts";

const usage =
  `deno task test [paths]        everything, as deno task ok; with paths, their tests and types
deno task test:fast [paths]   the tests that start no process and no browser
deno task soak [paths]        the tests that take too long for each run
`;

/**
 * The root has no lockfile: `deno task` would install all of its packages before any task. What runs
 * npm packages names this one.
 */
const lock = `--lock=${join(root, "tests/deno.lock")}`;

/** One process of `deno`; its `jobs` are the workers that it keeps busy. Files of a group share a worker. */
export interface Step {
  readonly title: string;
  readonly args: readonly string[];
  readonly isTest: boolean;
  readonly jobs: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly groups?: readonly (readonly string[])[];
}

/** How a step ended; `failure` is the output that a reader of a failed run needs. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failure: string;
  readonly skips: readonly string[];
}

const cores = navigator.hardwareConcurrency;
/** More busy workers make each test slower; browsers also repaint until their test ends. */
const maxJobs = 2 * cores + 1;

const gates: readonly Step[] = [["fmt", "--check"], ["lint"], ["check", lock]].map((args) => ({
  title: `deno ${args[0]}`,
  args,
  isTest: false,
  jobs: 1,
}));

function testSteps(files: readonly string[], kinds: readonly TestKind[]): Step[] {
  return kinds.flatMap((kind): Step[] => {
    const groups = groupFiles(files.filter((path) => kindOf(path) === kind), kind);
    if (groups.length === 0) return [];
    const isSerial = /^(?:.*alone|soak)$/.test(kind);
    const preload = `--preload=${join(root, "tools/test_guard.ts")}`;
    const args = ["test", "-A", "--no-check", lock, preload];
    // Tests wait for a moment now and then, which one worker more makes up for; a browser is busy.
    const workers = kind === "browser" ? cores : cores + 1;
    return [{
      title: `tests: ${kind}`,
      args: isSerial ? args : [...args, "--parallel"],
      isTest: true,
      jobs: isSerial ? 1 : cores,
      env: { TEST_KIND: kind, DENO_JOBS: String(workers) },
      groups,
    }];
  });
}

/** The child processes that run, to end them when a signal ends the run. */
const children = new Set<Deno.ChildProcess>();

async function runStep(step: Step): Promise<Outcome> {
  const folder = await Deno.makeTempDir({ prefix: "fw_tests_" });
  try {
    const isExample = step.isTest && step.groups === undefined;
    const modules = isExample
      ? await writeExamples(folder)
      : await writeGroups(step.groups ?? [], folder);
    const { code, output } = await runDeno(step, modules, isExample ? folder : root);
    return readOutcome(step, code, output);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function runDeno(
  step: Step,
  modules: readonly string[],
  cwd: string,
): Promise<{ code: number; output: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...step.args, ...modules],
    cwd,
    env: { NO_COLOR: "1", RUST_BACKTRACE: "0", ...step.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    // A group of its own, which one signal ends as a whole.
    detached: Deno.build.os !== "windows",
  }).spawn();
  children.add(child);
  const startedMs = performance.now();
  let output = "";
  await Promise.all([child.stdout, child.stderr].map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) output += text;
  }));
  const { code } = await child.status;
  children.delete(child);
  // The module of a group tells a reader nothing.
  output = output.replace(/^\S*\/group_\d+_test\.ts => /gm, "");
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  // Printed when it ends, so that no two steps mix their output.
  console.log(
    `\n==> ${step.title}\n${output.trimEnd()}\n${code === 0 ? "ok" : "FAILED"}: ${seconds} s`,
  );
  return { code, output };
}

const summary =
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored)?/gm;

/** Reads the counts of a step. A run without its summary, or that failed without a failed test, counts as a failure. */
export function readOutcome({ title, isTest }: Step, code: number, output: string): Outcome {
  // The last line counts: a test may run `deno test` itself and print what it says.
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

/** Starts each step as soon as there is room for its workers; a smaller one may overtake a larger one. */
async function runAll(steps: readonly Step[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const left = new Set(steps);
  const running = new Map<Step, Promise<number>>();
  while (left.size + running.size > 0) {
    const jobs = running.keys().reduce((sum, step) => sum + step.jobs, 0);
    const next = left.values().find((step) => jobs === 0 || jobs + step.jobs <= maxJobs);
    if (next === undefined) {
      await Promise.race(running.values());
    } else {
      left.delete(next);
      const end = runStep(next).then((outcome) => outcomes.push(outcome));
      running.set(next, end.finally(() => running.delete(next)));
    }
  }
  return outcomes;
}

/** Ends the child processes, and what they started, with the run; after two seconds by force. */
async function endRun(): Promise<never> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    for (const { pid } of children) {
      try {
        Deno.kill(-pid, signal);
      } catch {
        // The group has ended.
      }
    }
    await new Promise((resolve) => setTimeout(resolve, 2000));
  }
  Deno.exit(130);
}

async function main(words: readonly string[]): Promise<number> {
  // `deno task test -- tests/ui` passes the dashes on.
  const args = words.filter((word) => word !== "--");
  const unknown = args.find((word) => word.startsWith("-") && !/^--(?:fast|soak)$/.test(word));
  if (unknown !== undefined) {
    console.log(usage);
    return /^(?:-h|--help)$/.test(unknown) ? 0 : 2;
  }
  const isFast = args.includes("--fast");
  const isSoak = args.includes("--soak");
  const paths = args.filter((word) => !/^--(?:fast|soak)$/.test(word))
    .map((path) => relative(root, resolve(path)).replaceAll("\\", "/"));
  const all = (await listFiles("", [".ts", ".tsx"]))
    .filter((path) =>
      /_test\.tsx?$/.test(path) && !/^(?:tests\/fixtures|cli\/samples)\//.test(path)
    );
  const isUnder = (path: string, part: string): boolean =>
    part === "" || path === part || path.startsWith(`${part}/`);
  const empty = paths.find((part) => !all.some((path) => isUnder(path, part)));
  if (empty !== undefined) {
    console.error(`Cannot test "${empty}": it has no file that ends in _test.ts or _test.tsx`);
    return 2;
  }
  const files = all.filter((path) =>
    paths.length === 0 || paths.some((part) => isUnder(path, part))
  );
  const kinds = isFast
    ? testKinds.filter((kind) => /^(?:inside|alone)$/.test(kind))
    : isSoak || paths.length > 0 && files.every((path) => kindOf(path) === "soak")
    ? ["soak" as const]
    : testKinds;
  const steps = testSteps(files, kinds);
  if (isSoak) {
    // The tests alone: their types are checked by each run.
  } else if (!isFast && paths.length > 0) {
    steps.push({ title: "deno check", args: ["check", lock, ...files], isTest: false, jobs: 1 });
  } else if (!isFast) {
    const args = ["test", "-A", "--no-check", "--no-lock"];
    steps.push(...gates, { title: "examples of doc comments", args, isTest: true, jobs: 1 });
  }
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, endRun);
  return report(await runAll(steps));
}

function report(outcomes: readonly Outcome[]): number {
  for (const reason of new Set(outcomes.flatMap(({ skips }) => skips))) {
    console.log(`skipped: ${reason}`);
  }
  for (const { failure } of outcomes) if (failure !== "") console.log(`\n${failure}`);
  let [passed, failed, skipped] = [0, 0, 0];
  for (const outcome of outcomes) {
    passed += outcome.passed;
    failed += outcome.failed;
    skipped += outcome.skipped;
  }
  console.log(`${passed} passed, ${failed} failed` + (skipped > 0 ? `, ${skipped} skipped` : ""));
  return failed === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
