import { version } from "@fw/fw/conventions";
import { type McpServer, mcpServer } from "@fw/fw/mcp";
import type { Project } from "../project/project.ts";
import { devTools } from "./tools.ts";

const instructions =
  "This project uses fw, a convention-routed web framework for Deno. Read `project` first. After each change " +
  "call `check`, and `render` the pages that changed; look at `policy` when guards or limits change, and at " +
  "`log` when the development server fails.";

/** Creates the server. */
export function createDevServer(project: Project): McpServer {
  const current = (): Project => {
    project.refresh();
    return project;
  };
  return mcpServer({
    name: "fw",
    version,
    title: "fw development server",
    instructions,
    tools: devTools({ project: current }),
  });
}
