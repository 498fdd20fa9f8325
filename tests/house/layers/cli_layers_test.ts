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
  ["a type import counts", "cli/export/a.ts", `import type { A } from "../dev/a.ts";`],
  ["a command imports no command", "cli/commands/build.ts", `import "./gen.ts";`],
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
];

for (const [name, path, source] of accepted) {
  Deno.test(`findCliFaults accepts: ${name}`, () => {
    assertEquals(findCliFaults(graphOf({ [path]: source })), []);
  });
}
