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
