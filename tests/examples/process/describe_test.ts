import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { root } from "../../../tools/workspace.ts";
import { runCli } from "../../cli/support.ts";

for (const name of ["events", "gallery"]) {
  const cwd = join(root, "examples", name);

  Deno.test(`examples/${name}: policy.txt is what the code says`, async () => {
    const { code, stderr } = await runCli(["policy", "--check"], { cwd });
    assertEquals([code, stderr], [0, ""]);
  });

  Deno.test(`examples/${name}: AGENTS.md is what the project says`, async () => {
    const { code, stdout } = await runCli(["agents"], { cwd });
    assertEquals([code, stdout.split("\n")[0]], [0, "AGENTS.md is up to date."]);
  });

  Deno.test(`examples/${name}: .mcp.json starts the command line of this repository`, async () => {
    const { mcpServers } = JSON.parse(await Deno.readTextFile(join(cwd, ".mcp.json")));
    assertEquals(mcpServers.fw.args, ["run", "-A", "../../cli/main.ts", "mcp"]);
  });

  Deno.test(`examples/${name}: the map of the project is under 20 KB`, async () => {
    const { code, stdout } = await runCli(["ctx"], { cwd });
    assertEquals([code, stdout.length < 20_000], [0, true]);
  });
}
