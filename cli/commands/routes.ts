import type { CommandArgs } from "../args.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { printJson, printProblems } from "../printer.ts";
import { openProject, requireProject } from "../project/project.ts";
import { describeRoute, routeList } from "../project/routes/routes.ts";

export async function routes(args: CommandArgs, io: Io): Promise<number> {
  const isJson = args.has("json");
  // With --json, a missing project is a problem in the output; otherwise it ends the command.
  const project = isJson ? openProject(io) : await requireProject(io);
  const { messages } = project;
  const { routes, problems } = await project.routes();
  const isOk = problems.length === 0;
  const entries = isOk ? routes.map(describeRoute) : [];
  if (isJson) printJson({ ok: isOk, problems, routes: entries }, io);
  else if (!isOk) printProblems(problems, io);
  else if (entries.length === 0) io.stdout(`${messages.routesNone}\n`);
  else io.stdout(routeList(entries, { messages, paint: paintFor(io).bold }));
  return isOk ? exitCodes.ok : exitCodes.failure;
}
