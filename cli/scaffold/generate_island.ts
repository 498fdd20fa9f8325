import { islandsFolder } from "@fw/fw/conventions";
import type { CommandArgs } from "../args.ts";
import { runGenerators } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { printProblems } from "../printer.ts";
import { writeOver } from "../project/files/write_over.ts";
import { requireProject } from "../project/open.ts";
import { misfitOf } from "./flags.ts";
import { sampleText } from "./sample.ts";

const islandName = /^[a-z][a-z0-9_-]{0,59}$/;

/**
 * Writes `islands/<name>.ts` and the generated file, which knows its props.
 *
 * @returns 0; 1 if the file exists or the app has problems; 2 for a wrong command line.
 */
export async function generateIsland(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const [, name, extra] = args.positionals;
  const misfit = misfitOf("island", args);
  const refusal = misfit !== undefined
    ? messages.generateFlagMisfit(misfit, "island")
    : extra !== undefined
    ? messages.extraArgument(extra)
    : name === undefined
    ? messages.missingArgument("generate island", messages.generateIslandArgument)
    : islandName.test(name)
    ? undefined
    : messages.generateIslandName(name);
  if (refusal !== undefined || name === undefined) {
    io.stderr(`${refusal}\n${messages.seeHelp("fw generate island --help")}\n`);
    return exitCodes.usage;
  }
  const project = await requireProject(io);
  if (project === undefined) return exitCodes.failure;
  const file = `${islandsFolder}/${name}.ts`;
  const written = await writeOver(project.root, {
    file,
    text: sampleText("plain/lib/counter_island.ts"),
    force: args.has("force"),
  });
  if (typeof written === "string") {
    io.stderr(`${messages.generateRefused[written](file)}\n`);
    return exitCodes.failure;
  }
  io.stdout(`${messages.generateMade(file)}\n`);
  project.refresh([file]);
  const result = await runGenerators(project);
  if (!result.ok) {
    printProblems(result.problems, io);
    return exitCodes.failure;
  }
  io.stdout(`${messages.generateIslandHint(`/${islandsFolder}/${name}.js`)}\n`);
  return exitCodes.ok;
}
