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
import { chooseFiles, type Order, parseOrder, usage } from "./test_order.ts";
import { countsText, sumCounts } from "./test_report.ts";
import { endOnSignals, type Outcome, runAll, runTests } from "./test_run.ts";
import { exampleStep, gates, lock, type Step, testSteps } from "./test_steps.ts";
import type { TestFile } from "./test_files.ts";

/** The steps of an order; without paths, the checks besides the tests are among them. */
function listSteps({ isFast, paths }: Order, files: readonly TestFile[]): Step[] {
  const tests = testSteps(files, { cores: navigator.hardwareConcurrency });
  if (isFast) return tests;
  if (paths.length > 0) {
    const args = ["check", lock, ...files.map(({ path }) => path)];
    return [{ title: "types", args, isTest: false, jobs: 1 }, ...tests];
  }
  return [...tests, ...gates, exampleStep];
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

/** Runs an order and prints what came of it. @returns The exit code. */
async function runOrder(order: Order): Promise<number> {
  const chosen = await chooseFiles(order);
  if (chosen.kind === "refused") return refuse(chosen.message);
  endOnSignals();
  const startedMs = performance.now();
  const outcomes = await runAgain(await runAll(listSteps(order, chosen.files)));
  console.log(`The slowest files:\n${slowestText(outcomes, 10)}`);
  for (const reason of new Set(outcomes.flatMap(({ skips }) => skips))) {
    console.log(`skipped: ${reason}`);
  }
  for (const { failures } of outcomes) if (failures !== "") console.log(`\n${failures}`);
  console.log(`${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
  const counts = sumCounts(outcomes.map((outcome) => outcome.counts));
  console.log(countsText(counts));
  return counts.failed === 0 ? 0 : 1;
}

/** Says why nothing runs. @returns The exit code of a wrong command line. */
function refuse(message: string): number {
  console.error(message);
  return 2;
}

async function main(args: readonly string[]): Promise<number> {
  const parsed = parseOrder(args);
  if (parsed.kind === "run") return await runOrder(parsed.order);
  if (parsed.kind === "refused") return refuse(parsed.message);
  console.log(usage.trimEnd());
  return 0;
}

if (import.meta.main) Deno.exit(await main(Deno.args));
