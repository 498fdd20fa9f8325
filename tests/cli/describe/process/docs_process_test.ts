import { assertEquals, assertLess } from "@std/assert";
import { join } from "@std/path";
import { readOwn } from "../../../../cli/describe/docs/read.ts";
import { inScratch } from "../../support.ts";

async function writeProject(folder: string, docs: string): Promise<void> {
  const imports = { "@fw/fw/docs": "./docs.ts" };
  await Deno.writeTextFile(join(folder, "deno.json"), JSON.stringify({ imports }));
  await Deno.writeTextFile(join(folder, "docs.ts"), docs);
}

Deno.test("readOwn: runs a project's own guides without permissions", () =>
  inScratch(async (folder) => {
    await writeProject(
      folder,
      `const names = ["read", "write", "net", "env", "run", "ffi", "sys"] as const;
export const guides = [];
export const apiReference = names.filter((name) =>
  Deno.permissions.querySync({ name }).state === "granted"
).join(" ");
`,
    );
    assertEquals(await readOwn(folder), { guides: [], apiReference: "" });
  }));

const empty = 'export const guides = []; export const apiReference = "";';

const hostile: readonly (readonly [string, string])[] = [
  ["an endless loop", `${empty} for (;;);`],
  ["a string instead of guides", 'export const guides = "x"; export const apiReference = "";'],
  ["a guide without text", "export const guides = [{ name: 1 }]; export const apiReference = '';"],
  ["null", `${empty} console.log("null"); Deno.exit(0);`],
  ["an error", `${empty} throw new Error("x");`],
];

for (const [name, docs] of hostile) {
  Deno.test(`readOwn: ${name} is not documentation`, () =>
    inScratch(async (folder) => {
      await writeProject(folder, docs);
      assertEquals(await readOwn(folder, { timeoutMs: 1_500 }), undefined);
    }));
}

Deno.test("readOwn: stops an endless output long before the timeout", () =>
  inScratch(async (folder) => {
    await writeProject(folder, `${empty} for (;;) console.log("x".repeat(1_048_576));`);
    const startMs = performance.now();
    assertEquals(await readOwn(folder, { timeoutMs: 120_000 }), undefined);
    assertLess(performance.now() - startMs, 90_000);
  }));
