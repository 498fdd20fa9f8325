import { assert, assertEquals } from "@std/assert";
import { posix } from "node:path";
import type { ImportGraph } from "./layers.ts";
import { readGraph } from "./package_graph.ts";

/** Lists the files that run when an entry is imported. */
function loadedBy(graph: ImportGraph, entry: string): ReadonlySet<string> {
  const loaded = new Set([entry]);
  // Iterating a set also visits members added meanwhile.
  for (const path of loaded) {
    for (const { specifier, isType, isAsset } of graph.get(path) ?? []) {
      if (isType || isAsset || !specifier.startsWith(".")) continue;
      loaded.add(posix.join(posix.dirname(path), specifier));
    }
  }
  return loaded;
}

// Every command of the command line loads this entry for a few text functions.
const heavy: readonly [name: string, path: string][] = [
  ["the context of a request", "runtime/app/context.ts"],
  ["the error pages", "runtime/render/error_pages.ts"],
  ["pages", "runtime/render/page.ts"],
  ["forms", "runtime/body/form/form.ts"],
  ["uploads", "runtime/body/upload/upload.ts"],
  ["the CSRF check", "runtime/guard/csrf.ts"],
];

Deno.test("mail loads no job engine and no database", async () => {
  const loaded = loadedBy(await readGraph(), "mail/mod.ts");
  assert(loaded.has("jobs/runtime.ts"));
  const engines = /^(?:data\/|jobs\/(?:sqlite|pg_boss|bull|pulling)\.ts)/;
  assertEquals([...loaded].filter((path) => engines.test(path)), []);
});

for (const [name, path] of heavy) {
  Deno.test(`the entry for add-ons does not load ${name}`, async () => {
    const graph = await readGraph();
    assert(graph.has(path), `${path} does not exist`);
    assert(!loadedBy(graph, "runtime/addon.ts").has(path), `runtime/addon.ts loads ${path}`);
  });
}
