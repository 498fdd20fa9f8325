/** Runs the steps of `fw check`, independent ones in parallel, and reports in order. */
import { hasErrors } from "../problem.ts";
import type { Project } from "../project/project.ts";
import type { StepOptions, StepResult } from "./step.ts";
import { runStep, type StepName, stepNames, updateBundles } from "./steps.ts";

export interface RanStep {
  readonly name: StepName;
  readonly ok: boolean;
  readonly durationMs: number;
  readonly result: StepResult;
}

/** Runs the steps and yields each result in order, up to the first failure. */
export async function* runSteps(
  project: Project,
  options: StepOptions,
): AsyncGenerator<RanStep, void, undefined> {
  const stop = new AbortController();
  const signal = AbortSignal.any([options.signal, stop.signal]);
  // First: tests and assets need the bundles, and the formatter skips them once git ignores them.
  const bundles = options.fix ? undefined : await updateBundles(project, options);
  const running = new Map<StepName, Promise<RanStep>>();
  const start = (name: StepName): Promise<RanStep> => {
    const known = running.get(name);
    if (known !== undefined) return known;
    const started = timed(
      name,
      () => runStep(name, project, { ...options, signal, ...bundles && { bundles } }),
    );
    // Its failure is reported when its turn comes.
    started.catch(() => {});
    running.set(name, started);
    return started;
  };
  try {
    // A step that fixes files changes the input of the next one.
    if (!options.fix) startAside(start, stop.signal);
    for (const name of stepNames) {
      const step = await start(name);
      yield step;
      if (!step.ok) return;
    }
  } finally {
    stop.abort();
    await Promise.allSettled(running.values());
  }
}

/** Steps in child processes, longest first. Tests run code, so they wait for the type check. */
const inProcesses: readonly StepName[] = ["types", "fmt", "lint"];

/** The short steps, whose failure ends the command early. */
const short: readonly StepName[] = ["gen", "fmt", "lint", "assets", "messages"];

const long: readonly StepName[] = ["openapi", "policy", "audit"];

/**
 * Starts the independent steps. Problems caused by a stale generated file are not reported, because
 * the `gen` step fails first.
 */
function startAside(start: (name: StepName) => Promise<RanStep>, signal: AbortSignal): void {
  inProcesses.forEach(start);
  const test = ({ ok }: RanStep): void => void (ok && !signal.aborted && start("test"));
  start("types").then(test, () => {});
  const first = Promise.all(short.map(start));
  const startLong = (steps: readonly RanStep[]): void => {
    if (!signal.aborted && steps.every(({ ok }) => ok)) long.forEach(start);
  };
  // A step that throws is reported when its turn comes.
  first.then(startLong, () => {});
}

async function timed(name: StepName, run: () => Promise<StepResult>): Promise<RanStep> {
  const startMs = performance.now();
  const result = await run();
  const durationMs = Math.round(performance.now() - startMs);
  return { name, ok: !hasErrors(result.problems), durationMs, result };
}
