import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { now, withApp } from "../../examples/events/tests/app.ts";
import { root } from "../../tools/workspace.ts";
import { deno } from "../cli/support.ts";

const folder = join(root, "examples/events");
const options = {
  baseUrl: "https://miradouro.example",
  exclude: ["/organize", "/login", "/auth", "/api"],
};

Deno.test("export of the example: every public page, each with its calendar file and cover", async () => {
  const dir = await Deno.makeTempDir({ prefix: "fw-events-" });
  try {
    await withApp(async (app) => {
      const report = await app.export(dir, options);
      assertEquals([report.errors, report.warnings], [[], []]);
      // The photo, and files that an organiser prints or sends.
      assertEquals(report.skipped.map(({ pattern }) => pattern), [
        "/events/{slug}/photo",
        "/events/{slug}/programme",
        "/events/{slug}/invitation.txt",
      ]);
    });
    const slugs: string[] = [];
    for await (const { name, isDirectory } of Deno.readDir(join(dir, "events"))) {
      if (isDirectory) slugs.push(name);
    }
    assertEquals(slugs.length, 64);
    for (const slug of slugs) {
      const read = (file: string): Promise<string> =>
        Deno.readTextFile(join(dir, "events", slug, file));
      const html = await read("index.html");
      assert(!/<form|data-ui-live|\/organize|\/api\//.test(html), slug);
      // Long lines of a calendar are folded.
      const calendar = (await read("calendar.ics")).replaceAll("\r\n ", "");
      assertStringIncludes(calendar, `URL:https://miradouro.example/events/${slug}\r\n`);
      assertStringIncludes(await read("cover.svg"), "<svg");
    }
    const list = await Deno.readTextFile(join(dir, "events/index.html"));
    for (const slug of slugs) assertStringIncludes(list, `href="/events/${slug}/"`);
    const sitemap = await Deno.readTextFile(join(dir, "sitemap.xml"));
    // Each page without a language, and in each of two.
    assertEquals(sitemap.match(/<loc>/g)?.length, 3 * 67);
    const portuguese = await Deno.readTextFile(join(dir, "pt-PT/index.html"));
    assertStringIncludes(portuguese, '<html lang="pt-PT">');
    assertStringIncludes(portuguese, 'href="/pt-PT/events/"');
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});

Deno.test("export of the example: works as its task, with the permissions of start", async () => {
  await Deno.mkdir(join(folder, "data"), { recursive: true });
  const home = await Deno.makeTempDir({ dir: join(folder, "data"), prefix: "test_" });
  try {
    const { code, stdout, stderr } = await deno(
      ["task", "export", "--base-url", "https://miradouro.example", "-o", join(home, "site")],
      folder,
      { FW_LANG: "en", EVENTS_DB: ":memory:", EVENTS_DATA: home, EVENTS_NOW: now },
    );
    assertEquals(code, 0, stderr);
    assertStringIncludes(stdout, "Exported 201 pages, ");
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});
