import { islandsFolder } from "@fw/fw/conventions";
import type { CommandArgs } from "../args.ts";
import { regenerate } from "../gen/generate.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { writeFiles } from "../project/files/write_files.ts";
import { requireProject } from "../project/open.ts";
import { sampleText } from "./sample.ts";
import { UsageError } from "../stop.ts";

const islandName = /^[a-z][a-z0-9_-]{0,59}$/;

/**
 * Writes `islands/<name>.ts` and the generated file, which knows its props.
 *
 * @returns 0; 1 if the file exists or the app has problems; 2 for a wrong command line.
 */
export async function generateIsland(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const [name = ""] = args.positionals;
  if (!islandName.test(name)) throw new UsageError(messages.generateIslandName(name));
  const project = await requireProject(io);
  const file = `${islandsFolder}/${name}.ts`;
  const text = sampleText("plain/lib/counter_island.ts");
  await writeFiles(project, [{ file, text }], { force: args.has("force"), io });
  await regenerate(project);
  io.stdout(`${messages.generateIslandHint(`/${islandsFolder}/${name}.js`)}\n`);
  return exitCodes.ok;
}
