import { assertEquals } from "@std/assert";
import { version as conventionsVersion } from "../../../runtime/base/conventions.ts";
import { readManifest } from "../../../tools/workspace.ts";
import { graphOf, readGraph } from "../layers/package_graph.ts";
import { findUnpublished, isPublished } from "./publishing.ts";

for (const folder of ["", "cli"]) {
  const name = folder === "" ? "@fw/fw" : "@fw/cli";

  Deno.test(`publishing: ${name} includes everything it imports`, async () => {
    const { publish } = await readManifest(folder);
    const graph = new Map(
      [...await readGraph()].filter(([path]) => path.startsWith("cli/") === (folder === "cli")),
    );
    assertEquals(findUnpublished(graph, { publish, folder }), []);
  });
}

Deno.test("publishing: @fw/fw includes the folder of every entry", async () => {
  const { publish, exports } = await readManifest("");
  const paths = Object.values(exports).map((path: string) => path.replace(/^\.\//, ""));
  assertEquals(paths.filter((path) => !isPublished(path, publish)), []);
});

Deno.test("publishing: @fw/fw includes no test, bench, example or helper", async () => {
  const { publish } = await readManifest("");
  const inner = ["tests/a.ts", "bench/a.ts", "examples/a/b.ts", "tools/a.ts", "cli/main.ts"];
  assertEquals(inner.filter((path) => isPublished(path, publish)), []);
});

Deno.test("publishing: both packages and the generated files have the same version", async () => {
  const [library, command] = [await readManifest(""), await readManifest("cli")];
  assertEquals(command.version, library.version);
  assertEquals(command.imports?.["@fw/fw"], `jsr:@fw/fw@^${library.version}`);
  assertEquals(conventionsVersion, library.version);
});

const rows: [name: string, publish: { include?: string[]; exclude?: string[] }, found: number][] = [
  ["an asset outside the included folders", { include: ["ui/mod.ts"] }, 1],
  ["an excluded asset", { exclude: ["**/*.css"] }, 1],
  ["everything included", { include: ["ui"] }, 0],
];

for (const [name, publish, found] of rows) {
  Deno.test(`findUnpublished: ${name}`, () => {
    const graph = graphOf({ "ui/mod.ts": `import css from "./ui.css" with { type: "text" };` });
    assertEquals(findUnpublished(graph, { publish, folder: "" }).length, found);
  });
}

Deno.test("findUnpublished: reports a module outside the package's folder", () => {
  const graph = graphOf({ "cli/main.ts": `import "../tools/skip.ts";` });
  assertEquals(findUnpublished(graph, { publish: undefined, folder: "cli" }), [
    "cli/main.ts:1 imports tools/skip.ts, which is not published",
  ]);
});
