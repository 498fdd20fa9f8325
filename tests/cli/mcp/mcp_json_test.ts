import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { createProject } from "../../../cli/project/project.ts";
import { type McpJsonOutcome, writeMcpJson } from "../../../cli/scaffold/mcp_json.ts";
import { type Files, inProject } from "../support.ts";

const task = { command: "deno", args: ["task", "--quiet", "mcp"] };
const withTask = JSON.stringify({ tasks: { mcp: "deno run -A x mcp" } });

const rows: readonly {
  readonly name: string;
  readonly files: Files;
  readonly outcome: McpJsonOutcome;
  /** What the file holds then; absent if it is as before. */
  readonly want?: unknown;
}[] = [
  {
    name: "a project without the file",
    files: { "deno.json": withTask },
    outcome: "made",
    want: { mcpServers: { fw: task } },
  },
  {
    name: "entries of the user stay",
    files: {
      "deno.json": withTask,
      ".mcp.json": JSON.stringify({ x: 1, mcpServers: { other: { command: "y" } } }),
    },
    outcome: "updated",
    want: { x: 1, mcpServers: { other: { command: "y" }, fw: task } },
  },
  {
    name: "an entry of that name is the user's",
    files: { ".mcp.json": JSON.stringify({ mcpServers: { fw: { command: "mine" } } }) },
    outcome: "kept",
  },
  { name: "no JSON", files: { ".mcp.json": "{ // mine" }, outcome: "kept" },
  { name: "no object", files: { ".mcp.json": "[]" }, outcome: "kept" },
  { name: "servers that are none", files: { ".mcp.json": '{"mcpServers":[]}' }, outcome: "kept" },
  { name: "a link", files: { "x.json": "{}", ".mcp.json": "-> x.json" }, outcome: "kept" },
];

for (const { name, files, outcome, want } of rows) {
  Deno.test(`.mcp.json: ${name}`, async () => {
    await inProject({ "app/page.ts": "", ...files }, async (root) => {
      const before = files[".mcp.json"];
      assertEquals(await writeMcpJson(createProject(root)), outcome);
      const text = await Deno.readTextFile(join(root, ".mcp.json"));
      if (want !== undefined) assertEquals(JSON.parse(text), want);
      else if (before?.startsWith("->") !== true) assertEquals(text, before);
      // A second run changes nothing.
      assertEquals(await writeMcpJson(createProject(root)), "kept");
      assertEquals(await Deno.readTextFile(join(root, ".mcp.json")), text);
    });
  });
}

Deno.test(".mcp.json: without a task it names the command line", async () => {
  await inProject({ "app/page.ts": "" }, async (root) => {
    await writeMcpJson(createProject(root));
    const { mcpServers: { fw } } = JSON.parse(await Deno.readTextFile(join(root, ".mcp.json")));
    assertEquals([fw.command, fw.args[0], fw.args.at(-1)], ["deno", "run", "mcp"]);
  });
});
