import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { type ExportedApp, fileRoute, inScratch, page, type Scratch } from "./support.ts";

const site: ExportedApp = {
  routes: [page("/"), page("/a"), page("/b/c")],
  files: { "style.css": "a", "img/x.png": "x" },
};

/** The time of change of every file of the site. */
function times(scratch: Scratch): Record<string, number | undefined> {
  return Object.fromEntries(
    scratch.list().map((file) => [
      file,
      Deno.statSync(join(scratch.dist, file)).mtime?.getTime(),
    ]),
  );
}

Deno.test("export again: without a change nothing is written", () =>
  inScratch(async (scratch) => {
    const first = await scratch.export(site);
    const before = times(scratch);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { report } = await scratch.export(site);
    assertEquals([report.written, report.unchanged], [0, first.report.written]);
    assertEquals(times(scratch), before);
    assertEquals(report.files, first.report.files);
  }));

Deno.test("export again: what has changed is written, what is gone is removed with its folder", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    const { report } = await scratch.export({
      routes: [page("/"), page("/a", "new")],
      files: { "style.css": "b" },
    });
    assertEquals([report.written, report.removed.toSorted()], [2, ["b/c/index.html", "img/x.png"]]);
    assertEquals(scratch.list(), ["a/index.html", "index.html", "style.css"]);
    const entries = await Array.fromAsync(Deno.readDir(scratch.dist));
    assert(!entries.some(({ name }) => name === "b"));
  }));

Deno.test("export again: other times, as version control sets them, are no change", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    for (const file of scratch.list()) await Deno.utime(join(scratch.dist, file), 1, 1);
    const { report } = await scratch.export(site);
    assertEquals(report.written, 0);
    const before = times(scratch);
    assertEquals((await scratch.export(site)).report.written, 0);
    assertEquals(times(scratch), before);
  }));

Deno.test("export again: a file that was changed by hand is written again", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    scratch.write({ "dist/a/index.html": "edited", "dist/style.css": "z" });
    const { report, read } = await scratch.export(site);
    assertEquals([report.written, read("style.css")], [2, "a"]);
  }));

Deno.test("export again: a file that was removed by hand is written again", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    await Deno.remove(join(scratch.dist, "b"), { recursive: true });
    assertEquals((await scratch.export(site)).report.written, 1);
  }));

Deno.test("export again: what is gone from the site but was changed by hand is left alone", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    scratch.write({ "dist/a/index.html": "edited" });
    const { report, read } = await scratch.export({ routes: [page("/")] });
    assertEquals(read("a/index.html"), "edited");
    assertEquals(report.warnings.map(({ code, subject }) => [code, subject]), [
      ["kept_file", "a/index.html"],
    ]);
    // From then on it is a stranger's.
    await assertRejects(() => scratch.export(site), TypeError, '"a/index.html"');
  }));

Deno.test("export again: nothing is removed by an export that fails", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    const broken = fileRoute("/x.txt", "", "text/event-stream");
    const { report } = await scratch.export({ routes: [page("/new"), broken] });
    assertEquals(report.removed, []);
    assertEquals(scratch.list(), [
      "a/index.html",
      "b/c/index.html",
      "img/x.png",
      "index.html",
      "new/index.html",
      "style.css",
    ]);
    // What was left is known: the next one tidies up.
    await scratch.export({ routes: [page("/new")] });
    assertEquals(scratch.list(), ["new/index.html"]);
  }));

Deno.test("export again: after one that was cut off, its files are known as its own", () =>
  inScratch(async (scratch) => {
    const cut = {
      ...site,
      options: {
        onProgress: () => {
          throw new Error("cut");
        },
      },
    };
    await assertRejects(() => scratch.export(cut), Error, "cut");
    // As a process leaves it that was killed: the list of the start, and half a file.
    scratch.write({ "dist/a/index.html": "<ht" });
    await scratch.export(site);
    assertStringIncludes(await Deno.readTextFile(join(scratch.dist, "a/index.html")), "<main>");
    assertEquals((await scratch.export({ routes: [page("/")] })).report.removed.length, 4);
  }));

Deno.test("export again: after one that was cut off, what has a name of it but no known content stays", () =>
  inScratch(async (scratch) => {
    await scratch.export({ files: {}, routes: [page("/")] });
    const manifest = join(scratch.dist, ".fw_export.json");
    const known = JSON.parse(await Deno.readTextFile(manifest));
    const claimed = { hash: "", size: 0, writtenMs: 0 };
    Object.assign(known.files, { "empty.txt": claimed, "notes.txt": claimed });
    await Deno.writeTextFile(manifest, JSON.stringify(known));
    scratch.write({ "dist/notes.txt": "mine", "dist/empty.txt": "" });
    await Deno.utime(join(scratch.dist, "empty.txt"), 0, 0);
    const { report, read } = await scratch.export({ files: {}, routes: [page("/")] });
    assertEquals([read("notes.txt"), report.removed], ["mine", []]);
    const kept = report.warnings.map(({ code, subject }) => [code, subject]);
    assertEquals(kept, [["kept_file", "empty.txt"], ["kept_file", "notes.txt"]]);
  }));

Deno.test("export again: a page becomes a file of its name, and back", () =>
  inScratch(async (scratch) => {
    const asPage = { routes: [page("/a"), page("/a/b"), page("/z")] };
    const asFile = { files: { "a": "file" }, routes: [page("/z")] };
    for (
      const [app, files] of [[asPage, ["a/b/index.html", "a/index.html"]], [asFile, ["a"]]] as const
    ) {
      const other = app === asPage ? asFile : asPage;
      await scratch.export({ files: {}, ...other });
      const { message } = await scratch.export({ files: {}, ...app });
      assertEquals([message, scratch.list()], [undefined, [...files, "z/index.html"]]);
    }
  }));

Deno.test("export: large files are copied, and not again", () =>
  inScratch(async (scratch) => {
    const text = "x".repeat(9 * 1_024 * 1_024);
    await scratch.export({ files: { "film.mp4": text } });
    const { size } = await Deno.stat(join(scratch.dist, "film.mp4"));
    assertEquals(size, text.length);
    await Deno.utime(join(scratch.dist, "film.mp4"), 1, 1);
    assertEquals((await scratch.export({ files: { "film.mp4": text } })).report.written, 0);
    const { report, read } = await scratch.export({ files: { "film.mp4": `${text.slice(1)}y` } });
    assertEquals([report.written, read("film.mp4").endsWith("y")], [1, true]);
  }));

Deno.test("export: a folder with files of others is refused, and nothing in it is touched", () =>
  inScratch(async (scratch) => {
    scratch.write({ "dist/mine.txt": "mine", "dist/a/index.html": "mine" });
    await assertRejects(() => scratch.export(site), TypeError, "it holds what no export wrote");
    assertEquals(scratch.list(), ["a/index.html", "mine.txt"]);
    assertEquals(await Deno.readTextFile(join(scratch.dist, "a/index.html")), "mine");
  }));

Deno.test("export: a file that was added to an export is refused by the next", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    scratch.write({ "dist/CNAME": "example.com" });
    await assertRejects(() => scratch.export(site), TypeError, '("CNAME"); choose an empty folder');
  }));

Deno.test("export: forced, it writes among files of others, and removes none of them", () =>
  inScratch(async (scratch) => {
    scratch.write({
      "dist/mine.txt": "mine",
      "dist/a/index.html": "mine",
      "dist/b/c/mine.txt": "mine",
    });
    const forced = { ...site, options: { force: true } };
    const { read } = await scratch.export(forced);
    assertStringIncludes(read("a/index.html"), "<main>");
    await scratch.export({ routes: [page("/")], options: { force: true } });
    assertEquals(scratch.list(), ["b/c/mine.txt", "index.html", "mine.txt"]);
  }));

Deno.test("export: version control and what a file manager leaves are tolerated", () =>
  inScratch(async (scratch) => {
    scratch.write({ "dist/.git/HEAD": "x", "dist/.DS_Store": "x" });
    await scratch.export(site);
    await scratch.export({ routes: [page("/")] });
    assertEquals(scratch.list(), [".DS_Store", ".git/HEAD", "index.html"]);
  }));

const places: readonly [name: string, dir: string, text: string][] = [
  ["the folder of static files", "public", "with static files is there"],
  ["a folder in it", "public/dist", "with static files is there"],
  ["a folder around it", ".", "with static files is there"],
];

for (const [name, dir, text] of places) {
  Deno.test(`export: refuses ${name}`, () =>
    inScratch(async (scratch) => {
      const { site: made } = await scratch.export(site);
      await assertRejects(
        () => made.app.export(join(scratch.root, dir), { force: true }),
        TypeError,
        text,
      );
    }));
}

Deno.test("export: refuses the folder of the application, and its sources", () =>
  inScratch(async (scratch) => {
    const dir = join(scratch.root, "project");
    scratch.write({ "project/app/page.ts": "" });
    const { site: made } = await scratch.export({ routes: [page("/")], parts: { dir } });
    for (const folder of ["project", "project/app", "project/app/dist", "."]) {
      const out = join(scratch.root, folder);
      await assertRejects(
        () => made.app.export(out, { force: true }),
        TypeError,
        "the application itself",
      );
    }
    await made.app.export(join(dir, "dist"));
  }));

Deno.test("export: refuses a file, and a folder below one", () =>
  inScratch(async (scratch) => {
    const { site: made } = await scratch.export(site);
    scratch.write({ "file": "x" });
    for (const dir of ["file", "file/dist"]) {
      await assertRejects(
        () => made.app.export(join(scratch.root, dir)),
        TypeError,
        "a file of that name; remove it, or choose another folder",
      );
    }
    assertEquals(await Deno.readTextFile(join(scratch.root, "file")), "x");
  }));

Deno.test("export: takes a relative folder, a file URL, and a link to a folder", () =>
  inScratch(async (scratch) => {
    const { site: made } = await scratch.export({ routes: [page("/")] });
    await Deno.mkdir(join(scratch.root, "real"));
    await Deno.symlink("real", join(scratch.root, "link"));
    const { dir } = await made.app.export(join(scratch.root, "link"));
    assertEquals(dir, join(scratch.root, "real"));
    await made.app.export(new URL(`file://${scratch.root}/by url`));
    assertEquals(scratch.list("by url"), ["index.html"]);
  }));

Deno.test("export: refuses a folder that cannot be written to, or made", () =>
  inScratch(async (scratch) => {
    const { site: made } = await scratch.export(site);
    const long = "x".repeat(300);
    await assertRejects(
      () => made.app.export(join(scratch.root, long)),
      TypeError,
      `${long}": it cannot be written to (`,
    );
  }));

Deno.test("export: refuses a folder that another export is writing to, until that has ended", () =>
  inScratch(async (scratch) => {
    const { site: made } = await scratch.export(site);
    let second: Promise<unknown> | undefined;
    const onProgress = (): void => {
      second ??= assertRejects(
        () => made.app.export(scratch.dist),
        TypeError,
        "another export is writing there; wait",
      );
    };
    await made.app.export(scratch.dist, { onProgress });
    await second;
    assertEquals((await made.app.export(scratch.dist)).written, 0);
    // An export that fails lets others in as well.
    scratch.write({ "dist/mine.txt": "mine" });
    await assertRejects(() => made.app.export(scratch.dist), TypeError, "no export wrote");
    await made.app.export(scratch.dist, { force: true });
  }));

/** Puts something of somebody else where an export wrote, then exports again by force. */
interface Trap {
  readonly name: string;
  /** Sets it, in a scratch folder with an export of `site` and a folder `other`. */
  readonly set: (dist: string) => void;
  /** What is told. */
  readonly told: string | undefined;
}

const traps: readonly Trap[] = [
  {
    name: "a link in the place of a folder",
    set: (dist) => {
      Deno.removeSync(join(dist, "a"), { recursive: true });
      Deno.symlinkSync("../other", join(dist, "a"));
    },
    told: '/a could not be written: "a" is a link; remove it.',
  },
  {
    name: "a link in the place of a page",
    set: (dist) => {
      Deno.removeSync(join(dist, "a/index.html"));
      Deno.symlinkSync("../../other/index.html", join(dist, "a/index.html"));
    },
    // The link gives way, and what it led to stays.
    told: undefined,
  },
  {
    name: "a link in the place of a static file",
    set: (dist) => {
      Deno.removeSync(join(dist, "style.css"));
      Deno.symlinkSync("../other/index.html", join(dist, "style.css"));
    },
    told: undefined,
  },
  {
    name: "a file where a folder must be",
    set: (dist) => {
      Deno.removeSync(join(dist, "a"), { recursive: true });
      Deno.writeTextFileSync(join(dist, "a"), "mine");
    },
    told: '/a could not be written: "a" is a file, and has to be a folder; remove it.',
  },
  {
    name: "a folder where a file must be",
    set: (dist) => {
      Deno.removeSync(join(dist, "style.css"));
      Deno.mkdirSync(join(dist, "style.css"));
      Deno.writeTextFileSync(join(dist, "style.css/mine.txt"), "mine");
    },
    told:
      '/style.css could not be written: "style.css" is a folder, and has to be a file; remove it.',
  },
];

for (const { name, set, told } of traps) {
  Deno.test(`export: nothing is followed or removed: ${name}`, () =>
    inScratch(async (scratch) => {
      await scratch.export(site);
      scratch.write({ "other/index.html": "other", "other/c/index.html": "other" });
      set(scratch.dist);
      await assertRejects(() => scratch.export(site), TypeError, "it holds what no export wrote");
      const { report } = await scratch.export({ ...site, options: { force: true } });
      assertEquals(report.errors.map(({ message }) => message), told === undefined ? [] : [told]);
      assertEquals(scratch.list("other"), ["c/index.html", "index.html"]);
      assertEquals(await Deno.readTextFile(join(scratch.root, "other/index.html")), "other");
    }));
}

Deno.test("export: what lies behind a link is not removed with the rest", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    scratch.write({ "other/index.html": "other" });
    // The same name, size and time as the file that was exported.
    const exported = join(scratch.dist, "a/index.html");
    const { mtime } = await Deno.stat(exported);
    await Deno.copyFile(exported, join(scratch.root, "other/index.html"));
    await Deno.utime(join(scratch.root, "other/index.html"), mtime ?? 0, mtime ?? 0);
    await Deno.remove(join(scratch.dist, "a"), { recursive: true });
    await Deno.symlink("../other", join(scratch.dist, "a"));
    await scratch.export({ routes: [page("/")], options: { force: true } });
    assertEquals(scratch.list("other"), ["index.html"]);
  }));

const hostile: readonly [name: string, manifest: string][] = [
  ["a way up", '{"version":1,"files":{"../mine.txt":{"hash":"","size":4,"writtenMs":0}}}'],
  [
    "a way up inside",
    '{"version":1,"files":{"a/../../mine.txt":{"hash":"","size":4,"writtenMs":0}}}',
  ],
  [
    "an absolute path",
    '{"version":1,"files":{"/tmp/mine.txt":{"hash":"","size":4,"writtenMs":0}}}',
  ],
  ["a drive", '{"version":1,"files":{"c:/mine.txt":{"hash":"","size":4,"writtenMs":0}}}'],
  ["backslashes", '{"version":1,"files":{"..\\\\mine.txt":{"hash":"","size":4,"writtenMs":0}}}'],
  ["another version", '{"version":2,"files":{}}'],
  ["no record", '{"version":1,"files":{"a":1}}'],
  ["a list", '{"version":1,"files":[]}'],
  ["no JSON", "{"],
  ["null", "null"],
];

for (const [name, manifest] of hostile) {
  Deno.test(`export: a manifest that no export wrote is not believed: ${name}`, () =>
    inScratch(async (scratch) => {
      await scratch.export(site);
      scratch.write({ "dist/.fw_export.json": manifest, "mine.txt": "mine" });
      await assertRejects(() => scratch.export(site), TypeError, "it holds what no export wrote");
      await scratch.export({ ...site, options: { force: true } });
      assertEquals(await Deno.readTextFile(join(scratch.root, "mine.txt")), "mine");
    }));
}

Deno.test("export: a manifest behind a link is not believed", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    const manifest = join(scratch.dist, ".fw_export.json");
    await Deno.rename(manifest, join(scratch.root, "elsewhere.json"));
    await Deno.symlink("../elsewhere.json", manifest);
    await assertRejects(() => scratch.export(site), TypeError, "it holds what no export wrote");
  }));

Deno.test("export: static files behind a link that leads out are not copied", () =>
  inScratch(async (scratch) => {
    scratch.write({ "secret.txt": "secret", "public/a.txt": "a" });
    await Deno.symlink("../secret.txt", join(scratch.root, "public/b.txt"));
    const config = { public: join(scratch.root, "public") };
    await scratch.export({ routes: [page("/")], config });
    assertEquals(scratch.list(), ["a.txt", "index.html"]);
  }));
