import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { type ChangeBatch, watchProject } from "../../../cli/dev/watch.ts";
import { type Files, inProject } from "../support.ts";
import { until } from "./project.ts";

const files: Files = { "app/page.ts": "", "public/style.css": "", "node_modules/a/mod.ts": "" };

/** The result of one read of a watcher: an event, or an error. */
type Reading = Deno.FsEvent | Error;

/** Watches a project whose `app/` yields these results and then nothing. */
async function watchFaked(
  readings: readonly Reading[],
  look: (seen: { readonly batches: ChangeBatch[]; readonly failures: unknown[] }) => Promise<void>,
): Promise<void> {
  const { watchFs } = Deno;
  await inProject(files, async (root) => {
    const left = [...readings];
    Deno.watchFs = (path, options) => {
      const watcher = watchFs(path, options);
      if (path !== join(root, "app")) return watcher;
      const next = watcher[Symbol.asyncIterator].bind(watcher);
      watcher[Symbol.asyncIterator] = async function* (): AsyncGenerator<Deno.FsEvent> {
        for (let reading = left.shift(); reading !== undefined; reading = left.shift()) {
          if (reading instanceof Error) throw reading;
          yield reading;
        }
        yield* { [Symbol.asyncIterator]: next };
      };
      return watcher;
    };
    const batches: ChangeBatch[] = [];
    const failures: unknown[] = [];
    const close = watchProject(root, (batch) => batches.push(batch), (error) => {
      failures.push(error);
    });
    try {
      await look({ batches, failures });
    } finally {
      await close();
      Deno.watchFs = watchFs;
    }
  });
}

const limit = new Error('OS file watch limit reached. about ["app/new"]');

Deno.test("watchProject reports a watch limit once and watches the rest", async () => {
  const saved: Deno.FsEvent = { kind: "modify", paths: [] };
  await watchFaked([limit, saved, limit, { kind: "other", paths: [] }], async (seen) => {
    await until(() => seen.batches.length, (count) => count > 0);
    assertEquals(seen.failures, [limit]);
  });
});

Deno.test("watchProject reports a limit that a folder reaches immediately", async () => {
  const { watchFs } = Deno;
  await inProject(files, (root) => {
    Deno.watchFs = (path, options) => {
      if (path === join(root, "app")) throw limit;
      return watchFs(path, options);
    };
    const failures: unknown[] = [];
    try {
      watchProject(root, () => {}, (error) => failures.push(error))();
    } finally {
      Deno.watchFs = watchFs;
    }
    assertEquals(failures, [limit]);
    return Promise.resolve();
  });
});

Deno.test("watchProject treats every file as changed if the system lost events", async () => {
  await watchFaked([{ kind: "other", paths: [], flag: "rescan" }], async ({ batches }) => {
    await until(() => batches.length, (count) => count > 0);
    const [first] = batches;
    const paths = first?.changes.map(({ path }) => path).sort();
    assertEquals(paths, ["app/page.ts", "deno.json", "public/style.css"]);
    assert(first !== undefined && first.sinceMs > 0);
  });
});
