import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { createProject } from "../../../cli/project/project.ts";
import { type McpJsonOutcome, writeMcpJson } from "../../../cli/scaffold/mcp_json.ts";
import { type Files, inProject } from "../support.ts";

const task = { command: "deno", args: ["task", "--quiet", "mcp"] };
const withTask = JSON.stringify({ tasks: { mcp: "deno run -A x mcp" } });

const rows: readonly (readonly [
  name: string,
  outcome: McpJsonOutcome,
  /** What the file holds then; `undefined` if it is as before. */
  want: unknown,
  files: Files,
])[] = [
  ["a project without the file", "made", { mcpServers: { fw: task } }, { "deno.json": withTask }],
  [
    "entries of the user stay",
    "updated",
    { x: 1, mcpServers: { other: { command: "y" }, fw: task } },
    {
      "deno.json": withTask,
      ".mcp.json": JSON.stringify({ x: 1, mcpServers: { other: { command: "y" } } }),
    },
  ],
  ["an entry of that name is the user's", "kept", undefined, {
    ".mcp.json": JSON.stringify({ mcpServers: { fw: { command: "mine" } } }),
  }],
  ["no JSON", "kept", undefined, { ".mcp.json": "{ // mine" }],
  ["no object", "kept", undefined, { ".mcp.json": "[]" }],
  ["servers that are none", "kept", undefined, { ".mcp.json": '{"mcpServers":[]}' }],
  ["a link", "kept", undefined, { "x.json": "{}", ".mcp.json": "-> x.json" }],
];

for (const [name, outcome, want, files] of rows) {
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
