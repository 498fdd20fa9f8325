/**
 * `fw mcp`: the development server for coding agents, on standard input and output.
 */
import { acceptArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { createDevServer } from "../mcp/server.ts";
import { messagesIn, messagesOf } from "../messages/catalog.ts";
import { requireProject } from "../project/open.ts";
import { createProject } from "../project/project.ts";

/** Serves until standard input ends. */
export async function mcp(args: readonly string[], io: Io): Promise<number> {
  const messages = messagesOf(io);
  const help = messages.help.mcp;
  const outcome = acceptArgs(args, {}, { command: "mcp", help, messages, io });
  if (!outcome.ok) return outcome.code;
  const found = await requireProject(io);
  if (found === undefined) return exitCodes.failure;
  // Models read English, whatever the terminal speaks.
  const project = createProject(found.root, { env: io.env, messages: messagesIn("en") });
  await createDevServer(project).serveStdio();
  return exitCodes.ok;
}
