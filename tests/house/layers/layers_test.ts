import { assertEquals } from "@std/assert";
import { readEntries, readManifest } from "../../../tools/workspace.ts";
import { findCircles, findLayerFaults, type LayerOptions } from "./layers.ts";
import { graphOf, readGraph } from "./package_graph.ts";

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

Deno.test("layers: no imports of the packages go in a circle", async () => {
  assertEquals(findCircles(await readGraph()), []);
});

const refused: [name: string, path: string, source: string][] = [
  ["html imports nothing", "html/a.ts", `import "../runtime/base/a.ts";`],
  ["base imports no request", "runtime/base/a.ts", `import "../request/a.ts";`],
  ["a type import counts", "runtime/base/a.ts", `import type { A } from "../app/a.ts";`],
  ["an import type counts", "runtime/base/a.ts", `type A = import("../app/a.ts").A;`],
  ["export from counts", "runtime/base/a.ts", `export * from "../app/a.ts";`],
  ["a dynamic import counts", "runtime/base/a.ts", `await import("../app/a.ts");`],
  ["telemetry imports no schema", "runtime/telemetry/a.ts", `import "../schema/a.ts";`],
  ["i18n imports no telemetry", "runtime/i18n/a.ts", `import "../telemetry/a.ts";`],
  ["base imports no i18n", "runtime/base/a.ts", `import "../i18n/a.ts";`],
  ["base imports no telemetry", "runtime/base/a.ts", `import "../telemetry/a.ts";`],
  ["schema imports no body", "runtime/schema/a.ts", `import "../body/a.ts";`],
  ["schema knows no request", "runtime/schema/a.ts", `import "../request/a.ts";`],
  ["body imports no request", "runtime/body/a.ts", `import type { A } from "../request/a.ts";`],
  ["a subfolder is of its layer", "runtime/body/form/a.ts", `import "../../request/a.ts";`],
  ["request imports no guard", "runtime/request/a.ts", `import "../guard/a.ts";`],
  ["serve imports no guard", "runtime/serve/a.ts", `import "../guard/a.ts";`],
  ["render imports no guard", "runtime/render/a.ts", `import "../guard/a.ts";`],
  ["render imports no pipeline", "runtime/render/a.ts", `import "../pipeline/a.ts";`],
  ["pipeline imports no listener", "runtime/pipeline/a.ts", `import "../listen/a.ts";`],
  ["pipeline imports no app", "runtime/pipeline/a.ts", `import "../app/a.ts";`],
  ["listen imports no export", "runtime/listen/a.ts", `import "../export/a.ts";`],
  ["export imports no listen", "runtime/export/a.ts", `import "../listen/a.ts";`],
  ["export imports no app", "runtime/export/a.ts", `import "../app/a.ts";`],
  ["the door for add-ons opens no pipeline", "runtime/addon.ts", `import "./pipeline/a.ts";`],
  ["guard imports no render", "runtime/guard/a.ts", `import "../render/a.ts";`],
  ["render imports no serve", "runtime/render/a.ts", `import "../serve/a.ts";`],
  ["app imports no testing", "runtime/app/a.ts", `import "../testing/mod.ts";`],
  ["runtime imports no add-on", "runtime/app/a.ts", `import "../../cache/mod.ts";`],
  ["mod.ts imports no add-on", "mod.ts", `export * from "./cache/mod.ts";`],
  ["runtime imports no mod.ts", "runtime/app/a.ts", `import "../../mod.ts";`],
  ["an add-on imports no inner module", "cache/a.ts", `import "../runtime/base/log.ts";`],
  ["an add-on imports no other one", "ui/a.ts", `import "../cache/mod.ts";`],
  ["auth is not an exception", "auth/a.ts", `import "../cache/mod.ts";`],
  ["cli imports no relative path outside", "cli/a.ts", `import "../mod.ts";`],
  ["cli imports published entries only", "cli/a.ts", `import "@fw/fw/secret";`],
  ["a package does not import itself by name", "ui/a.ts", `import "@fw/fw";`],
  ["npm: is refused", "runtime/app/a.ts", `import "npm:x@1";`],
  ["jsr: is refused", "cli/a.ts", `import "jsr:@std/path@1";`],
  ["https: is refused", "cli/a.ts", `import "https://example.com/a.ts";`],
  ["an unmapped name is refused", "runtime/app/a.ts", `import "zod";`],
  ["another version of typescript", "cli/a.ts", `import ts from "npm:typescript@5.9.3";`],
  ["typescript stays in cli", "runtime/app/a.ts", `import ts from "npm:typescript@6.0.3";`],
  ["tests are not imported", "runtime/app/a.ts", `import "../../tests/a.ts";`],
  ["a file beside the layers", "runtime/a.ts", ""],
];

for (const [name, path, source] of refused) {
  Deno.test(`findLayerFaults: ${name}`, () => {
    assertEquals(findLayerFaults(graphOf({ [path]: source }), options).length, 1);
  });
}

const accepted: [name: string, path: string, source: string][] = [
  ["html is the bottom", "runtime/guard/a.ts", `import "../../html/mod.ts";`],
  ["app imports it all", "runtime/app/a.ts", `import "../guard/a.ts";import "../serve/a.ts";`],
  ["request imports body", "runtime/request/a.ts", `import "../body/form/a.ts";`],
  ["body imports schema", "runtime/body/form/a.ts", `import "../../schema/a.ts";`],
  ["listen imports pipeline", "runtime/listen/node/a.ts", `import "../../pipeline/a.ts";`],
  ["the door for add-ons sees guards", "runtime/addon.ts", `import "./guard/a.ts";`],
  ["testing imports app", "runtime/testing/mod.ts", `import "../app/app.ts";`],
  ["an add-on imports mod.ts", "cache/a.ts", `import "../mod.ts";`],
  ["an add-on imports a public module", "ai/a.ts", `import "../runtime/testing/mod.ts";`],
  ["cli imports entries by name", "cli/a.ts", `import "@fw/fw/h";import "./b.ts";`],
  ["std and node", "runtime/base/a.ts", `import "@std/path/join";import "node:crypto";`],
  ["cli may use typescript", "cli/a.ts", `import ts from "npm:typescript@6.0.3";`],
];

for (const [name, path, source] of accepted) {
  Deno.test(`findLayerFaults accepts: ${name}`, () => {
    assertEquals(findLayerFaults(graphOf({ [path]: source }), options), []);
  });
}

Deno.test("findCircles: files of one folder may name each other's types", () => {
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

Deno.test("findCircles: a file that imports itself", () => {
  assertEquals(findCircles(graphOf({ "html/a.ts": `import "./a.ts";` })), [
    "html/a.ts → html/a.ts",
  ]);
});

Deno.test("findCircles: a diamond is not a cycle", () => {
  const graph = graphOf({
    "html/a.ts": `import "./b.ts";import "./c.ts";`,
    "html/b.ts": `import "./d.ts";`,
    "html/c.ts": `import "./d.ts";`,
    "html/d.ts": "",
  });
  assertEquals(findCircles(graph), []);
});
