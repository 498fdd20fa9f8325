/** Runs the steps of `fw check`, independent ones in parallel, and reports in order. */
import { hasErrors } from "../problem.ts";
import type { Project } from "../project/project.ts";
import type { StepOptions, StepResult } from "./tests.ts";
import { type StepName, stepNames, steps, updateBundles } from "./steps.ts";

export interface RanStep {
  readonly name: StepName;
  readonly ok: boolean;
  readonly durationMs: number;
  readonly result: StepResult;
}

/** Steps in child processes, longest first. */
const inProcesses: readonly StepName[] = ["types", "fmt", "lint"];

/** The short steps, whose failure ends the command early. */
const short: readonly StepName[] = ["gen", "fmt", "lint", "assets", "messages"];

/** Runs the steps and yields each result in order, up to the first failure or a stop. */
export async function* runSteps(
  project: Project,
  options: Omit<StepOptions, "pages" | "bundles">,
): AsyncGenerator<RanStep, void, undefined> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  // First: tests and assets need the bundles, and the formatter skips them once git ignores them.
  const bundles = options.fix ? undefined : await updateBundles(project, options);
  const running = new Map<StepName, Promise<RanStep>>();
  const pages = await Deno.makeTempDir({ prefix: "fw-check-" });
  const run = { ...options, signal, pages, ...bundles && { bundles } };
  const start = (name: StepName): Promise<RanStep> =>
    running.getOrInsertComputed(name, () => {
      const started = timed(name, () => steps[name](project, run));
      // The failure is reported in the order of the steps.
      started.catch(() => {});
      return started;
    });
  const startAfter = (names: readonly StepName[], ...next: readonly StepName[]): void => {
    Promise.all(names.map(start)).then((steps) => {
      if (!stop.signal.aborted && steps.every(({ ok }) => ok)) next.forEach(start);
    }, () => {});
  };
  try {
    // A step that fixes files changes the input of the next one. Problems caused by a stale
    // generated file are not reported, because the `gen` step fails first.
    if (!options.fix) {
      inProcesses.forEach(start);
      // Tests run code.
      startAfter(["types"], "test");
      startAfter(short, "openapi", "policy", "audit");
    }
    for (const name of stepNames) {
      const step = await start(name);
      // The processes of a stopped step end with other faults.
      if (options.signal.aborted) return;
      yield step;
      if (!step.ok) return;
    }
  } finally {
    stop.abort();
    await Promise.allSettled(running.values());
    await Deno.remove(pages, { recursive: true });
  }
}

async function timed(name: StepName, run: () => Promise<StepResult>): Promise<RanStep> {
  const startMs = performance.now();
  const result = await run();
  const durationMs = Math.round(performance.now() - startMs);
  return { name, ok: !hasErrors(result.problems), durationMs, result };
}
