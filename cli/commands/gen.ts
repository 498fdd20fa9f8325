/**
 * `fw gen`: writes the generated file and the bundles of islands.
 *
 * @module
 */
import { generatedFile } from "@fw/fw/conventions";
import { readArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { openProject, reportProblems } from "../gen/open.ts";
import { bundleIslands } from "../islands/report.ts";

/**
 * Writes the generated file and the bundles of islands, or with `--check` says whether they are out of
 * date.
 *
 * @param args The arguments after `gen`.
 * @param io The world that the command sees.
 * @returns 0; 1 when the app has problems, when its islands cannot be bundled or, with `--check`, when
 * something is out of date.
 */
export async function gen(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.gen;
  const outcome = readArgs(args, { booleans: ["check"] }, { command: "gen", help, messages, io });
  if (!outcome.ok) return outcome.code;
  const isCheck = outcome.args.has("check");
  const project = openProject(io, { write: !isCheck });
  const result = await project.generate();
  if (!result.ok) return reportProblems(result, io);
  if (isCheck) {
    const { checkTemplates } = await import("../gen/templates.ts");
    const problems = await checkTemplates(project.root, messages.problems);
    if (problems.length > 0) return reportProblems({ ok: false, problems }, io);
  }
  if (isCheck && result.changed) {
    io.stderr(`${messages.genStale(generatedFile)}\n`);
    return exitCodes.failure;
  }
  const text = result.changed
    ? messages.genWritten(generatedFile, result.routes.length)
    : messages.genFresh(generatedFile);
  io.stdout(`${text}\n`);
  return await bundleIslands(project.root, { io, write: !isCheck });
}
