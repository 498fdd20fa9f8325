import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { denoOutput, inScratch, runCli, writeFiles } from "../../support.ts";

interface AgentProject {
  readonly cwd: string;
  agents(...flags: string[]): ReturnType<typeof runCli>;
  read(name?: string): Promise<string>;
}

async function inNewProject(work: (project: AgentProject) => Promise<void>): Promise<void> {
  await inScratch(async (folder) => {
    await runCli(["new", "shop"], { cwd: folder });
    const cwd = join(folder, "shop");
    await work({
      cwd,
      agents: (...flags) => runCli(["agents", ...flags], { cwd }),
      read: (name = "AGENTS.md") => Deno.readTextFile(join(cwd, name)),
    });
  });
}

Deno.test("agents writes both files, small and formatted, and changes nothing on the second run", () =>
  inNewProject(async ({ cwd, agents, read }) => {
    assertEquals(await agents(), {
      code: 0,
      stdout: "Wrote AGENTS.md.\nWrote CLAUDE.md.\nWrote .mcp.json.\n",
      stderr: "",
    });
    assert((await read()).length <= 12 * 1024);
    assertEquals(await read("CLAUDE.md"), "@AGENTS.md\n");
    assertEquals((await agents()).stdout.split("\n")[0], "AGENTS.md is up to date.");
    await denoOutput(["fmt", "--check"], cwd);
  }));

Deno.test("agents lists the tasks of the surrounding project", () =>
  inNewProject(async ({ agents, read }) => {
    await agents();
    const text = await read();
    assertStringIncludes(text, "# Working on shop");
    const { tasks } = JSON.parse(await read("deno.json"));
    for (const [name, { description }] of Object.entries<{ description: string }>(tasks)) {
      assertMatch(
        text,
        new RegExp(
          `\\| \`deno task ${name}\` +\\| ${
            description.replaceAll(/[.*+?^$(){}|[\]\\]/g, "\\$&")
          } +\\|`,
        ),
      );
    }
    for (const part of ["islands/", "public/", "Paths", "deno task check"]) {
      assertStringIncludes(text, part);
    }
    assert(!text.includes("{{"), text);
  }));

Deno.test("agents lists at most 30 tasks and truncates their texts", () =>
  inNewProject(async ({ cwd, agents, read }) => {
    const tasks = Array.from({ length: 40 }, (_, at) => [`task${at}`, "x".repeat(5_000)]);
    const manifest = { ...JSON.parse(await read("deno.json")), tasks: Object.fromEntries(tasks) };
    await writeFiles(cwd, { "deno.json": JSON.stringify(manifest) });
    await agents();
    const text = await read();
    assert(text.includes("task29") && !text.includes("task30"), text);
    assert(text.length < 12 * 1_024, `${text.length} characters`);
  }));

Deno.test("agents lets no name from the project start a new line", () =>
  inNewProject(async ({ cwd, agents, read }) => {
    const manifest = JSON.parse(await read("deno.json"));
    manifest.tasks["st\u001b[31mart|`\n## INJECTED"] = "x\n## INJECTED";
    await writeFiles(cwd, { "deno.json": JSON.stringify(manifest) });
    await agents();
    const text = await read();
    // deno-lint-ignore no-control-regex -- what must not be there
    assert(!/^\W*INJECTED|[\u001b\u202e]/m.test(text), text);
    assertMatch(
      text,
      /\| ``deno task st\\u001b\[31mart\\\|` ## INJECTED`` +\| `x ## INJECTED` +\|/,
    );
  }));

Deno.test("agents keeps edited files, and replaces them with --force or if only fw wrote them", () =>
  inNewProject(async ({ cwd, agents, read }) => {
    await agents();
    const before = await read();
    const manifest = JSON.parse(await read("deno.json"));
    manifest.tasks["more"] = "deno --version";
    await writeFiles(cwd, { "deno.json": JSON.stringify(manifest) });
    assertEquals((await agents()).stdout.split("\n")[0], "Updated AGENTS.md.");
    await Deno.writeTextFile(join(cwd, "AGENTS.md"), `${before}\nMy rule.\n`);
    await Deno.writeTextFile(join(cwd, "CLAUDE.md"), "mine\n");
    const kept = await agents();
    assertEquals(kept.code, 1);
    assertStringIncludes(kept.stderr, "deno task agents --force");
    assertStringIncludes(await read(), "My rule.");
    assertEquals((await agents("--force")).code, 0);
    assert(!(await read()).includes("My rule."));
    assertEquals(await read("CLAUDE.md"), "mine\n");
  }));

Deno.test("agents --lang pt writes the same facts in Portuguese and refuses other languages", () =>
  inNewProject(async ({ agents, read }) => {
    assertEquals((await agents("--lang", "pt")).code, 0);
    const text = await read();
    assertStringIncludes(text, "# Trabalhar em shop");
    assertMatch(text, /\| `deno task dev` +\|/);
    assert(!text.includes("{{"), text);
    const { code, stderr } = await agents("--lang", "fr");
    assertEquals(code, 2);
    assertStringIncludes(stderr, "--lang en or --lang pt");
  }));
