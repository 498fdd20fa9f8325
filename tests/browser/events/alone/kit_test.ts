import { assert, assertEquals } from "@std/assert";
import { testUnless } from "../../../../tools/skip.ts";
import { noChromium, type Page, withBrowser } from "../../browser.ts";
import { withSite } from "../site.ts";
import { visit } from "../../gallery/site.ts";
import { focusText, isMarked, mark, until } from "../../kit/site.ts";

const event = "/events/fado-without-a-microphone";

/** Returns a page's requests since the last call, for example `GET /events?q=x events`. */
interface Trial {
  readonly page: Page;
  readonly url: string;
  readonly takeAsked: () => string[];
}

const rows: [name: string, path: string, run: (trial: Trial) => Promise<void>][] = [
  [
    "a filter fetches only the list, keeps its focus and can be undone with Back",
    "/events",
    async ({ page, url, takeAsked }) => {
      await mark(page);
      takeAsked();
      await page.getByRole("link", { name: "Music" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "Music" }).waitFor();
      assertEquals(takeAsked(), ["GET /events?category=music fragment of events"]);
      assertEquals(page.url(), `${url}/events?category=music`);
      assertEquals(await page.title(), "Music · Miradouro");
      assertEquals(await focusText(page), "Music");
      assertEquals(await current(page, "Filters"), ["Any day", "Music", "Any price"]);
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "All events" }).waitFor();
      assert(await isMarked(page));
    },
  ],
  [
    "a filter far down the page scrolls to the start of the list",
    "/events",
    async ({ page }) => {
      await page.evaluate("scrollTo(0, 1500)");
      await page.getByRole("link", { name: "Talks" }).click();
      await page.getByRole("heading", { level: 1, name: "Talks" }).waitFor();
      await page.waitForFunction("scrollY < 300");
    },
  ],
  [
    "the account page marks the scrolled section in its navigation, and none at the top",
    "/organize/account",
    async ({ page }) => {
      await page.setViewportSize({ width: 1280, height: 840 });
      const marked = "document.querySelectorAll('.ui-settings > nav > :target-current').length";
      // The markers follow after the first frames.
      await page.waitForTimeout(100);
      assertEquals(await page.evaluate(marked), 0);
      await page.setViewportSize({ width: 1280, height: 500 });
      await until(page, `(scrollBy(0, 5), ${marked} === 1)`);
    },
  ],
  [
    "guests who join or leave change the open schedule and list of guests",
    `/organize${event}/guests`,
    async ({ page, url }) => {
      const rows = page.locator("#guests li");
      const before = await rows.count();
      const schedule = await page.context().newPage();
      await schedule.goto(`${url}/organize`);
      const other = await page.context().newPage();
      await other.goto(url + event);
      await other.getByRole("button", { name: "I am going" }).click();
      await other.getByText("See you there").waitFor();
      // Pages in the background do not update.
      await page.bringToFront();
      await until(page, `document.querySelectorAll("#guests li").length === ${before + 1}`);
      await schedule.bringToFront();
      await until(schedule, "document.querySelector('#schedule').textContent.includes('124 / ')");
      await other.bringToFront();
      await other.getByRole("button", { name: "I cannot come" }).click();
      await page.bringToFront();
      await until(page, `document.querySelectorAll("#guests li").length === ${before}`);
      await Promise.all([schedule.close(), other.close()]);
    },
  ],
  [
    "the attendance changes in place, with a message",
    event,
    async ({ page, takeAsked }) => {
      await mark(page);
      takeAsked();
      await page.getByRole("button", { name: "I am going" }).click();
      const messages = page.getByRole("region", { name: "Messages" });
      await messages.getByText("See you there").waitFor();
      await page.locator(".going-count").getByText("124 going, you too").waitFor();
      assertEquals(await focusText(page), "I cannot come");
      assertEquals(takeAsked().filter((line) => line.startsWith("POST")), [
        `POST ${event}?/join fragment of facts`,
      ]);
      await messages.getByRole("button", { name: "Close" }).click();
      // The live region stays the same, because screen readers announce only regions that existed
      // before.
      assertEquals(await messages.innerText(), "");
      await page.getByRole("button", { name: "I cannot come" }).click();
      await page.getByText("123 going").waitFor();
      assert(await isMarked(page));
    },
  ],
];

testUnless(noChromium, {
  name: "example: the kit's behaviour with a script",
  fn: (t) =>
    withBrowser(async (browser) => {
      for (const [name, path, run] of rows) {
        await t.step(name, () =>
          withSite((url) =>
            visit(browser, {}, async ({ page, said }) => {
              const asked: string[] = [];
              page.on("request", (request) => {
                const { pathname, search } = new URL(request.url());
                const { "fw-fragment": id, purpose } = request.headers();
                if (request.resourceType() !== "fetch") return;
                const how = id === undefined ? purpose && "ahead" : `fragment of ${id}`;
                if (how) asked.push(`${request.method()} ${pathname}${search} ${how}`);
              });
              await page.goto(url + path);
              await run({ page, url, takeAsked: () => asked.splice(0) });
              assertEquals(said.filter((text) => !/status of 422/.test(text)), []);
            })
          ));
      }
    }),
});

/** Returns the marked entry of a navigation. */
async function current(page: Page, name: string): Promise<string[]> {
  return await page.getByRole("navigation", { name }).locator("[aria-current]").allInnerTexts();
}
