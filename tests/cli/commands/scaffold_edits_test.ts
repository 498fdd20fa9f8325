import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { createProject } from "../../../cli/project/project.ts";
import { openEdits } from "../../../cli/scaffold/edits.ts";
import { Stop } from "../../../cli/stop.ts";
import { type Files, inProject, listTree } from "../support.ts";

const files: Files = { "deno.json": "{}", "a.txt": "a", "b.txt": "b" };

/** Changes to the files between planning and writing, and the files afterwards. */
const rows: Readonly<Record<string, readonly [texts: Files, after: Files]>> = {
  "writes every change": [{}, { ...files, "a.txt": "aa", "b.txt": "bb", "new/c.txt": "c" }],
  "writes nothing if a file was changed meanwhile": [{ "b.txt": "mine" }, {
    ...files,
    "b.txt": "mine",
  }],
  "writes nothing if a file was added meanwhile": [{ "d.txt": "mine" }, {
    ...files,
    "d.txt": "mine",
  }],
};

Deno.test("Edits.write reports a full disk and leaves no partial files", () =>
  inProject(files, async (root) => {
    const edits = await openEdits(createProject(root));
    await edits.change("a.txt", (text) => text + text);
    edits.put({ file: "new/c.txt", text: "c" });
    const { writeTextFile } = Deno;
    try {
      Deno.writeTextFile = async (path, data, options) => {
        await writeTextFile(path, data === "c" ? "" : data, options);
        if (data === "c") throw new Error("No space left on device");
      };
      await assertRejects(() => edits.write(), Error, "No space left");
    } finally {
      Deno.writeTextFile = writeTextFile;
    }
    assertEquals(await listTree(root), Object.keys(files).sort());
    assertEquals(await Deno.readTextFile(join(root, "a.txt")), "a");
  }));

for (const [name, [texts, after]] of Object.entries(rows)) {
  Deno.test(`Edits.write ${name}`, () =>
    inProject(files, async (root) => {
      const edits = await openEdits(createProject(root));
      await edits.change("a.txt", (text) => text + text);
      edits.put({ file: "new/c.txt", text: "c" });
      await edits.change("b.txt", (text) => text + text);
      if ("d.txt" in texts) edits.put({ file: "d.txt", text: "d" });
      for (const [file, text] of Object.entries(texts)) {
        await Deno.writeTextFile(join(root, file), text);
      }
      if (Object.keys(texts).length === 0) await edits.write();
      else await assertRejects(() => edits.write(), Stop);
      const found = (await listTree(root)).filter((path) => !path.endsWith("/"));
      const read = found.map(async (path) => [path, await Deno.readTextFile(join(root, path))]);
      assertEquals(Object.fromEntries(await Promise.all(read)), after);
    }));
}
