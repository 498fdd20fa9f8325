import { assertEquals } from "@std/assert";
import { cliOrder, findCliFaults } from "./cli_layers.ts";
import { graphOf, readGraph } from "./package_graph.ts";

Deno.test("cli layers: every import inside cli/ points to a lower layer", async () => {
  assertEquals(findCliFaults(await readGraph()), []);
});

Deno.test("cli layers: every layer of the list holds a file", async () => {
  const paths = [...(await readGraph()).keys()];
  const empty = cliOrder.flat().filter((layer) =>
    !paths.some((path) => path === layer || path.startsWith(`${layer}/`))
  );
  assertEquals(empty, []);
});

const refused: [name: string, path: string, source: string][] = [
  ["project imports no gen", "cli/project/a.ts", `import "../gen/a.ts";`],
  ["a folder inside project imports no gen", "cli/project/x/a.ts", `import "../../gen/a.ts";`],
  ["messages imports no project", "cli/messages/a.ts", `import "../project/a.ts";`],
  ["gen imports no islands", "cli/gen/a.ts", `import "../islands/a.ts";`],
  ["export imports no build", "cli/export/a.ts", `import "../build/a.ts";`],
  ["a type import counts", "cli/export/a.ts", `import type { A } from "../dev/a.ts";`],
  ["a command imports no command", "cli/commands/build.ts", `import "./gen.ts";`],
  ["nobody imports a command", "cli/build/a.ts", `import "../commands/gen.ts";`],
  ["a file outside the layers", "cli/other/a.ts", ""],
];

for (const [name, path, source] of refused) {
  Deno.test(`findCliFaults: ${name}`, () => {
    assertEquals(findCliFaults(graphOf({ [path]: source })).length, 1);
  });
}

const accepted: [name: string, path: string, source: string][] = [
  ["a command imports what it needs", "cli/commands/a.ts", `import "../gen/a.ts";`],
  ["main imports commands", "cli/main.ts", `await import("./commands/gen.ts");`],
  ["files of one folder", "cli/project/a.ts", `import "./routes/b.ts";`],
  ["other packages are not looked at", "runtime/app/a.ts", `import "../base/a.ts";`],
  ["published entries", "cli/project/a.ts", `import "@fw/fw/conventions";`],
];

for (const [name, path, source] of accepted) {
  Deno.test(`findCliFaults accepts: ${name}`, () => {
    assertEquals(findCliFaults(graphOf({ [path]: source })), []);
  });
}
