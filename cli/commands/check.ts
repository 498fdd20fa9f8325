import type { CommandArgs } from "../args.ts";
import { type RanStep, runSteps } from "../check/run.ts";
import { stepNames } from "../check/steps.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { printJson, printProblems } from "../printer.ts";
import type { Problem } from "../problem.ts";
import { type Project, requireProject } from "../project/project.ts";
import { Stop } from "../stop.ts";

export async function check(args: CommandArgs, io: Io): Promise<number> {
  const project = await requireProject(io);
  const { messages } = project;
  const { has } = args;
  const pages = await Deno.makeTempDir({ prefix: "fw-check-" });
  try {
    const options = { fix: has("fix"), isOwn: true, signal: io.signal, pages };
    const { steps, problems } = await runAll(project, options, { isJson: has("json"), io });
    if (io.signal.aborted) throw new Stop(messages.stopped);
    const isOk = steps.every(({ ok }) => ok);
    const skipped = stepNames.slice(steps.length);
    if (has("json")) {
      const shown = steps.map(({ name, ok, durationMs }) => ({ name, ok, durationMs }));
      printJson({ ok: isOk, problems, steps: shown, skipped }, io);
    } else if (skipped.length > 0) {
      io.stderr(`${messages.check.stopped(skipped.join(", "))}\n`);
    }
    return isOk ? exitCodes.ok : exitCodes.failure;
  } finally {
    await Deno.remove(pages, { recursive: true });
  }
}

async function runAll(
  project: Project,
  options: Parameters<typeof runSteps>[1],
  { isJson, io }: { readonly isJson: boolean; readonly io: Io },
): Promise<{ readonly steps: readonly RanStep[]; readonly problems: readonly Problem[] }> {
  const steps: RanStep[] = [];
  for await (const step of runSteps(project, options)) {
    steps.push(step);
    if (!isJson) printStep(step, io);
  }
  // Informational findings appear only in `fw audit`.
  const problems = steps.flatMap(({ result }) => result.problems)
    .filter(({ severity }) => severity !== "info");
  return { steps, problems };
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
