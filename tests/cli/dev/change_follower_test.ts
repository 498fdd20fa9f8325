// test: child, asks Deno for the imports of a project
import { assertEquals } from "@std/assert";
import { ChangeFollower } from "../../../cli/dev/change_follower.ts";
import { changeKindOf } from "../../../cli/dev/files.ts";
import { reloadEvents } from "../../../cli/dev/reload_events.ts";
import type { Runner, StartCause } from "../../../cli/dev/runner.ts";
import type { FileChange } from "../../../cli/dev/watch.ts";
import { createProject } from "../../../cli/project/project.ts";
import { inProject, page } from "../support.ts";
import { shuffled } from "./project.ts";

const paths = [
  "app/page.ts",
  "app/x/page.ts",
  "lib/used.ts",
  "islands/counter.ts",
  "islands/imported.ts",
  "islands/new.ts",
  "public/style.css",
  ...Array.from({ length: 20 }, (_, index) => `islands/more_${index}.ts`),
];

function changeOf(path: string): FileChange {
  const kind = changeKindOf(path);
  if (kind === undefined) throw new Error(`${path} is not watched`);
  return { path, kind, exists: true };
}

const isForeign = false;

/** What a runner was asked for by the changes of a burst. */
async function followed(root: string, burst: readonly string[]): Promise<string[]> {
  const asked: StartCause[] = [];
  const runner: Pick<Runner, "restart" | "bundle" | "state" | "isGeneratedFileForeign"> = {
    state: { kind: "starting" },
    restart: (cause) => void asked.push(cause),
    bundle: (cause) => void asked.push(cause),
    isGeneratedFileForeign: () => Promise.resolve(isForeign),
  };
  const follower = new ChangeFollower({
    project: createProject(root, { env: {} }),
    // Only these members are used.
    runner: runner as Runner,
    events: reloadEvents(),
    onApplied: () => {},
  });
  await follower.follow({ changes: burst.map(changeOf), sinceMs: 0 });
  return asked.flatMap(({ files }) => files);
}

for (const size of [2, 5, 20]) {
  Deno.test(`follow: of ${size} files saved together, every source and island counts`, async () => {
    await inProject({
      "app/page.ts": `import "../islands/imported.ts";\n${page}`,
      "islands/imported.ts": "export default () => {};\n",
    }, async (root) => {
      for (let round = 0; round < 100; round++) {
        const burst = shuffled(paths).slice(0, size);
        const want = burst.filter((path) => !path.startsWith("public/"));
        assertEquals((await followed(root, burst)).sort(), want.sort(), `${burst}`);
      }
    });
  });
}

Deno.test("follow: a saved template reloads the pages, and restarts only where a module imports it", async () => {
  const files = {
    "app/page.ts": `import text from "./a.gohtml" with { type: "text" };\nvoid text;\n${page}`,
    "app/a.gohtml": "a",
    "fw_gen.ts": 'import "./app/page.ts";\n',
    "views/b.gohtml": "b",
  };
  await inProject(files, async (root) => {
    const seen: string[] = [];
    const runner: Pick<Runner, "restart" | "state"> = {
      state: { kind: "serving" } as Runner["state"],
      restart: ({ files }) => void seen.push(`restart ${files}`),
    };
    const follower = new ChangeFollower({
      project: createProject(root, { env: {} }),
      // Only these members are used.
      runner: runner as Runner,
      events: { ...reloadEvents(), reload: () => void seen.push("reload") },
      onApplied: ({ files }) => void seen.push(`applied ${files}`),
    });
    for (const path of ["views/b.gohtml", "app/a.gohtml", "data/notes.txt"]) {
      await follower.follow({ changes: [changeOf(path)], sinceMs: 0 });
    }
    assertEquals(seen, ["reload", "applied views/b.gohtml", "restart app/a.gohtml"]);
  });
});
