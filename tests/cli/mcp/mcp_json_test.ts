import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { createProject } from "../../../cli/project/project.ts";
import { writeMcpJson } from "../../../cli/scaffold/project.ts";
import { inProject } from "../support.ts";

const withTask = JSON.stringify({ tasks: { mcp: "deno run -A x mcp" } });

for (
  const [name, manifest, start, end] of [
    ["the task of the project", withTask, "task --quiet", "mcp"],
    ["the command line without a task", "{}", "run -A", "mcp"],
  ] as const
) {
  Deno.test(`.mcp.json names ${name} and is written once`, () =>
    inProject({ "app/page.ts": "", "deno.json": manifest }, async (root) => {
      const path = join(root, ".mcp.json");
      assertEquals(await writeMcpJson(createProject(root)), "made");
      const { mcpServers: { fw: { command, args } } } = JSON.parse(await Deno.readTextFile(path));
      assertEquals([command, args.slice(0, 2).join(" "), args.at(-1)], ["deno", start, end]);
      await Deno.writeTextFile(path, "mine");
      assertEquals(await writeMcpJson(createProject(root)), "kept");
      assertEquals(await Deno.readTextFile(path), "mine");
    }));
}
