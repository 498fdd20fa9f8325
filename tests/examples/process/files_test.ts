/** The generated files of the examples equal the current output of the commands. */
import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { describeApi } from "../../../cli/describe/openapi/describe.ts";
import { createProject } from "../../../cli/project/project.ts";
import { root } from "../../../tools/workspace.ts";
import { runCli } from "../../cli/support.ts";

for (const name of ["assistant", "events", "gallery"]) {
  const cwd = join(root, "examples", name);

  Deno.test(`examples/${name}: generated files and the kit's are up to date`, async () => {
    assertEquals((await runCli(["gen", "--check"], { cwd })).stderr, "");
    const { code, stdout, stderr } = await runCli(["ui"], { cwd });
    const others = stdout.trim().split("\n").filter((line) =>
      !/ is up to date\.$|ui\.theme\.css belongs to the application/.test(line)
    );
    assertEquals([code, stderr, others], [0, "", []]);
  });

  if (name === "assistant") continue;

  Deno.test(`examples/${name}: policy.txt and AGENTS.md match the project`, async () => {
    const policy = await runCli(["policy", "--check"], { cwd });
    assertEquals([policy.code, policy.stderr], [0, ""]);
    const { code, stdout } = await runCli(["agents"], { cwd });
    assertEquals([code, stdout.split("\n")[0]], [0, "AGENTS.md is up to date."]);
  });

  Deno.test(`examples/${name}: the map of the project is under 20 KB`, async () => {
    const { code, stdout } = await runCli(["ctx"], { cwd });
    assertEquals([code, stdout.length < 20_000], [0, true]);
  });

  Deno.test(`examples/${name}: openapi.json matches its code`, async () => {
    const { document, problems } = await describeApi(createProject(cwd));
    assertEquals(problems, []);
    const written = await Deno.readTextFile(join(cwd, "openapi.json"));
    assertEquals(`${JSON.stringify(document, null, 2)}\n`, written, 'run "deno task openapi"');
  });
}
