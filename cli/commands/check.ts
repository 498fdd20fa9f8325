import type { CommandArgs } from "../args.ts";
import { type RanStep, runSteps } from "../check/run.ts";
import { stepNames } from "../check/steps.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { printJson, printProblems } from "../printer.ts";
import { requireProject } from "../project/project.ts";
import { Stop } from "../stop.ts";

export async function check({ has }: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const { messages } = project;
  const { signal } = io;
  const isJson = has("json");
  const steps: RanStep[] = [];
  for await (const step of runSteps(project, { fix: has("fix"), isOwn: true, signal })) {
    steps.push(step);
    if (!isJson) printStep(step, io);
  }
  if (signal.aborted) throw new Stop(messages.stopped);
  const isOk = steps.every(({ ok }) => ok);
  const skipped = stepNames.slice(steps.length);
  if (isJson) {
    // Informational findings appear only in `fw audit`.
    const problems = steps.flatMap(({ result }) => result.problems)
      .filter(({ severity }) => severity !== "info");
    const shown = steps.map(({ name, ok, durationMs }) => ({ name, ok, durationMs }));
    printJson({ ok: isOk, problems, steps: shown, skipped }, io);
  } else if (skipped.length > 0) {
    io.stderr(`${messages.check.stopped(skipped.join(", "))}\n`);
  }
  return isOk ? exitCodes.ok : exitCodes.failure;
}

function printStep({ name, ok, durationMs, result }: RanStep, io: Io): void {
  const { green, red } = paintFor(io);
  const seconds = (durationMs / 1000).toFixed(1);
  const note = result.note === undefined ? "" : `, ${result.note}`;
  const mark = ok ? green("ok") : red("failed");
  io.stdout(`${name.padEnd(8)}  ${mark} (${seconds} s${note})\n`);
  const shown = result.problems.filter(({ severity }) => severity !== "info");
  printProblems(ok ? shown : shown.filter(({ severity }) => severity !== "warning"), io);
}
