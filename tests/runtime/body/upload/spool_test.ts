import { assertEquals, assertObjectMatch, assertRejects, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { UploadSpool } from "../../../../runtime/body/upload/spool.ts";
import { saveUpload } from "../../../../runtime/body/upload/name.ts";
import { UploadFile } from "../../../../runtime/body/upload/file.ts";
import { newFolder } from "../../../new_folder.ts";

async function inSpool(
  run: (spool: UploadSpool, dir: string) => void | Promise<void>,
): Promise<void> {
  await using folder = await newFolder();
  const dir = folder.path;
  await run(new UploadSpool({ maxMemoryBytes: 0, dir }), dir);
}

/** Creates three files and removes the first. */
async function fill(spool: UploadSpool): Promise<string> {
  const paths = [1, 2, 3].map(() => {
    const { path, file } = spool.create();
    file.close();
    return path;
  });
  const [first = ""] = paths;
  await Deno.remove(first);
  return first;
}

async function pathsIn(dir: string): Promise<string[]> {
  return await Array.fromAsync(Deno.readDir(dir), ({ name }) => join(dir, name));
}

Deno.test("UploadSpool.release removes the other files if one cannot be removed, then throws", async () => {
  await inSpool(async (spool, dir) => {
    const kept = await fill(spool);
    await Deno.mkdir(join(kept, "full"), { recursive: true });
    assertThrows(() => spool.release(), Error, "not empty");
    assertEquals(await pathsIn(dir), [kept]);
  });
});

Deno.test("UploadSpool.release accepts a file that is gone already", async () => {
  await inSpool(async (spool, dir) => {
    await fill(spool);
    spool.release();
    assertEquals(await pathsIn(dir), []);
  });
});

const full = { status: 503, code: "upload_disk_full" };
const failures = [
  [{ code: "ENOSPC" }, full],
  [{ code: "EDQUOT" }, full],
  [{ code: "EIO" }, { code: "EIO" }],
] as const;
for (const [failure, thrown] of failures) {
  // The test runner reports a file that stays open.
  Deno.test(`UploadFile.finish closes its file if the last bytes cannot be written: ${failure.code}`, async () => {
    await inSpool((spool) => {
      const file = new UploadFile(spool, { name: "a", type: "" });
      file.write(new Uint8Array(10));
      const { writeSync } = Deno.FsFile.prototype;
      Deno.FsFile.prototype.writeSync = () => {
        throw Object.assign(new Error("the disk"), failure);
      };
      try {
        assertObjectMatch(assertThrows(() => file.finish(), Error), thrown);
      } finally {
        Deno.FsFile.prototype.writeSync = writeSync;
      }
      spool.release();
    });
  });

  Deno.test(`a disk that refuses the name of a file: ${failure.code}`, async () => {
    await inSpool(async (spool, dir) => {
      const memory = new UploadSpool({ maxMemoryBytes: 100, dir });
      const file = new UploadFile(memory, { name: "a", type: "" });
      file.finish();
      const { open, makeTempFileSync } = Deno;
      const refuse = (): never => {
        throw Object.assign(new Error("the disk"), failure);
      };
      Object.assign(Deno, { open: refuse, makeTempFileSync: refuse });
      try {
        assertObjectMatch(await assertRejects(() => saveUpload(file, dir, "a"), Error), thrown);
        assertObjectMatch(assertThrows(() => spool.create(), Error), thrown);
      } finally {
        Object.assign(Deno, { open, makeTempFileSync });
      }
    });
  });
}

Deno.test("UploadFile.abort does nothing after the part has ended", async () => {
  await inSpool((spool) => {
    const file = new UploadFile(spool, { name: "a", type: "" });
    file.write(new Uint8Array(10));
    file.finish();
    file.abort();
    spool.release();
  });
});
