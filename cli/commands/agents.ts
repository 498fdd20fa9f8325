import type { CommandArgs } from "../args.ts";
import { writeAgentFiles } from "../describe/agents/agents.ts";
import { exitCodes, type Io } from "../io.ts";
import { requireProject } from "../project/project.ts";
import { mcpFile, writeMcpJson } from "../scaffold/project.ts";
import { UsageError } from "../stop.ts";

export async function agents(args: CommandArgs, io: Io): Promise<number> {
  const language = args.value("lang") ?? "en";
  if (language !== "en" && language !== "pt") {
    throw new UsageError(({ agents }) => agents.badLanguage(language));
  }
  const project = await requireProject(io);
  const { messages } = project;
  const force = args.has("force");
  const { agents, claude } = await writeAgentFiles(project, { language, force });
  if (agents === "edited") io.stderr(`${messages.agents.edited("AGENTS.md")}\n`);
  else io.stdout(`${messages.files[agents]("AGENTS.md")}\n`);
  io.stdout(`${messages.files[claude]("CLAUDE.md")}\n`);
  io.stdout(`${messages.files[await writeMcpJson(project)](mcpFile)}\n`);
  return agents === "edited" ? exitCodes.failure : exitCodes.ok;
}
