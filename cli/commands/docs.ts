import { escapeLines } from "@fw/fw/addon";
import type { CommandArgs } from "../args.ts";
import { readDocumentation } from "../describe/docs/read.ts";
import { searchDocs, sectionsOf } from "../describe/docs/search.ts";
import { exitCodes, type Io, paintFor } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { findProject } from "../project/manifest.ts";
import { Stop } from "../stop.ts";

export async function docs(args: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const { describe: { docs: texts } } = messages;
  const query = args.positionals.join(" ");
  const { guides, apiReference } = await readDocumentation(findProject(io.cwd));
  const results = searchDocs(sectionsOf(guides, apiReference), query);
  if (results.length === 0) throw new Stop(texts.nothing(query));
  const { bold, dim } = paintFor(io);
  io.stdout(
    results.map(({ title, place, excerpt }) => {
      const indented = escapeLines(excerpt).replaceAll(/^(?=.)/gm, "    ");
      return `${bold(escapeLines(title))}\n${dim(escapeLines(place))}\n${indented}\n`;
    }).join("\n"),
  );
  return exitCodes.ok;
}
