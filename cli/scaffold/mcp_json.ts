import { isJsonObject } from "@fw/fw/addon";
import { join } from "@std/path";
import { textOfFile } from "../project/files/look.ts";
import { isThere, replaceFile } from "../project/files/write_inside.ts";
import { objectOf, parseJson } from "../project/json.ts";
import type { Project } from "../project/project.ts";
import { commandOf } from "../project/start_task.ts";
import { findOrigin } from "./project.ts";

export const mcpFile = ".mcp.json";

const entryName = "fw";

/** `kept` if the file has an entry of that name, or cannot be extended safely. */
export type McpJsonOutcome = "made" | "updated" | "kept";

/**
 * Writes the file, or adds the entry to it. An entry that is there is the user's, whatever it says, and so
 * is a file that is not a JSON object, or a link.
 */
export async function writeMcpJson(project: Project): Promise<McpJsonOutcome> {
  const path = join(project.root, mcpFile);
  const entry = await entryOf(project);
  if (!await isThere(path)) {
    await replaceFile(path, textOf({ mcpServers: { [entryName]: entry } }));
    return "made";
  }
  if (!(await Deno.lstat(path)).isFile) return "kept";
  const config = objectOf(parseJson(textOfFile(path)));
  const servers = config === undefined ? undefined : config["mcpServers"] ?? {};
  if (config === undefined || !isJsonObject(servers) || Object.hasOwn(servers, entryName)) {
    return "kept";
  }
  await replaceFile(path, textOf({ ...config, mcpServers: { ...servers, [entryName]: entry } }));
  return "updated";
}

/** The command: the project's task, else the command line from where it runs now. */
async function entryOf(project: Project): Promise<Record<string, unknown>> {
  const hasTask = commandOf(await project.manifest(), "mcp") !== undefined;
  const args = hasTask ? ["task", "--quiet", "mcp"] : ["run", "-A", findOrigin().cli, "mcp"];
  return { command: "deno", args };
}

function textOf(config: unknown): string {
  return `${JSON.stringify(config, null, 2)}\n`;
}
