import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { openDevState } from "../../../cli/dev/state.ts";
import { inProject, listTree } from "../support.ts";

Deno.test("dev state: behind a link out of the project nothing is written and nothing removed", () =>
  inProject({ "../theirs/dev.json": "theirs", ".fw": "-> ../theirs" }, async (root) => {
    const state = openDevState(root, { url: "http://localhost:3000" });
    state.serving();
    await new Promise((resolve) => setTimeout(resolve, 200));
    await state.close();
    const outside = join(root, "../theirs");
    assertEquals(await listTree(outside), ["dev.json"]);
    assertEquals(await Deno.readTextFile(join(outside, "dev.json")), "theirs");
  }));

Deno.test("dev state: it is kept while the server runs, and removed at its end", () =>
  inProject({}, async (root) => {
    const state = openDevState(root, { url: "http://localhost:3000" });
    state.serving();
    await new Promise((resolve) => setTimeout(resolve, 200));
    assertEquals(await listTree(join(root, ".fw")), [".gitignore", "dev.json"]);
    await state.close();
    assertEquals(await listTree(join(root, ".fw")), [".gitignore"]);
  }));
