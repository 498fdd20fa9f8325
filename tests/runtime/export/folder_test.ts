import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import * as h from "../../../html/mod.ts";
import type { Route } from "../../../mod.ts";
import { type ExportedApp, fileRoute, inScratch, link, page } from "./support.ts";

const site: ExportedApp = {
  routes: [page("/"), page("/a"), page("/b/c")],
  files: { "style.css": "a", "img/x.png": "x" },
};

Deno.test("export again: replaces changed files and removes deleted ones with their folder", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    scratch.write({ "dist/a/index.html": "edited" });
    const routes = [page("/"), page("/a", "new")];
    const { read } = await scratch.export({ routes, files: { "style.css": "b" } });
    assertEquals(scratch.list(), ["a/index.html", "index.html", "style.css"]);
    assertStringIncludes(read("a/index.html"), "<main>new</main>");
    assertEquals(read("style.css"), "b");
    const entries = await Array.fromAsync(Deno.readDir(scratch.dist), ({ name }) => name);
    assertEquals(entries.filter((name) => name === "b" || name === ".fw_export.new"), []);
  }));

const cuts: readonly [name: string, app: ExportedApp][] = [
  ["a page that fails", { routes: [page("/new"), fileRoute("/x.txt", "", "text/event-stream")] }],
  ["a broken link", { routes: [page("/new", link("/gone"))] }],
];

for (const [name, app] of cuts) {
  Deno.test(`export again: keeps the site after ${name}`, () =>
    inScratch(async (scratch) => {
      await scratch.export(site);
      const before = scratch.list();
      const page = await Deno.readTextFile(join(scratch.dist, "a/index.html"));
      await scratch.export(app);
      assertEquals(scratch.list(), before);
      assertEquals(await Deno.readTextFile(join(scratch.dist, "a/index.html")), page);
    }));
}

Deno.test("export again: leftovers of a killed process do not stop the next export", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    scratch.write({ "dist/.fw_export.new/a/index.html": "<ht", "dist/.fw_export.old/z": "z" });
    await scratch.export({ routes: [page("/")] });
    assertEquals(scratch.list(), ["index.html"]);
  }));

Deno.test("export again: a page may become a file of its name, and a page again", () =>
  inScratch(async (scratch) => {
    const asPage = { routes: [page("/a"), page("/a/b"), page("/z")] };
    const asFile = { files: { "a": "file" }, routes: [page("/z")] };
    const cases = [[asPage, ["a/b/index.html", "a/index.html"]], [asFile, ["a"]]] as const;
    for (const [app, files] of cases) {
      const other = app === asPage ? asFile : asPage;
      await scratch.export({ files: {}, ...other });
      const { message } = await scratch.export({ files: {}, ...app });
      assertEquals([message, scratch.list()], [undefined, [...files, "z/index.html"]]);
    }
  }));

Deno.test("export: refuses a folder with other files and changes nothing in it", () =>
  inScratch(async (scratch) => {
    scratch.write({ "dist/mine.txt": "mine", "dist/a/index.html": "mine" });
    const message = "it holds files that no export wrote";
    await assertRejects(() => scratch.export(site), TypeError, message);
    assertEquals(scratch.list(), ["a/index.html", "mine.txt"]);
    assertEquals(await Deno.readTextFile(join(scratch.dist, "a/index.html")), "mine");
  }));

Deno.test("export: refuses to replace an export to which a file was added", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    scratch.write({ "dist/CNAME": "example.com" });
    await assertRejects(() => scratch.export(site), TypeError, '("CNAME"); choose an empty folder');
  }));

Deno.test("export: tolerates version control and file manager files", () =>
  inScratch(async (scratch) => {
    scratch.write({ "dist/.git/HEAD": "x", "dist/.DS_Store": "x" });
    await scratch.export(site);
    await scratch.export({ routes: [page("/")] });
    assertEquals(scratch.list(), [".DS_Store", ".git/HEAD", "index.html"]);
  }));

const places: readonly [name: string, dir: string][] = [
  ["the folder of static files", "public"],
  ["a folder in it", "public/dist"],
  ["a folder that contains it", "."],
];

for (const [name, dir] of places) {
  Deno.test(`export: refuses ${name}`, () =>
    inScratch(async (scratch) => {
      const { site: made } = await scratch.export(site);
      const again = () => made.app.export(join(scratch.root, dir));
      await assertRejects(again, TypeError, "with static files is there");
    }));
}

Deno.test("export: refuses a file, and a folder below one", () =>
  inScratch(async (scratch) => {
    const { site: made } = await scratch.export(site);
    scratch.write({ "file": "x" });
    for (const dir of ["file", "file/dist"]) {
      const message = "a file of that name; remove it, or choose another folder";
      await assertRejects(() => made.app.export(join(scratch.root, dir)), TypeError, message);
    }
    assertEquals(await Deno.readTextFile(join(scratch.root, "file")), "x");
  }));

Deno.test("export: accepts a relative folder, a file URL and a link to a folder", () =>
  inScratch(async (scratch) => {
    const { site: made } = await scratch.export({ routes: [page("/")] });
    await Deno.mkdir(join(scratch.root, "real"));
    await Deno.symlink("real", join(scratch.root, "link"));
    const { dir } = await made.app.export(join(scratch.root, "link"));
    assertEquals(dir, join(scratch.root, "real"));
    await made.app.export(new URL(`file://${scratch.root}/by url`));
    assertEquals(scratch.list("by url"), ["index.html"]);
  }));

Deno.test("export: refuses a folder that cannot be written or created", () =>
  inScratch(async (scratch) => {
    const { site: made } = await scratch.export(site);
    const long = "x".repeat(300);
    const message = `${long}": it is not writable (`;
    await assertRejects(() => made.app.export(join(scratch.root, long)), TypeError, message);
  }));

Deno.test("export: refuses a folder while another export writes to it", () =>
  inScratch(async (scratch) => {
    const { site: made } = await scratch.export(site);
    const message = "another export is writing there; wait";
    const exportAgain = (): Promise<unknown> =>
      assertRejects(() => made.app.export(scratch.dist), TypeError, message);
    const busy: Route = { pattern: "/busy", page: async () => (await exportAgain(), h.p()) };
    const { message: failure } = await scratch.export({ routes: [busy] });
    assertEquals(failure, undefined);
    // A failed export releases the folder too.
    scratch.write({ "dist/mine.txt": "mine" });
    for (let time = 0; time < 2; time++) {
      await assertRejects(() => made.app.export(scratch.dist), TypeError, "no export wrote");
    }
  }));

const traps: readonly (readonly [name: string, set: (dist: string) => void])[] = [
  ["a link in place of a folder", (dist) => {
    Deno.removeSync(join(dist, "a"), { recursive: true });
    Deno.symlinkSync("../other", join(dist, "a"));
  }],
  ["a link in place of a file", (dist) => {
    Deno.removeSync(join(dist, "style.css"));
    Deno.symlinkSync("../other/index.html", join(dist, "style.css"));
  }],
];

for (const [name, set] of traps) {
  Deno.test(`export: follows and removes nothing outside: ${name}`, () =>
    inScratch(async (scratch) => {
      await scratch.export(site);
      scratch.write({ "other/index.html": "other", "other/c/index.html": "other" });
      set(scratch.dist);
      await assertRejects(() => scratch.export(site), TypeError, "that no export wrote");
      assertEquals(scratch.list("other"), ["c/index.html", "index.html"]);
      assertEquals(await Deno.readTextFile(join(scratch.root, "other/index.html")), "other");
    }));
}

Deno.test("export: does not remove files behind a link in the old site", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    scratch.write({ "other/index.html": "other" });
    await Deno.remove(join(scratch.dist, "b/c"), { recursive: true });
    await Deno.symlink("../../other", join(scratch.dist, "b/c"));
    await scratch.export({ routes: [page("/")] });
    assertEquals(scratch.list("other"), ["index.html"]);
  }));

const hostile: readonly [name: string, list: string][] = [
  ["a way up", '{"names":["../mine.txt",".."]}'],
  ["an absolute path", '{"names":["/tmp/mine.txt"]}'],
  ["no name", '{"names":[1]}'],
  ["no list", '{"names":{}}'],
  ["no JSON", "{"],
  ["null", "null"],
];

for (const [name, list] of hostile) {
  Deno.test(`export: does not trust a list that no export wrote: ${name}`, () =>
    inScratch(async (scratch) => {
      await scratch.export(site);
      scratch.write({ "dist/.fw_export.json": list, "mine.txt": "mine" });
      const message = "it holds files that no export wrote";
      await assertRejects(() => scratch.export(site), TypeError, message);
      assertEquals(await Deno.readTextFile(join(scratch.root, "mine.txt")), "mine");
    }));
}

Deno.test("export: does not trust a list behind a link", () =>
  inScratch(async (scratch) => {
    await scratch.export(site);
    const manifest = join(scratch.dist, ".fw_export.json");
    await Deno.rename(manifest, join(scratch.root, "elsewhere.json"));
    await Deno.symlink("../elsewhere.json", manifest);
    await assertRejects(
      () => scratch.export(site),
      TypeError,
      "it holds files that no export wrote",
    );
  }));

Deno.test("export: does not copy static files behind a link out of the folder", () =>
  inScratch(async (scratch) => {
    scratch.write({ "secret.txt": "secret", "public/a.txt": "a" });
    await Deno.symlink("../secret.txt", join(scratch.root, "public/b.txt"));
    const config = { public: join(scratch.root, "public") };
    await scratch.export({ routes: [page("/")], config });
    assertEquals(scratch.list(), ["a.txt", "index.html"]);
  }));
