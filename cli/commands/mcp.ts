import type { CommandArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { createDevServer } from "../mcp/server.ts";
import { messagesIn } from "../messages/catalog.ts";
import { createProject, requireProject } from "../project/project.ts";

export async function mcp(_: CommandArgs, io: Io): Promise<number> {
  const found = await requireProject(io);
  // English for the model, whatever the terminal's language is.
  const project = createProject(found.root, { env: io.env, messages: messagesIn("en") });
  await createDevServer(project).serveStdio();
  return exitCodes.ok;
}
