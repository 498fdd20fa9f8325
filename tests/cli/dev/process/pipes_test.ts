import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { watchProject } from "../../../../cli/dev/watch.ts";
import { inProject } from "../../support.ts";
import { until } from "../project.ts";

for (const folder of ["", "app", "public/files"]) {
  Deno.test({
    name: `watchProject: a named pipe in "${folder}" stops neither the changes nor the end`,
    ignore: Deno.build.os === "windows",
    fn: () =>
      inProject({ "app/page.ts": "", "public/files/a.txt": "" }, async (root) => {
        const seen: string[] = [];
        const failures: unknown[] = [];
        const close = watchProject(
          root,
          ({ changes }) => seen.push(...changes.map(({ path }) => path)),
          (error) => failures.push(error),
        );
        try {
          const path = join(root, folder, "pipe");
          const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
          assert(success);
          const next = join(root, folder, "next.ts");
          await Deno.writeTextFile(next, "");
          await until(() => seen, (paths) => paths.some((each) => each.endsWith("next.ts")));
        } finally {
          await close();
        }
        assertEquals(failures, []);
      }),
  });
}
