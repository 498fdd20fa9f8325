import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { testUnless } from "../../../tools/skip.ts";
import { pageSaying, until, withDev } from "../../cli/dev/project.ts";
import { noChromium, type Page, withBrowser, withPage } from "../../browser/browser.ts";
import { hideTab, openTabs, openWindow, showTab } from "../../browser/visibility.ts";

testUnless(noChromium, {
  name: "the browser follows every save",
  fn: (t) =>
    withDev({}, (project) =>
      withPage(async (page) => {
        await page.goto(project.url);
        assertEquals(await heading(page), "one");

        await t.step("a saved page appears", async () => {
          project.write("app/page.ts", pageSaying("two"));
          await untilHeading(page, "two");
        });
        await t.step("an error appears in its place", async () => {
          project.write("app/page.ts", pageSaying("two") + "const broken = = 1;\n");
          await untilHeading(page, "app/page.ts");
          assertStringIncludes(await page.innerText("body"), "const broken = = 1;");
          assertEquals(await page.locator(".marked .caret").count(), 1);
        });
        await t.step("another error replaces it", async () => {
          project.write("app/page.ts", pageSaying("two") + "throw new Error('at the start');\n");
          await page.getByText("Error: at the start").waitFor();
        });
        await t.step("the page returns after the fix", async () => {
          project.write("app/page.ts", pageSaying("three"));
          await untilHeading(page, "three");
        });
        await t.step("a style sheet applies without a reload", async () => {
          await page.evaluate("globalThis.alive = 1");
          assertEquals(await colour(page), "rgb(1, 2, 3)");
          for (const value of ["rgb(4, 5, 6)", "rgb(7, 8, 9)"]) {
            project.write("public/style.css", `body { color: ${value} }\n`);
            await until(() => colour(page), (found) => found === value);
          }
          // The old link is removed after the load event of the new sheet, a moment later.
          const links = page.locator("link[rel=stylesheet]");
          await until(() => links.count(), (count) => count === 1);
          assertEquals(await page.evaluate("globalThis.alive"), 1);
        });
        await t.step("another public file reloads the page", async () => {
          project.write("public/app.js", "1;\n");
          await until(() => evaluate(page, "globalThis.alive === undefined"), Boolean);
        });
        await t.step("a new route appears at its former 404", async () => {
          await page.goto(`${project.url}/new`);
          project.write("app/new/page.ts", pageSaying("a new page"));
          await untilHeading(page, "a new page");
        });
      })),
});

testUnless(noChromium, {
  name: "eight tabs load, and background tabs apply the saves when they are shown",
  fn: () =>
    withDev({}, (project) =>
      withBrowser(async (browser) => {
        const tabs = await openTabs(await openWindow(browser), { url: project.url, count: 8 });
        const [first, second, third] = tabs;
        const front = tabs.at(-1);
        assert(first !== undefined && second !== undefined && third !== undefined);
        assert(front !== undefined);
        // A tab opened in the background is hidden from the start.
        await third.addInitScript("hideTab(true)");
        await third.reload();

        project.write("app/page.ts", pageSaying("two"));
        await untilHeading(front, "two");
        assertEquals(await heading(first), "one");
        for (const tab of [first, third]) {
          await showTab(tab);
          await untilHeading(tab, "two");
        }

        // A public file restarts nothing, but tabs still notice it.
        project.write("public/style.css", "body { color: rgb(4, 5, 6) }\n");
        await until(() => colour(front), (found) => found === "rgb(4, 5, 6)");
        assertEquals(await colour(second), "rgb(1, 2, 3)");
        await showTab(second);
        await until(() => colour(second), (found) => found === "rgb(4, 5, 6)");

        // A tab keeps its content if nothing changed while it was hidden.
        await front.evaluate("globalThis.alive = 1");
        await hideTab(front);
        const connected = front.waitForResponse(/_fw\/events$/);
        await showTab(front);
        await connected;
        project.write("public/style.css", "body { color: rgb(7, 8, 9) }\n");
        await until(() => colour(front), (found) => found === "rgb(7, 8, 9)");
        assertEquals(await front.evaluate("globalThis.alive"), 1);
      })),
});

function heading(page: Page): Promise<string> {
  return page.innerText("h1");
}

function untilHeading(page: Page, text: string): Promise<void> {
  return page.locator("h1", { hasText: new RegExp(`^${text}$`) }).waitFor();
}

/** Evaluates in the page; `undefined` during a navigation. */
async function evaluate(page: Page, expression: string): Promise<unknown> {
  try {
    return await page.evaluate(expression);
  } catch {
    return undefined;
  }
}

function colour(page: Page): Promise<unknown> {
  return evaluate(page, "getComputedStyle(document.body).color");
}
