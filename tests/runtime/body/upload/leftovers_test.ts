/** What a process that was killed left in the spool folder is removed by a later one. */
import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import { UploadSpool } from "../../../../runtime/body/upload/spool.ts";
import { newFolder } from "../../../new_folder.ts";

const hourMs = 3_600_000;

const rows: readonly [name: string, ageHours: number, isRemoved: boolean][] = [
  ["fw-upload-5f8a", 48, true],
  ["fw-upload-5f8a", 25, true],
  ["fw-upload-5f8a", 23, false],
  ["fw-upload-5f8a", 0, false],
  ["fw-upload-5f8a", -48, false],
  ["other", 48, false],
  ["my-fw-upload-5f8a", 48, false],
  ["fw-upload", 48, false],
];

for (const [name, ageHours, isRemoved] of rows) {
  Deno.test(`the first upload of a process: ${name}, ${ageHours} h old, ${isRemoved ? "goes" : "stays"}`, async () => {
    await inFolder(async (dir) => {
      await put(join(dir, name), ageHours);
      await useSpool(dir);
      assertEquals(await names(dir), isRemoved ? [] : [name]);
    });
  });
}

Deno.test("removes links, not their targets", async () => {
  await inFolder(async (dir) => {
    const kept = join(dir, "kept");
    await Deno.mkdir(join(dir, "fw-upload-folder"));
    await put(kept, 48);
    if (Deno.build.os !== "windows") await Deno.symlink(kept, join(dir, "fw-upload-link"));
    await Deno.utime(join(dir, "fw-upload-folder"), 0, 0);
    await useSpool(dir);
    const links = Deno.build.os === "windows" ? [] : ["fw-upload-link"];
    assertEquals(await names(dir), ["fw-upload-folder", ...links, "kept"]);
  });
});

Deno.test("a folder is looked through once in a process", async () => {
  await inFolder(async (dir) => {
    await useSpool(dir);
    await put(join(dir, "fw-upload-late"), 48);
    await useSpool(dir);
    assertEquals(await names(dir), ["fw-upload-late"]);
  });
});

Deno.test("the system's folder, which others share, is left alone", async () => {
  const name = await Deno.makeTempFile({ prefix: "fw-upload-" });
  try {
    await put(name, 48);
    await useSpool(undefined);
    assert((await Deno.stat(name)).isFile);
  } finally {
    await Deno.remove(name);
  }
});

async function useSpool(dir: string | undefined): Promise<void> {
  const spool = new UploadSpool({ maxMemoryBytes: 0, dir });
  spool.create().file.close();
  await spool.release();
}

async function put(path: string, ageHours: number): Promise<void> {
  await Deno.writeTextFile(path, "half an upload");
  const time = new Date(Date.now() - ageHours * hourMs);
  await Deno.utime(path, time, time);
}

async function names(dir: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of Deno.readDir(dir)) found.push(entry.name);
  return found.sort();
}

async function inFolder(test: (dir: string) => Promise<void>): Promise<void> {
  await using folder = await newFolder();
  const dir = folder.path;
  await test(dir);
}
