import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { type Files, inProject, listTree, page, runCli } from "./support.ts";

/** A refused command line: its exit code, and its message in both languages. */
export type Refusal = [line: string | readonly string[], code: number, en: string, pt?: string];

/** Tests that each command line is refused in a project with these files and writes no source. */
export function testRefusals(
  command: string,
  rows: readonly Refusal[],
  files: Files = { "app/page.ts": page },
): void {
  Deno.test(`fw ${command || rows[0]?.[0]} is refused and writes nothing`, async (t) => {
    await inProject(files, async (cwd) => {
      const before = await readSources(cwd);
      for (const [line, code, en, pt = en] of rows) {
        const words = typeof line === "string" ? line.split(" ").filter(Boolean) : line;
        await t.step(`${command} ${words.join(" ")}`, async () => {
          for (const [env, text] of [[{}, en], [{ FW_LANG: "pt" }, pt]] as const) {
            const run = await runCli([...command.split(" ").filter(Boolean), ...words], {
              cwd,
              env,
            });
            assertEquals([run.code, run.stdout], [code, ""], run.stderr);
            assertStringIncludes(run.stderr, text);
          }
          assertEquals(await readSources(cwd), before);
        });
      }
    });
  });
}

async function readSources(cwd: string): Promise<Readonly<Record<string, string>>> {
  const paths = (await listTree(cwd)).filter((path) => path !== "fw_gen.ts");
  const texts = paths.map(async (path) => [path, await Deno.readTextFile(join(cwd, path))]);
  return Object.fromEntries(await Promise.all(texts));
}
