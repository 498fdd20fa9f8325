/**
 * `fw check`: everything that must hold before a commit.
 *
 * @module
 */
import { readArgs } from "../args.ts";
import type { StepResult } from "../check/step.ts";
import { runStep, type StepName, stepNames } from "../check/steps.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { printJson, printProblems } from "../printer.ts";
import { hasErrors } from "../problem.ts";
import { requireProject } from "../project/open.ts";

/** A step that ran. */
interface RanStep {
  readonly name: StepName;
  readonly ok: boolean;
  readonly durationMs: number;
}

/**
 * Checks the generated file and the templates, format, lint, types, tests and what the audit finds, in
 * this order, and stops at the first step that fails. With `--fix` it writes the generated file, formats
 * and corrects what the linter can. With `--json` it prints `{ ok, problems, steps: { name, ok,
 * durationMs }[], skipped: name[] }`.
 *
 * @param args The arguments after `check`.
 * @param io The environment of the command.
 * @returns 0; 1 if a step fails; 2 for a wrong command line.
 */
export async function check(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.check;
  const spec = { booleans: ["fix", "json"] };
  const outcome = readArgs(args, spec, { command: "check", help, messages, io });
  if (!outcome.ok) return outcome.code;
  const project = await requireProject(io);
  if (project === undefined) return exitCodes.failure;
  const isJson = outcome.args.has("json");
  const steps: RanStep[] = [];
  const problems: StepResult["problems"][number][] = [];
  for (const name of stepNames) {
    const startMs = performance.now();
    const options = { fix: outcome.args.has("fix"), signal: io.signal };
    const result = await runStep(name, project, options);
    const ok = !hasErrors(result.problems);
    const durationMs = Math.round(performance.now() - startMs);
    steps.push({ name, ok, durationMs });
    // Notes of the audit are for people who ask for it.
    problems.push(...result.problems.filter(({ severity }) => severity !== "info"));
    if (!isJson) printStep(result, { name, ok, durationMs }, io);
    if (!ok) break;
  }
  const isOk = steps.every(({ ok }) => ok);
  const skipped = stepNames.slice(steps.length);
  if (isJson) printJson({ ok: isOk, problems, steps, skipped }, io);
  else if (skipped.length > 0) io.stderr(`${messages.check.stopped(skipped.join(", "))}\n`);
  return isOk ? exitCodes.ok : exitCodes.failure;
}

function printStep(result: StepResult, step: RanStep, io: Io): void {
  const { green, red } = paintFor(io);
  const seconds = (step.durationMs / 1000).toFixed(1);
  const note = result.note === undefined ? "" : `, ${result.note}`;
  const mark = step.ok ? green("ok") : red("failed");
  io.stdout(`${step.name.padEnd(5)}  ${mark} (${seconds} s${note})\n`);
  const shown = result.problems.filter(({ severity }) => severity !== "info");
  printProblems(step.ok ? shown : shown.filter(({ severity }) => severity !== "warning"), io);
}
