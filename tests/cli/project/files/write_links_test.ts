import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { type Files, inProject, page, runCli } from "../../support.ts";

/** Targets of a link, beside the project. */
const victims: Files = { "../victim.txt": "theirs", "../victims/a.txt": "theirs" };

async function filesIn(folder: string): Promise<string[]> {
  const names = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  return names.sort();
}

/** Checks that the files beside the project are unchanged. */
async function assertUntouched(root: string): Promise<void> {
  const outside = join(root, "..");
  assertEquals(await filesIn(outside), ["project", "victim.txt", "victims"]);
  assertEquals(await filesIn(join(outside, "victims")), ["a.txt"]);
  assertEquals(await Deno.readTextFile(join(outside, "victim.txt")), "theirs");
}

const replaced: readonly [command: string[], file: string, link: string][] = [
  [["ui"], "public/ui.js", "../../nowhere.js"],
  [["ui"], "public/ui.css", "../../nowhere.css"],
  [["ui", "--force"], "public/ui.js", "../../victim.txt"],
  [["gen"], "fw_gen.ts", "../nowhere.ts"],
  [["gen"], "fw_gen.ts", "../victim.txt"],
];
for (const [command, file, link] of replaced) {
  Deno.test(`${command.join(" ")}: replaces the link ${file} to ${link} instead of following it`, () =>
    inProject({ ...victims, "app/page.ts": page, [file]: `-> ${link}` }, async (root) => {
      assertEquals((await runCli(command, { cwd: root })).code, 0);
      assert((await Deno.lstat(join(root, file))).isFile);
      await assertUntouched(root);
    }));
}

const refused: readonly [command: string, link: string, files: Files, says: string][] = [
  ["ui", "public", {}, "public: it is a link out"],
  ["gen", "public", { "islands/a.ts": "export default () => {};\n" }, "E_OUTSIDE_LINK"],
  ["gen", "public/islands", { "islands/a.ts": "export default () => {};\n" }, "E_OUTSIDE_LINK"],
];
for (const [command, link, files, says] of refused) {
  for (const target of ["victims", "nowhere"]) {
    Deno.test(`${command}: refuses the folder ${link}, a link to ${target} outside the project`, () => {
      const to = `${"../".repeat(link.split("/").length)}${target}`;
      const all = { ...victims, "app/page.ts": page, ...files, [link]: `-> ${to}` };
      return inProject(all, async (root) => {
        const { code, stderr } = await runCli([command], { cwd: root });
        assertEquals(code, 1);
        assertStringIncludes(stderr, says);
        await assertUntouched(root);
      });
    });
  }
}

Deno.test("migrate: refuses to write its schema through a link", () => {
  const files = {
    "../victims/0001_a.sql": "create table a (x text);",
    migrations: "-> ../victims",
  };
  return inProject({ "app/page.ts": page, ...files }, async (root) => {
    const { code, stderr } = await runCli(["migrate"], { cwd: root });
    assertEquals([code, await filesIn(join(root, "../victims"))], [1, ["0001_a.sql"]]);
    assertStringIncludes(stderr, "Cannot write migrations/schema.sql: a link in its path");
  });
});
