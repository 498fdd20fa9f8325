/**
 * Everything that must pass: format, lint, types, house rules (documentation and API snapshot are
 * among them), examples and tests.
 *
 * `deno task test` runs all of it; `deno task test tests/runtime` only the tests named, with their
 * types; `deno task test:fast` only the tests that start no process. Every step runs even when another
 * failed, so that one run shows everything. A few files that failed run again, alone, and are named.
 * The last line sums what `deno test` counted; a step that is no test counts as one failure when it
 * fails, else as nothing.
 *
 * @module
 */
import { join, relative, resolve } from "@std/path";
import { listTestFiles } from "./test_files.ts";
import { writeGroups } from "./test_groups.ts";
import {
  countsText,
  cutFailures,
  parseDurations,
  parseFailedFiles,
  parseSkips,
  parseSummary,
  readReport,
  sumCounts,
  type TestCounts,
} from "./test_report.ts";
import { exampleStep, gates, type Step, testSteps } from "./test_steps.ts";
import { root } from "./workspace.ts";

const cores = navigator.hardwareConcurrency;

/**
 * The maximum number of busy workers; steps that mostly wait are not counted. More workers make each test
 * slower. Browser pages, which repaint until their test ends, also use more processor time.
 */
const maxJobs = 2 * cores + 1;

/** How a step ended. */
interface Outcome {
  readonly counts: TestCounts;
  /** Why tests were ignored. */
  readonly skips: readonly string[];
  /** How long each file of tests took, in seconds. */
  readonly durations: ReadonlyMap<string, number>;
  /** What failed, as text; empty when nothing did. */
  readonly failures: string;
  /** The files of tests in which something failed, and how they ran. */
  readonly failed?: { readonly step: Step; readonly files: readonly string[] };
}

/** What was asked for on the command line. */
interface Order {
  readonly isFast: boolean;
  /** Relative to the root; none stand for everything. */
  readonly paths: readonly string[];
}

function parseOrder(args: readonly string[]): Order {
  return {
    isFast: args.includes("--fast"),
    paths: args.filter((arg) => !arg.startsWith("--"))
      .map((path) => relative(root, resolve(path)).replaceAll("\\", "/")),
  };
}

async function listSteps({ isFast, paths }: Order): Promise<Step[]> {
  const files = await listTestFiles(paths);
  const chosen = isFast ? files.filter(({ kind }) => kind === "inside" || kind === "alone") : files;
  if (chosen.length === 0) throw new Error(`Cannot find a test in ${paths.join(" ")}`);
  const tests = testSteps(chosen, { cores });
  if (isFast) return tests;
  if (paths.length > 0) {
    const args = ["check", ...chosen.map(({ path }) => path)];
    return [{ title: "types", args, isTest: false, jobs: 1 }, ...tests];
  }
  return [...tests, ...gates, exampleStep];
}

/** The steps that run, to tell what they said so far when the run is ended from outside. */
const running = new Map<Step, { readonly child: Deno.ChildProcess; text: string }>();

/** Runs `deno` and prints its output when it has ended, so that no two steps mix theirs. */
async function runStep(
  step: Step,
  args: readonly string[],
  options: { readonly cwd?: string } = {},
): Promise<{ code: number; output: string }> {
  console.log(`... ${step.title}`);
  const startedMs = performance.now();
  const child = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: options.cwd ?? root,
    env: { NO_COLOR: "1", RUST_BACKTRACE: "0", ...step.env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const state = { child, text: "" };
  running.set(step, state);
  const streams = [child.stdout, child.stderr];
  await Promise.all(streams.map(async (stream) => {
    for await (const text of stream.pipeThrough(new TextDecoderStream())) state.text += text;
  }));
  const { code } = await child.status;
  running.delete(step);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`\n==> ${step.title}\n${state.text.trimEnd()}`);
  console.log(`${code === 0 ? "ok" : "FAILED"}: ${step.title} (${seconds} s)\n`);
  return { code, output: state.text };
}

async function runGate(step: Step): Promise<Outcome> {
  const { code, output } = await runStep(step, step.args);
  const counts = { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  return { counts, skips: [], durations: new Map(), failures: failuresOf(step, code, output) };
}

async function runTests(step: Step): Promise<Outcome> {
  const { args, groups = [], write } = step;
  const folder = await Deno.makeTempDir({ prefix: "fw_tests_" });
  try {
    const report = join(folder, "junit.xml");
    const modules = await (write?.(folder) ?? writeGroups(groups, folder));
    const { code, output } = await runStep(
      step,
      [...args, ...modules, `--junit-path=${report}`],
      write === undefined ? {} : { cwd: folder },
    );
    const junit = await readReport(report);
    const summary = parseSummary(output);
    const counts = summary ?? { passed: 0, failed: 0, skipped: 0 };
    const isUncounted = summary === undefined || (code !== 0 && counts.failed === 0);
    return {
      counts: isUncounted ? { ...counts, failed: 1 } : counts,
      skips: parseSkips(junit),
      durations: parseDurations(output),
      failures: failuresOf(step, isUncounted ? 1 : code, output),
      // A run that ended without its counts has tests that never ran: it is not run again in parts.
      ...(code !== 0 && !isUncounted && {
        failed: { step, files: parseFailedFiles(output, groups.flat()) },
      }),
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A reader of the end of a log sees what failed, however long the rest is. */
function failuresOf({ title }: Step, code: number, output: string): string {
  return code === 0 ? "" : `FAILED: ${title}\n${cutFailures(output, { maxLines: 30 })}\n`;
}

/** Starts each step as soon as there is room for its workers; a smaller one may overtake a larger one. */
async function runAll(steps: readonly Step[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const left = new Set(steps);
  const started = new Map<Step, Promise<void>>();
  const run = async (step: Step): Promise<void> => {
    outcomes.push(await (step.isTest ? runTests(step) : runGate(step)));
    started.delete(step);
  };
  while (left.size + started.size > 0) {
    const jobs = started.keys().reduce((sum, step) => sum + step.jobs, 0);
    const next = left.values().find((step) => jobs === 0 || jobs + step.jobs <= maxJobs);
    if (next === undefined) await Promise.race(started.values());
    else {
      left.delete(next);
      started.set(next, run(next));
    }
  }
  return outcomes;
}

/** How many files of a run may be run again: more than these did not fail by chance. */
const maxAgain = 3;

/**
 * Runs again, each alone, the few files in which something failed while everything else ran beside
 * them: what measures time, or waits for a browser, may fail on a machine that stalls. What fails twice
 * has failed; what passes alone is named at the end of the run, so that it is seen and made robust.
 */
async function runAgain(outcomes: readonly Outcome[]): Promise<Outcome[]> {
  const files = outcomes.flatMap(({ failed }) => failed?.files ?? []);
  if (files.length > maxAgain) return [...outcomes];
  const result: Outcome[] = [];
  for (const outcome of outcomes) result.push(await runOutcomeAgain(outcome));
  return result;
}

async function runOutcomeAgain(outcome: Outcome): Promise<Outcome> {
  const { step, files } = outcome.failed ?? { files: [] };
  if (step === undefined || files.length === 0) return outcome;
  const args = step.args.filter((arg) => arg !== "--parallel");
  for (const file of files) {
    const title = `${file} again, alone`;
    // With those of its worker: what one of them leaves behind fails the second time too.
    const group = step.groups?.find((paths) => paths.includes(file)) ?? [file];
    const { failed } = (await runTests({ ...step, title, args, groups: [group] })).counts;
    if (failed > 0) return outcome;
  }
  const { passed, failed, skipped } = outcome.counts;
  return {
    ...outcome,
    counts: { passed: passed + failed, failed: 0, skipped },
    failures: `PASSED ALONE, after it failed beside others: ${outcome.failures}`,
  };
}

/** The files of tests that took longest, as lines. */
function slowestText(outcomes: readonly Outcome[], count: number): string {
  return outcomes.flatMap(({ durations }) => [...durations])
    .sort(([, one], [, other]) => other - one).slice(0, count)
    .map(([path, seconds]) => `${seconds.toFixed(1).padStart(8)} s ${path}`).join("\n");
}

function endEarly(signal: "SIGINT" | "SIGTERM"): void {
  for (const [{ title }, { child, text }] of running) {
    console.log(`\n==> ${title}, ended by ${signal}\n${text}`);
    child.kill("SIGTERM");
  }
  Deno.exit(1);
}

if (import.meta.main) {
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => endEarly(signal));
  }
  const startedMs = performance.now();
  const outcomes = await runAgain(await runAll(await listSteps(parseOrder(Deno.args))));
  console.log(`The slowest files:\n${slowestText(outcomes, 10)}`);
  for (const reason of new Set(outcomes.flatMap(({ skips }) => skips))) {
    console.log(`skipped: ${reason}`);
  }
  for (const { failures } of outcomes) if (failures !== "") console.log(`\n${failures}`);
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  const counts = sumCounts(outcomes.map((outcome) => outcome.counts));
  console.log(countsText(counts));
  Deno.exit(counts.failed === 0 ? 0 : 1);
}
