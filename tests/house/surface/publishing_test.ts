import { assertEquals } from "@std/assert";
import { version as conventionsVersion } from "../../../runtime/base/conventions.ts";
import { type Manifest, readManifest } from "../../../tools/workspace.ts";
import { graphOf, readGraph } from "../layers/package_graph.ts";
import { type ImportGraph, resolveImport } from "../layers/layers.ts";

/** Whether the manifest's `publish` block includes the path, relative to the manifest. */
function isPublished(path: string, publish: Manifest["publish"]): boolean {
  const { include, exclude = [] } = publish ?? {};
  const isIncluded = include === undefined || include.some((pattern) => covers(pattern, path));
  return isIncluded && !exclude.some((pattern) => covers(pattern, path));
}

function covers(pattern: string, path: string): boolean {
  const plain = pattern.replace(/^\.\//, "").replace(/\/$/, "");
  if (!plain.includes("*")) return path === plain || path.startsWith(`${plain}/`);
  const escaped = plain.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  const expression = escaped.replace(/\*\*\/|\*\*|\*/g, (stars) => {
    return stars === "*" ? "[^/]*" : stars === "**" ? ".*" : "(.*/)?";
  });
  return new RegExp(`^${expression}$`).test(path);
}

/**
 * Lists the published files that import an unpublished file.
 *
 * @param graph The files of the packages, paths relative to the root.
 * @param options.publish The `publish` block.
 * @param options.folder Where the manifest lies, `""` or `"cli"`.
 */
function findUnpublished(
  graph: ImportGraph,
  options: { publish: Manifest["publish"]; folder: string },
): string[] {
  const { publish, folder } = options;
  const prefix = folder === "" ? "" : `${folder}/`;
  const isInside = (path: string): boolean => path.startsWith(prefix);
  const isTaken = (path: string): boolean => isPublished(path.slice(prefix.length), publish);
  return [...graph].filter(([path]) => isInside(path) && isTaken(path)).flatMap(
    ([path, imports]) =>
      imports
        .filter(({ specifier }) => specifier.startsWith("."))
        .map(({ specifier, line }) => ({ line, target: resolveImport(path, specifier) }))
        .filter(({ target }) => !isInside(target) || !isTaken(target))
        .map(({ line, target }) => `${path}:${line} imports ${target}, which is not published`),
  );
}

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
