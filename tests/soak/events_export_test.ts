import type { ExportReport } from "@fw/fw";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { testUnless } from "../../tools/skip.ts";
import { now, withApp } from "../../examples/events/tests/app.ts";
import { root } from "../../tools/workspace.ts";
import { noChromium, withBrowser } from "../browser/browser.ts";
import { withStaticHost } from "../browser/static_host.ts";

const folder = join(root, "examples/events");
const options = {
  baseUrl: "https://miradouro.example",
  exclude: ["/organize", "/login", "/auth", "/api"],
};

/** Tells of each style sheet of a page whether it has come. */
const styles = "[...document.querySelectorAll('link[rel=stylesheet]')]" +
  ".map(({ sheet }) => sheet?.cssRules.length > 0)";

/** The folder that all tests read, and what was told of the export into it. */
const exported: { dir: string; report?: ExportReport } = { dir: "" };

Deno.test.beforeAll(async () => {
  exported.dir = await Deno.makeTempDir({ prefix: "fw-events-" });
  await withApp(async (app) => {
    exported.report = await app.export(exported.dir, options);
  });
});
Deno.test.afterAll(() => Deno.remove(exported.dir, { recursive: true }));

/** Runs a test on the export, which is whole. */
async function withExport(run: (dir: string) => Promise<void>): Promise<void> {
  const { dir, report } = exported;
  assert(report);
  assertEquals([report.errors, report.brokenLinks, report.warnings], [[], [], []]);
  // The photo, and what an organiser prints or sends.
  assertEquals(report.skipped.map(({ pattern }) => pattern), [
    "/events/{slug}/photo",
    "/events/{slug}/programme",
    "/events/{slug}/invitation.txt",
  ]);
  await run(dir);
}

Deno.test("export of the example: every public page, each with its calendar file and its cover", () =>
  withExport(async (dir) => {
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
  }));

Deno.test("export of the example: by its task, with the permissions of start", async () => {
  await Deno.mkdir(join(folder, "data"), { recursive: true });
  const home = await Deno.makeTempDir({ dir: join(folder, "data"), prefix: "test_" });
  try {
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["task", "export", "--base-url", "https://miradouro.example", "-o", join(home, "site")],
      cwd: folder,
      env: {
        NO_COLOR: "1",
        FW_LANG: "en",
        EVENTS_DB: ":memory:",
        EVENTS_DATA: home,
        EVENTS_NOW: now,
      },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    assertEquals(code, 0, decoder.decode(stderr));
    assertStringIncludes(decoder.decode(stdout), "Exported 201 pages, ");
  } finally {
    await Deno.remove(home, { recursive: true });
  }
});

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1_280]) {
    testUnless(noChromium, {
      name: `export of the example: no page breaks its policy, ${colorScheme}, ${width} px wide`,
      fn: () =>
        withExport((dir) =>
          withStaticHost(dir, async ({ url, requests }) => {
            await withBrowser(async (browser) => {
              const context = await browser.newContext({
                colorScheme,
                // A transition between pages that is cut short by the next click is an error here.
                reducedMotion: "reduce",
                viewport: { width, height: 900 },
              });
              const page = await context.newPage();
              const messages: string[] = [];
              page.on("console", (message) => messages.push(`${page.url()} ${message.text()}`));
              page.on("pageerror", (error) => messages.push(`${page.url()} ${error.message}`));
              await page.goto(`${url}/`, { waitUntil: "load" });
              assertStringIncludes(await page.title(), "Miradouro");
              await page.getByRole("navigation", { name: "Main" }).getByText("All events").click();
              await page.waitForURL(`${url}/events/`);
              await page.getByRole("link", { name: "Fado Without a Microphone" }).click();
              await page.waitForURL(`${url}/events/fado-without-a-microphone/`);
              assertEquals(await page.locator("h1").innerText(), "Fado Without a Microphone");
              // The style sheets and the cover have come through the policy.
              assertEquals(await page.evaluate(styles), [true, true, true]);
              await page.evaluate("document.querySelector('img.cover').decode()");
              await page.goto(`${url}/about/`, { waitUntil: "load" });
              const shown = Number(await page.evaluate("document.documentElement.scrollWidth"));
              assert(shown <= width, `${shown} px`);
              assertEquals(messages, []);
              await page.goto(`${url}/no/such/page`, { waitUntil: "load" });
              assertStringIncludes(await page.title(), "Not found");
              assertEquals(await page.evaluate(styles), [true, true, true]);
              // What the browser says of the 404 itself, and nothing else.
              assertEquals(messages.length, 1);
            });
            // No link of a page needed a redirect of the host.
            assertEquals(requests.filter((line) => !line.endsWith(" 200")), [
              "GET /no/such/page 404",
            ]);
          })
        ),
    });
  }
}
