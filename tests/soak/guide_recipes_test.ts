/** The recipes of the guides with code in the browser: generated, bundled, started, used. */
import { assert, assertEquals, assertFalse } from "@std/assert";
import { join } from "@std/path";
import { testUnless } from "../../tools/skip.ts";
import { root } from "../../tools/workspace.ts";
import { noBundler } from "../cli/islands/no_bundler.ts";
import { runCli } from "../cli/support.ts";
import { inGuideApp } from "../e2e/guides/app.ts";
import { readBlock } from "../e2e/guide.ts";
import { startApp } from "../e2e/running_app.ts";
import { type Browser, noChromium, type Page, withBrowser, withPage } from "../browser/browser.ts";
import { hideTab, openTabs, openWindow, showTab } from "../browser/visibility.ts";

const reason = noChromium ?? noBundler;

/** A layout that the guides leave to the reader. */
const layoutWith = (body: string): string =>
  `import { type Ctx, islandLoader, type Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
export function Layout(c: Ctx, children: Node): Node {
  return h.html(
    h.lang("en"),
    h.head(h.title("Recipes"), ui.head(c)),
    h.body(ui.body(), ${body}, islandLoader(c)),
  );
}
`;

/** The page of the clock, with the island as the guide places it. */
async function clockFiles(): Promise<Readonly<Record<string, string>>> {
  const [, island] = /`(c\.island\("\/islands\/clock\.js"[^`]+)`/.exec(
    await Deno.readTextFile(join(root, "docs/streams.md")),
  ) ?? [];
  assert(island !== undefined);
  return {
    "app/layout.ts": layoutWith(`
      ui.navigate("content"),
      h.a(h.href(c.href("/")), "Home"),
      h.a(h.href(c.href("/clock")), "Clock"),
      h.main(h.id("content"), children)`),
    "app/clock/page.ts": `import type { Ctx, Node } from "@fw/fw";
export function Page(c: Ctx): Node {
  return ${island};
}
`,
  };
}

/** The first page of the guide with the attributes of its section "Search as you type". */
async function searchAsYouType(): Promise<string> {
  const guide = "docs/fragments.md";
  const page = await readBlock(guide, { language: "ts", holds: "// app/search/page.ts" });
  const lines = await readBlock(guide, { language: "ts", holds: 'ui.submitOn("input"),' });
  return page.replace('ui.swap("found"),', lines);
}

interface RunningGuide {
  readonly url: string;
  output(): string;
}

async function inGuide(
  guide: string,
  files: Readonly<Record<string, string>>,
  work: (app: RunningGuide) => Promise<void>,
): Promise<void> {
  await inGuideApp(guide, async ({ cwd, task }) => {
    assertEquals((await runCli(["ui"], { cwd })).code, 0);
    await using app = startApp(await task("start"), { cwd });
    const url = await app.url();
    await work({ url, output: app.output });
  }, { files });
}

/** Orders without a script: returns the status, and whether the city was refused. */
async function order(
  url: string,
  fields: Readonly<Record<string, string>>,
): Promise<[status: number, isRefused: boolean]> {
  const token = "t".repeat(43);
  const answer = await fetch(`${url}order`, {
    method: "POST",
    body: new URLSearchParams({ _csrf: token, ...fields }),
    headers: { cookie: `fw_csrf=${token}` },
    redirect: "manual",
  });
  return [answer.status, (await answer.text()).includes("is in another country")];
}

testUnless(reason, {
  name: "fragments guide: a search while typing, and a select that depends on another",
  fn: async () => {
    await inGuide(
      "docs/fragments.md",
      { "app/layout.ts": layoutWith("children"), "app/search/page.ts": await searchAsYouType() },
      ({ url }) =>
        withPage(async (page) => {
          await page.goto(`${url}search`);
          await page.getByLabel("Search").pressSequentially("ferry");
          await page.getByText("1 found").waitFor();
          assertEquals(await page.locator("#found li").allTextContents(), ["Night ferry"]);
          assertEquals(await page.getByLabel("Search").inputValue(), "ferry");
          assertEquals(page.url(), `${url}search?q=ferry`);
          const [gap, width] = await page.evaluate(`[
        document.querySelector("#found").getBoundingClientRect().top -
          document.querySelector("form").getBoundingClientRect().bottom,
        document.querySelector("#q").offsetWidth]`) as [number, number];
          assert(gap >= 12 && width <= 400, `a gap of ${gap} and an input of ${width} pixels`);

          await page.goto(`${url}order`);
          await page.locator("[data-fw-island-state=mounted]").waitFor({ state: "attached" });
          const cities = page.getByLabel("City").locator("option");
          assertEquals(await cities.allTextContents(), [
            "Choose one",
            "Bergen",
            "Oslo",
            "Lisboa",
            "Porto",
          ]);
          await page.getByLabel("Country").selectOption("Portugal");
          await cities.nth(3).waitFor({ state: "detached" });
          assertEquals(await cities.allTextContents(), ["Choose one", "Lisboa", "Porto"]);
          await page.getByLabel("City").selectOption("Porto");
          await page.getByLabel("Country").selectOption("Norway");
          await cities.filter({ hasText: "Oslo" }).waitFor({ state: "attached" });
          assertEquals(await page.getByLabel("City").inputValue(), "");
          assertEquals(await order(url, { country: "Norway", city: "Porto" }), [422, true]);
          assertEquals(await order(url, { country: "Norway", city: "Oslo" }), [303, false]);
        }),
    );
  },
});

testUnless(reason, {
  name: "streams guide",
  fn: async (t) => {
    // Generating the application takes more time than both rows, and a visit does not change it.
    await inGuide("docs/streams.md", await clockFiles(), async (app) => {
      await t.step(
        "the live page follows the clock and releases it when it closes",
        () => withPage((page) => followClock(page, app)),
      );
      await t.step(
        "eight tabs with the live page load, and the front tab follows the clock",
        () => withBrowser((browser) => followInFront(browser, app)),
      );
    });
  },
});

async function followClock(page: Page, { url, output }: RunningGuide): Promise<void> {
  await page.goto(url);
  await Promise.all([
    page.waitForRequest(/api\/clock/),
    page.getByRole("link", { name: "Clock" }).click(),
  ]);
  const clock = page.locator("[data-fw-island]");
  const first = await clock.textContent() ?? "";
  await clock.filter({ hasNotText: first }).waitFor();
  await Promise.all([
    page.waitForEvent("requestfailed", (request) => request.url().endsWith("/api/clock")),
    page.getByRole("link", { name: "Home" }).click(),
  ]);
  assertFalse(output().includes("stream failed"), output());
}

async function followInFront(browser: Browser, { url, output }: RunningGuide): Promise<void> {
  const tabs = await openTabs(await openWindow(browser), { url: `${url}clock`, count: 8 });
  const [first, front] = [tabs[0], tabs.at(-1)];
  assert(first !== undefined && front !== undefined);
  await untilTick(front);
  await hideTab(front);
  await showTab(first);
  await untilTick(first);
  assertFalse(output().includes("stream failed"), output());
}

/** Waits until the clock of a page advances. */
async function untilTick(page: Page): Promise<void> {
  const clock = page.locator("[data-fw-island]");
  const before = await clock.textContent() ?? "";
  await clock.filter({ hasNotText: before }).waitFor();
}
