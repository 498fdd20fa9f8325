import { assert, assertEquals } from "@std/assert";
import { isThere, readEntries, readManifest } from "../../../tools/workspace.ts";
import {
  findCircles,
  findLayerFaults,
  type ImportGraph,
  type LayerOptions,
  layers,
} from "./layers.ts";
import { graphOf, readGraph } from "./package_graph.ts";
import { posix } from "node:path";

async function readOptions(): Promise<LayerOptions> {
  const manifests = [await readManifest(""), await readManifest("cli")];
  return {
    entries: new Map((await readEntries()).map(({ specifier, path }) => [specifier, path])),
    mapped: new Set(manifests.flatMap(({ imports = {} }) => Object.keys(imports))),
  };
}

const options: LayerOptions = {
  entries: new Map([
    ["@fw/fw", "mod.ts"],
    ["@fw/fw/h", "html/mod.ts"],
    ["@fw/fw/testing", "runtime/testing/mod.ts"],
  ]),
  mapped: new Set(["@std/path"]),
};

Deno.test("layers: every import of the packages points downward", async () => {
  assertEquals(findLayerFaults(await readGraph(), await readOptions()), []);
});

Deno.test("layers: every layer of the list exists", async () => {
  for (const layer of layers) assert(await isThere(layer), layer);
});

Deno.test("layers: imports of the packages form no cycle", async () => {
  assertEquals(findCircles(await readGraph()), []);
});

const refused: [name: string, path: string, source: string][] = [
  ["html imports nothing", "html/a.ts", `import "../runtime/base/a.ts";`],
  ["base imports no request", "runtime/base/a.ts", `import "../request/a.ts";`],
  ["a type import counts", "runtime/base/a.ts", `import type { A } from "../app/a.ts";`],
  ["an import type counts", "runtime/base/a.ts", `type A = import("../app/a.ts").A;`],
  ["export from counts", "runtime/base/a.ts", `export * from "../app/a.ts";`],
  ["a dynamic import counts", "runtime/base/a.ts", `await import("../app/a.ts");`],
  ["a subfolder belongs to its layer", "runtime/body/form/a.ts", `import "../../request/a.ts";`],
  ["render imports no serve", "runtime/render/a.ts", `import "../serve/a.ts";`],
  ["an add-on imports no inner module", "cache/a.ts", `import "../runtime/base/log.ts";`],
  ["an add-on imports no other one", "ui/a.ts", `import "../cache/mod.ts";`],
  ["cli imports no relative path outside", "cli/args.ts", `import "../mod.ts";`],
  ["cli imports published entries only", "cli/args.ts", `import "@fw/fw/secret";`],
  ["a package does not import itself by name", "ui/a.ts", `import "@fw/fw";`],
  ["npm: is refused", "runtime/app/a.ts", `import "npm:x@1";`],
  ["an unmapped name is refused", "runtime/app/a.ts", `import "zod";`],
  ["another version of typescript", "cli/args.ts", `import ts from "npm:typescript@5.9.3";`],
  ["typescript stays in cli", "runtime/app/a.ts", `import ts from "npm:typescript@6.0.3";`],
  ["tests are not imported", "runtime/app/a.ts", `import "../../tests/a.ts";`],
  ["a file beside the layers", "runtime/a.ts", ""],
  ["project imports no gen", "cli/project/a.ts", `import "../gen/a.ts";`],
  ["a type import inside cli counts", "cli/export/a.ts", `import type { A } from "../dev/a.ts";`],
  ["a command imports no command", "cli/commands/build.ts", `import "./gen.ts";`],
  ["a file outside the layers of cli", "cli/other/a.ts", ""],
];

for (const [name, path, source] of refused) {
  Deno.test(`findLayerFaults: ${name}`, () => {
    assertEquals(findLayerFaults(graphOf({ [path]: source }), options).length, 1);
  });
}

const accepted: [name: string, path: string, source: string][] = [
  ["an add-on imports mod.ts", "cache/a.ts", `import "../mod.ts";`],
  ["an add-on imports a public module", "ai/a.ts", `import "../runtime/testing/mod.ts";`],
  ["cli imports entries by name", "cli/args.ts", `import "@fw/fw/h";import "./stop.ts";`],
  ["a command imports what it needs", "cli/commands/a.ts", `import "../gen/a.ts";`],
  ["main imports commands", "cli/main.ts", `await import("./commands/gen.ts");`],
  ["std and node", "runtime/base/a.ts", `import "@std/path/join";import "node:crypto";`],
  ["cli may use typescript", "cli/facts/a.ts", `import ts from "npm:typescript@6.0.3";`],
];

for (const [name, path, source] of accepted) {
  Deno.test(`findLayerFaults accepts: ${name}`, () => {
    assertEquals(findLayerFaults(graphOf({ [path]: source }), options), []);
  });
}

Deno.test("findCircles: accepts type imports between files of one folder", () => {
  const graph = graphOf({
    "html/b.ts": `import type { A } from "./a.ts";`,
    "html/a.ts": `import type { B } from "./b.ts";export type { C } from "./c.ts";`,
    "html/c.ts": `type A = import("./a.ts").A;`,
  });
  assertEquals(findCircles(graph), []);
});

const circles: [name: string, b: string, a: string][] = [
  ["single types of a module that runs", `import { type A } from "./a.ts";`, "./b.ts"],
  ["types of another folder", `import type { A } from "../ui/a.ts";`, "../html/b.ts"],
];

for (const [name, b, toB] of circles) {
  Deno.test(`findCircles: ${name}`, () => {
    const a = b.includes("../ui") ? "ui/a.ts" : "html/a.ts";
    const graph = graphOf({ "html/b.ts": b, [a]: `import type { B } from "${toB}";` });
    assertEquals(findCircles(graph).length, 1);
  });
}

Deno.test("findCircles: reports a cycle of two once, including a runtime import", () => {
  const graph = graphOf({
    "html/b.ts": `import type { A } from "./a.ts";`,
    "html/a.ts": `import "./b.ts";`,
    "html/c.ts": `import "./a.ts";`,
  });
  assertEquals(findCircles(graph), ["html/a.ts → html/b.ts → html/a.ts"]);
});

/** Lists the files that run when entries are imported. */
function loadedBy(graph: ImportGraph, ...entries: string[]): ReadonlySet<string> {
  const loaded = new Set(entries);
  // Iterating a set also visits members added meanwhile.
  for (const path of loaded) {
    for (const { specifier, isType, isAsset, isDynamic } of graph.get(path) ?? []) {
      if (isType || isAsset || isDynamic || !specifier.startsWith(".")) continue;
      loaded.add(posix.join(posix.dirname(path), specifier));
    }
  }
  return loaded;
}

Deno.test("a start loads at most 128 modules of the runtime", async () => {
  const { size } = loadedBy(await readGraph(), "mod.ts", "html/mod.ts");
  // The same start from one bundle takes two thirds of the processor time (`bench/start`).
  assert(size <= 128, `it loads ${size}: import one where it is used, or join two of one subject`);
});

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
