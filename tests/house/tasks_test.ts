import { assertEquals } from "@std/assert";
import { readManifest } from "../../tools/workspace.ts";
import { findTaskFaults } from "./tasks.ts";

Deno.test("tasks: each has a description and runs in the task shell", async () => {
  assertEquals(findTaskFaults((await readManifest("")).tasks ?? {}), []);
});

const rows: [name: string, task: unknown, faults: string[]][] = [
  ["complete", { description: "Do it", command: "deno run a.ts" }, []],
  ["a bare string", "deno run a.ts", ["x: has no description"]],
  ["$@", { description: "Do it", command: "deno run a.ts $@" }, ["x: uses $@ or ${…}"]],
];

for (const [name, task, faults] of rows) {
  Deno.test(`findTaskFaults: ${name}`, () => assertEquals(findTaskFaults({ x: task }), faults));
}
