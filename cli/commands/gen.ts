import { generatedFile } from "@fw/fw/conventions";
import type { CommandArgs } from "../args.ts";
import { type GenerateResult, runGenerators, staleProblem } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { bundleIslands, type BundleReport, printBundles } from "../islands/bundles.ts";
import { messagesOf } from "../messages/catalog.ts";
import { printJson, printProblems } from "../printer.ts";
import { hasErrors } from "../problem.ts";
import { openProject, type Project } from "../project/project.ts";

export async function gen(args: CommandArgs, io: Io): Promise<number> {
  const write = !args.has("check");
  const project = openProject(io);
  const result = refuseStale(await runGenerators(project, { write }), { project, write });
  const bundles = result.ok ? await bundleIslands(project, { write }) : undefined;
  const problems = result.ok ? [...result.warnings, ...bundles?.problems ?? []] : result.problems;
  const isOk = !hasErrors(problems);
  if (args.has("json")) {
    printJson({
      ok: isOk,
      problems,
      file: generatedFile,
      changed: result.ok && result.changed,
      routes: result.ok ? result.routes.length : 0,
      bundles: { written: bundles?.written ?? [], removed: bundles?.removed ?? [] },
    }, io);
  } else print(result, { bundles, write, io });
  return isOk ? exitCodes.ok : exitCodes.failure;
}

/** Reports a stale file as a problem if the command only checks. */
function refuseStale(
  result: GenerateResult,
  { project, write }: { readonly project: Project; readonly write: boolean },
): GenerateResult {
  if (write || !result.ok || !result.changed) return result;
  return { ok: false, problems: [staleProblem(project)] };
}

function print(
  result: GenerateResult,
  options: {
    readonly bundles: BundleReport | undefined;
    readonly write: boolean;
    readonly io: Io;
  },
): void {
  const { bundles, write, io } = options;
  const messages = messagesOf(io);
  if (!result.ok) {
    printProblems(result.problems, io);
    if (write) io.stderr(`${messages.problemCount(result.problems.length)}\n`);
    return;
  }
  const text = result.changed
    ? messages.genWritten(generatedFile, result.routes.length)
    : messages.files.fresh(generatedFile);
  io.stdout(`${text}\n`);
  printProblems(result.warnings, io);
  if (bundles !== undefined) printBundles(bundles, io);
}
