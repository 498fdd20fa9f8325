import { assertEquals } from "@std/assert";
import { checks } from "../../../../cli/audit/checks.ts";
import { type Files, git, inProject, page } from "../../support.ts";
import { factsOf, severityOf, testRows } from "../rows.ts";

testRows("env-file", checks["env-file"], [["outside of a repository", "ok", { ".env": "A=b\n" }]]);

const repositories: [name: string, files: Files, add: readonly string[], want: string][] = [
  ["no .env", {}, [], "ok"],
  ["a .env that git does not ignore", { ".env": "A=b\n" }, [], "warning"],
  ["a .env that is ignored", { ".env": "A=b\n", ".gitignore": "/.env\n" }, [], "ok"],
  ["a .env committed earlier", { ".env": "A=b\n", ".gitignore": ".env\n" }, [".env"], "warning"],
];

for (const [name, files, add, want] of repositories) {
  Deno.test(`audit: env-file: ${name}`, () =>
    inProject({ "app/page.ts": page, ...files }, async (root) => {
      await git(root, "init", "-q");
      if (add.length > 0) await git(root, "add", "-f", ...add);
      const verdict = await checks["env-file"](await factsOf(root));
      assertEquals(severityOf(verdict), want);
      assertEquals(verdict[0]?.places[0]?.file, want === "ok" ? undefined : ".env");
    }));
}
