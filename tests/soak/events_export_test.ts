import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { now, withApp } from "../../examples/events/tests/app.ts";
import { root } from "../../tools/workspace.ts";
import { deno } from "../cli/support.ts";
import { newFolder } from "../new_folder.ts";

const folder = join(root, "examples/events");
const options = {
  baseUrl: "https://miradouro.example",
  exclude: ["/organize", "/login", "/auth", "/api"],
};

Deno.test("export of the example: every public page, each with its calendar file and cover", async () => {
  await using dir = await newFolder({ prefix: "fw-events-" });
  await withApp(async (app) => {
    const report = await app.export(dir.path, options);
    assertEquals([report.errors, report.warnings], [[], []]);
    // The photo, and files that an organiser prints or sends.
    assertEquals(report.skipped.map(({ pattern }) => pattern), [
      "/events/{slug}/photo",
      "/events/{slug}/programme",
      "/events/{slug}/invitation.txt",
    ]);
  });
  const slugs: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(dir.path, "events"))) {
    if (isDirectory) slugs.push(name);
  }
  assertEquals(slugs.length, 64);
  for (const slug of slugs) {
    const read = (file: string): Promise<string> =>
      Deno.readTextFile(join(dir.path, "events", slug, file));
    const html = await read("index.html");
    assert(!/<form|data-ui-live|\/organize|\/api\//.test(html), slug);
    // Long lines of a calendar are folded.
    const calendar = (await read("calendar.ics")).replaceAll("\r\n ", "");
    assertStringIncludes(calendar, `URL:https://miradouro.example/events/${slug}\r\n`);
    assertStringIncludes(await read("cover.svg"), "<svg");
  }
  const list = await Deno.readTextFile(join(dir.path, "events/index.html"));
  for (const slug of slugs) assertStringIncludes(list, `href="/events/${slug}/"`);
  const sitemap = await Deno.readTextFile(join(dir.path, "sitemap.xml"));
  // Each page without a language, and in each of two.
  assertEquals(sitemap.match(/<loc>/g)?.length, 3 * 67);
  const portuguese = await Deno.readTextFile(join(dir.path, "pt-PT/index.html"));
  assertStringIncludes(portuguese, '<html lang="pt-PT">');
  assertStringIncludes(portuguese, 'href="/pt-PT/events/"');
});

Deno.test("export of the example: works as its task, with the permissions of start", async () => {
  await Deno.mkdir(join(folder, "data"), { recursive: true });
  await using home = await newFolder({ dir: join(folder, "data"), prefix: "test_" });
  const { code, stdout, stderr } = await deno(
    ["task", "export", "--base-url", "https://miradouro.example", "-o", join(home.path, "site")],
    folder,
    { FW_LANG: "en", EVENTS_DB: ":memory:", EVENTS_DATA: home.path, EVENTS_NOW: now },
  );
  assertEquals(code, 0, stderr);
  assertStringIncludes(stdout, "Exported 201 pages, ");
});
