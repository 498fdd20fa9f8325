import { generatedFile } from "@fw/fw/conventions";
import type { CommandArgs } from "../args.ts";
import { runGenerators } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { bundleIslands, printBundles } from "../islands/bundles.ts";
import { printJson, printProblems } from "../printer.ts";
import { hasErrors } from "../problem.ts";
import { openProject } from "../project/project.ts";

export async function gen(args: CommandArgs, io: Io): Promise<number> {
  const write = !args.has("check");
  const project = openProject(io);
  const result = await runGenerators(project, { write });
  const isGenerated = !hasErrors(result.problems);
  const bundles = isGenerated ? await bundleIslands(project, { write }) : undefined;
  const problems = [...result.problems, ...bundles?.problems ?? []];
  const isOk = !hasErrors(problems);
  if (args.has("json")) {
    printJson({
      ok: isOk,
      problems,
      file: generatedFile,
      changed: isGenerated && result.changed,
      routes: isGenerated ? result.routes.length : 0,
      bundles: { written: bundles?.written ?? [], removed: bundles?.removed ?? [] },
    }, io);
    return isOk ? exitCodes.ok : exitCodes.failure;
  }
  const { messages } = project;
  const { changed, routes } = result;
  if (isGenerated) {
    const { genWritten, files } = messages;
    const text = changed ? genWritten(generatedFile, routes.length) : files.fresh(generatedFile);
    io.stdout(`${text}\n`);
  }
  printProblems(result.problems, io);
  if (!isGenerated && write) io.stderr(`${messages.problemCount(result.problems.length)}\n`);
  if (bundles !== undefined) printBundles(bundles, io);
  return isOk ? exitCodes.ok : exitCodes.failure;
}
