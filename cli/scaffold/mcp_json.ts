import { join } from "@std/path";
import { writeOnce } from "../project/files/owned_file.ts";
import type { Project } from "../project/project.ts";
import { commandOf } from "../project/start_task.ts";
import { findOrigin } from "./project.ts";

export const mcpFile = ".mcp.json";

/** Writes the file unless it exists: an existing one belongs to the user. */
export async function writeMcpJson(project: Project): Promise<"made" | "kept"> {
  // The project's task, or else the command line at its present location.
  const hasTask = commandOf(await project.manifest(), "mcp") !== undefined;
  const args = hasTask ? ["task", "--quiet", "mcp"] : ["run", "-A", findOrigin().cli, "mcp"];
  const config = { mcpServers: { fw: { command: "deno", args } } };
  return await writeOnce(join(project.root, mcpFile), `${JSON.stringify(config, null, 2)}\n`);
}
