/**
 * Runs the steps of a run beside each other, and ends them all when a signal ends the run.
 *
 * @module
 */
import { join } from "@std/path";
import { endTrees } from "./process_tree.ts";
import {
  cutFailures,
  cutGroupPaths,
  parseDurations,
  parseFailedFiles,
  parseSkips,
  parseSummary,
  readReport,
  type TestCounts,
} from "./test_report.ts";
import { writeGroups } from "./test_groups.ts";
import type { Step } from "./test_steps.ts";
import { root } from "./workspace.ts";

/**
 * The maximum number of busy workers; steps that mostly wait are not counted. More workers make each test
 * slower. Browser pages, which repaint until their test ends, also use more processor time.
 */
const maxJobs = 2 * navigator.hardwareConcurrency + 1;

/** How a step ended. */
export interface Outcome {
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

/** Whether a signal has ended the run: no step starts any more, and no outcome counts. */
let isEnding = false;

/** The folders of the steps that run. */
const folders = new Set<string>();

/** The steps that run, to tell what they said so far when the run is ended from outside. */
const running = new Map<Step, { readonly child: Deno.ChildProcess; text: string }>();

/** Runs `deno` and prints its output when it has ended, so that no two steps mix theirs. */
async function runStep(
  step: Step,
  args: readonly string[],
  options: { readonly cwd?: string } = {},
): Promise<{ code: number; output: string }> {
  await waitWhileEnding();
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
  await waitWhileEnding();
  running.delete(step);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`\n==> ${step.title}\n${cutGroupPaths(state.text).trimEnd()}`);
  console.log(`${code === 0 ? "ok" : "FAILED"}: ${step.title} (${seconds} s)\n`);
  return { code, output: state.text };
}

/** Holds a step when the run ends: {@linkcode endEarly} prints it and exits. */
async function waitWhileEnding(): Promise<void> {
  if (isEnding) await new Promise<never>(() => {});
}

async function runGate(step: Step): Promise<Outcome> {
  const { code, output } = await runStep(step, step.args);
  const counts = { passed: 0, failed: code === 0 ? 0 : 1, skipped: 0 };
  return { counts, skips: [], durations: new Map(), failures: failuresOf(step, code, output) };
}

/** Runs a step of tests, and counts them. */
export async function runTests(step: Step): Promise<Outcome> {
  const { args, groups = [], write } = step;
  const folder = await Deno.makeTempDir({ prefix: "fw_tests_" });
  folders.add(folder);
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
    folders.delete(folder);
  }
}

/** A reader of the end of a log sees what failed, however long the rest is. */
function failuresOf({ title }: Step, code: number, output: string): string {
  return code === 0
    ? ""
    : `FAILED: ${title}\n${cutGroupPaths(cutFailures(output, { maxLines: 30 }))}\n`;
}

/** Starts each step as soon as there is room for its workers; a smaller one may overtake a larger one. */
export async function runAll(steps: readonly Step[]): Promise<Outcome[]> {
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

/** How long the processes of a run have between SIGTERM and SIGKILL. */
const graceMs = 2000;

/** Ends the run on SIGINT, SIGTERM and SIGHUP: first its processes and its folders, then itself. */
export function endOnSignals(): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    Deno.addSignalListener(signal, () => void endEarly(signal));
  }
}

async function endEarly(signal: Deno.Signal): Promise<void> {
  // `timeout` and `deno task` both pass the signal on, so that it comes twice.
  if (isEnding) return;
  isEnding = true;
  // What a step says from now on is about its end: a browser that is gone fails its tests.
  const steps = [...running].map(([{ title }, { child, text }]) => ({ title, child, text }));
  console.log(`${signal}: ending ${steps.length} steps`);
  await endTrees(steps.map(({ child }) => child.pid), { graceMs });
  for (const folder of folders) removeFolder(folder);
  for (const { title, text } of steps) {
    console.log(`\n==> ${title}, ended by ${signal}\n${cutGroupPaths(text).trimEnd()}`);
  }
  console.log(`\nended by ${signal}`);
  Deno.exit(1);
}

function removeFolder(folder: string): void {
  try {
    Deno.removeSync(folder, { recursive: true });
  } catch (error) {
    // A step that ended just before the signal removes its folder itself.
    if (!(error instanceof Deno.errors.NotFound)) console.log(`${error}`);
  }
}
