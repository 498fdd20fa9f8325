import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { join } from "@std/path";
import { DiskFile } from "../../../../runtime/serve/static/disk.ts";
import { StaticFile } from "../../../../runtime/serve/static/file.ts";
import { routeOf } from "../../app/support.ts";
import { fileSettings, openSite, type StaticSite, writeFile } from "./site.ts";
import { until } from "../../../until.ts";

const sizes = [100, 200_000, 9_000_000];
const both = ["dev", "prod"] as const;

/** Returns the bytes of a file: equal for equal letters, and of equal length for two. */
function content(letter: string, size: number): Uint8Array {
  return new Uint8Array(size).fill(letter.charCodeAt(0));
}

async function tagOf(site: StaticSite, path: string): Promise<string | null> {
  return (await site.ask(path, {}, "HEAD")).headers.get("etag");
}

for (const size of sizes) {
  Deno.test(`the tag identifies the content: ${size} bytes on two replicas`, async () => {
    await using one = await openSite({ "a.bin": content("a", size) });
    await using other = await openSite({ "a.bin": content("a", size) });
    await Deno.utime(join(other.folder, "a.bin"), 1_000_000_000, 1_000_000_000);
    const tag = await tagOf(one, "/a.bin");
    assertMatch(tag ?? "", /^"[\w-]{12}"$/);
    assertEquals(await tagOf(other, "/a.bin"), tag);
  });

  Deno.test(`a change within a second of the start is noticed: ${size} bytes in production`, async () => {
    await using site = await openSite({ "a.bin": content("a", size) }, { env: "prod" });
    const disk = join(site.folder, "a.bin");
    const tag = await tagOf(site, "/a.bin") ?? "";
    const { mtime } = await Deno.stat(disk);
    assert(mtime !== null);
    await writeFile(disk, content("b", size));
    await Deno.utime(disk, mtime, mtime);
    // A file in memory is served unchanged; any other gets a new tag for new bytes.
    const whole = await site.ask("/a.bin");
    assertEquals(whole.headers.get("etag") === tag, whole.bytes[0] === 97);
    const again = await site.ask("/a.bin", { "if-none-match": tag });
    assertEquals(again.status, whole.bytes[0] === 97 ? 304 : 200);
    const part = await site.ask("/a.bin", { range: "bytes=1-5", "if-range": tag });
    assertEquals(part.status, whole.bytes[0] === 97 ? 206 : 200);
  });

  for (const place of ["public", "mount"] as const) {
    Deno.test(`changed bytes of the same size and time are noticed: ${size} bytes, ${place} in development`, async () => {
      await using site = await openSite(
        { "a.bin": content("a", size), "m/a.bin": content("a", size) },
        (folder) => ({ env: "dev", mounts: { "/mount": join(folder, "m") } }),
      );
      const [path, file] = place === "public" ? ["/a.bin", "a.bin"] : ["/mount/a.bin", "m/a.bin"];
      const disk = join(site.folder, file);
      await Deno.utime(disk, 1_000_000_000, 1_000_000_000);
      const tag = await tagOf(site, path);
      assert(tag !== null);
      await writeFile(disk, content("b", size));
      await Deno.utime(disk, 1_000_000_000, 1_000_000_000);
      const again = await site.ask(path, { "if-none-match": tag });
      assertEquals([again.status, again.bytes[0]], [200, 98]);
      assertNotEquals(again.headers.get("etag"), tag);
      const part = await site.ask(path, { range: "bytes=1-5", "if-range": tag });
      assertEquals([part.status, part.bytes.length], [200, size]);
    });
  }
}

Deno.test("a mounted path that points elsewhere serves the new file, despite the same size and time", async () => {
  await using site = await openSite(
    { "m/one.txt": "one", "m/two.txt": "two" },
    (folder) => ({ env: "prod", mounts: { "/m": join(folder, "m") } }),
  );
  const [one, two, link] = ["one.txt", "two.txt", "now.txt"].map((name) =>
    join(site.folder, "m", name)
  );
  assert(one !== undefined && two !== undefined && link !== undefined);
  for (const file of [one, two]) await Deno.utime(file, 1_000_000_000, 1_000_000_000);
  for (const [target, text] of [[one, "one"], [two, "two"], [one, "one"]] as const) {
    await Deno.remove(link).catch(() => {});
    await Deno.symlink(target, link);
    assertEquals((await site.ask("/m/now.txt")).text, text);
  }
});

const dates: readonly [name: string, seconds: number, want: "none" | "now" | "own"][] = [
  ["the epoch", 0, "none"],
  ["the first second", 1, "none"],
  ["a past date", 1_000_000_000, "own"],
  ["a date ahead", 4_000_000_000, "now"],
];

for (const [name, seconds, want] of dates) {
  for (const env of both) {
    Deno.test(`Last-Modified of a file with ${name} (${env})`, async () => {
      await using site = await openSite({ "a.txt": "a" });
      await Deno.utime(join(site.folder, "a.txt"), seconds, seconds);
      await using again = await openSite({}, { env, public: site.folder });
      const before = Math.floor(Date.now() / 1_000);
      const { headers } = await again.ask("/a.txt");
      const date = headers.get("last-modified");
      if (want === "none") return assertEquals(date, null);
      const sent = Date.parse(date ?? "") / 1_000;
      if (want === "own") return assertEquals(sent, seconds);
      assert(sent >= before && sent <= Date.now() / 1_000, String(date));
    });
  }
}

for (const env of both) {
  Deno.test(`braces in a name are literal (${env})`, async () => {
    await using site = await openSite({ "{F3A1}.txt": "braces", "img/{id}/a.txt": "id" }, { env });
    for (const path of ["/{F3A1}.txt", "/%7BF3A1%7D.txt"]) {
      assertEquals([(await site.ask(path)).status, (await site.ask(path)).text], [200, "braces"]);
    }
    assertEquals((await site.ask("/img/{id}/a.txt")).text, "id");
    assertEquals((await site.ask("/img/x/a.txt")).status, 404);
  });
}

Deno.test({
  name: "an unreadable file or folder does not stop the start, is a 404, and the log has the fix",
  // The superuser can read everything.
  ignore: Deno.uid() === 0,
  fn: async () => {
    for (const env of both) {
      await using site = await openSite({ "a.txt": "a", "no.txt": "no", "no/a.txt": "no" });
      await Deno.chmod(join(site.folder, "no.txt"), 0);
      await Deno.chmod(join(site.folder, "no"), 0);
      await using again = await openSite({}, { env, public: site.folder });
      const cases = [["/a.txt", 200], ["/no.txt", 404], ["/no/a.txt", 404]] as const;
      for (const [path, status] of cases) {
        assertEquals((await again.ask(path)).status, status, `${env} ${path}`);
      }
      assertEquals((await again.ask("/asset/no.txt")).text, "/no.txt");
      await Deno.chmod(join(site.folder, "no"), 0o700);
    }
  },
});

Deno.test("a folder of at most 10,000 files is indexed at startup, a larger one read on use", async () => {
  await using site = await openSite({ "a/last.txt": "last" }, (folder) => {
    for (const name of ["0", "9998"]) Deno.writeTextFileSync(join(folder, `${name}.txt`), name);
    // A link costs a quarter of a file.
    const first = join(folder, "0.txt");
    for (let at = 1; at < 9_998; at++) Deno.linkSync(first, join(folder, `${at}.txt`));
    return { env: "prod" };
  });
  const names = ["0", "9998", "a/last"];
  const readAll = async ({ ask }: StaticSite): Promise<void> => {
    for (const name of names) {
      const { text, headers } = await ask(`/${name}.txt`);
      assertEquals([text, headers.has("etag")], [name.replace("a/", ""), true]);
    }
  };
  await readAll(site);
  await writeFile(join(site.folder, "new.txt"), "new");
  assertEquals((await site.ask("/new.txt")).status, 404);
  await using larger = await openSite({}, { env: "prod", public: site.folder });
  await readAll(larger);
  names.push("new", "newer");
  await writeFile(join(site.folder, "newer.txt"), "newer");
  await readAll(larger);
});

const ages: readonly (readonly [name: string, ageMs: number, isSettled: boolean])[] = [
  ["10 s ago", 10_000, true],
  ["1 s ago", 1_000, false],
  ["1 s ahead", -1_000, false],
  ["an hour ahead, before the clock was set back,", -3_600_000, true],
];
for (const [name, ageMs, isSettled] of ages) {
  Deno.test(`DiskFile: a file changed ${name} is ${isSettled ? "" : "not yet "}settled`, async () => {
    const path = await Deno.makeTempFile();
    const info = await Deno.stat(path);
    const file = new DiskFile(path, { ...info, ctime: new Date(Date.now() - ageMs) });
    assertEquals(file.isSettled, isSettled);
    await Deno.remove(path);
  });
}

for (const size of [100, 300_000, 9_000_000]) {
  Deno.test(`a file that grows after its size was read is sent at its announced length: ${size} bytes`, async () => {
    const files = { "a.log": content("a", size) };
    await using site = await openSite(files, (folder) => ({ mounts: { "/m": folder } }));
    const disk = join(site.folder, "a.log");
    site.app.route(routeOf("GET", "/download", (c) => c.download(disk)));
    using _ = changeWhenRead(disk, () => Deno.writeTextFileSync(disk, "b", { append: true }));
    for (const path of ["/m/a.log", "/m/a.log", "/download"]) {
      const { status, bytes, headers } = await site.ask(path);
      assertEquals([status, headers.get("content-length")], [200, String(bytes.length)]);
    }
  });
}

const writers: readonly (readonly [name: string, write: (file: string, at: number) => unknown])[] =
  [
    ["shrinks", (file, at) => at < 5 && Deno.truncateSync(file, 9_000_000 - at)],
    ["is written at the same length", (file, at) => Deno.utimeSync(file, at, at)],
  ];
for (const [name, write] of writers) {
  Deno.test(`a large file that ${name} again while it is read for its tag is sent`, async () => {
    await using site = await openSite({ "a.bin": content("a", 9_000_000) }, (folder) => ({
      mounts: { "/m": folder },
    }));
    const disk = join(site.folder, "a.bin");
    let at = 0;
    using _ = changeWhenRead(disk, () => write(disk, ++at));
    const { status, bytes } = await site.ask("/m/a.bin");
    assertEquals([status, bytes.length], [200, (await Deno.lstat(disk)).size]);
  });
}

/** Changes a file each time that its size has been read. */
function changeWhenRead(file: string, change: () => unknown): Disposable {
  const { statSync } = Deno;
  Deno.statSync = (path) => {
    const info = statSync(path);
    if (path === file) change();
    return info;
  };
  return { [Symbol.dispose]: () => void (Deno.statSync = statSync) };
}

Deno.test("a file over 64 MB has no tag until its content is read", async () => {
  const path = await Deno.makeTempFile();
  await Deno.truncate(path, 65 * 1_024 * 1_024);
  const disk = new DiskFile(path, { ...await Deno.stat(path), ctime: new Date(0) });
  const file = new StaticFile("a.bin", disk, fileSettings({ left: 0 }));
  assertEquals((await file.identity()).tag, undefined);
  await until(async () => (await file.identity()).tag === `"${file.fingerprint}"`);
  await Deno.remove(path);
});
