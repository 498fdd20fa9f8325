import type { CommandArgs } from "../args.ts";
import { formatMap } from "../describe/ctx/markdown.ts";
import { readMap } from "../describe/ctx/map.ts";
import { exitCodes, type Io } from "../io.ts";
import { printJson } from "../printer.ts";
import { openProject, requireProject } from "../project/project.ts";
import { Stop } from "../stop.ts";

export async function ctx(args: CommandArgs, io: Io): Promise<number> {
  const isJson = args.has("json");
  // With --json, a missing project is a problem in the output; otherwise it ends the command.
  const project = isJson ? openProject(io) : await requireProject(io);
  const { messages } = project;
  const { problems } = await project.routes();
  if (problems.length > 0) throw new Stop(problems);
  const map = await readMap(project);
  if (isJson) printJson({ ok: true, problems, ...map }, io);
  else io.stdout(formatMap(map, messages.describe.ctx));
  return exitCodes.ok;
}
