import type { CommandArgs } from "../args.ts";
import { exitCodes, type Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { writeFiles } from "../project/files/write_files.ts";
import { requireProject } from "../project/open.ts";
import { sampleText } from "./sample.ts";

const files = [
  "serve.ts",
  "Dockerfile",
  "deploy/compose.yaml",
  "deploy/Caddyfile",
  "deploy/nginx.conf",
];

/**
 * Writes the entry point of `deno serve --parallel`, and what puts several processes behind Caddy or nginx.
 *
 * @returns 0; 1 if a file is in the way; 2 for a wrong command line.
 */
export async function generateServe(_: CommandArgs, io: Io): Promise<number> {
  const messages = messagesOf(io);
  const project = await requireProject(io);
  const texts = files.map((file) => ({ file, text: sampleText(`plain/${file}`) }));
  await writeFiles(project, texts, { io });
  io.stdout(`${messages.generateServeHint}\n`);
  return exitCodes.ok;
}
