import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import { testUnless } from "../../../../tools/skip.ts";
import { noChromium, type Page, withBrowser } from "../../browser.ts";
import { withSite } from "../site.ts";
import { visit } from "../../gallery/site.ts";
import { until } from "../../kit/site.ts";

const event = "/events/fado-without-a-microphone";

/** What a page asked of the example since it was last read, as `GET /events?q=x events`. */
interface Trial {
  readonly page: Page;
  readonly url: string;
  readonly takeAsked: () => string[];
}

const rows: [name: string, path: string, run: (trial: Trial) => Promise<void>][] = [
  [
    "a filter fetches the list alone, keeps its focus and can be gone back from",
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
      assertEquals(await focused(page), "Music");
      assertEquals(await current(page, "Filters"), ["Any day", "Music", "Any price"]);
      await page.goBack();
      await page.getByRole("heading", { level: 1, name: "All events" }).waitFor();
      assert(await isMarked(page));
    },
  ],
  [
    "the search keeps the filters, and what is typed stays under the cursor",
    "/events?category=music",
    async ({ page, url, takeAsked }) => {
      await mark(page);
      takeAsked();
      await page.getByLabel("Search events").fill("fado");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { level: 1, name: "“fado” in music" }).waitFor();
      assertEquals(takeAsked(), ["GET /events?q=fado&category=music fragment of events"]);
      assertEquals(page.url(), `${url}/events?q=fado&category=music`);
      assertEquals(await page.evaluate("document.activeElement.value"), "fado");
      assert(await isMarked(page));
    },
  ],
  [
    "a filter that is chosen far down shows the list from its start",
    "/events",
    async ({ page }) => {
      await page.evaluate("scrollTo(0, 1500)");
      await page.getByRole("link", { name: "Talks" }).click();
      await page.getByRole("heading", { level: 1, name: "Talks" }).waitFor();
      await page.waitForFunction("scrollY < 300");
    },
  ],
  [
    "a page of the list is fetched when it is pointed at, and shown from its start",
    "/events",
    async ({ page, url, takeAsked }) => {
      await mark(page);
      takeAsked();
      const later = page.getByRole("link", { name: "Later" });
      await Promise.all([
        page.waitForResponse((answer) => answer.url().startsWith(`${url}/events?at=`)),
        later.hover(),
      ]);
      await later.click();
      // To where nothing is: a card that came below the pointer would be fetched ahead too.
      await page.mouse.move(0, 0);
      await page.waitForURL(`${url}/events?at=*`);
      const asked = takeAsked();
      assertEquals(asked.length, 1);
      assertMatch(asked[0] ?? "", /^GET \/events\?at=\S+ ahead$/);
      await until(page, "scrollY === 0");
      assertEquals(await focused(page), "All events");
      assert(await isMarked(page));
    },
  ],
  [
    "a link shows its page in the place of the content, with what follows the event",
    "/about",
    async ({ page, url }) => {
      await mark(page);
      await page.getByRole("link", { name: "All events" }).first().click();
      await page.getByRole("link", { name: "Fado Without a Microphone" }).click();
      await page.waitForURL(url + event);
      assertEquals(await current(page, "Main"), ["All events"]);
      await page.locator("[data-ui-live]").waitFor();
      assert(await isMarked(page));
    },
  ],
  [
    "the search is sent while one types, and gives the history no entry",
    "/events",
    async ({ page, url }) => {
      await mark(page);
      const before = await page.evaluate("history.length");
      await page.getByLabel("Search events").pressSequentially("fado");
      await page.getByRole("heading", { level: 1, name: "“fado”" }).waitFor();
      assertEquals(await page.evaluate("document.activeElement.value"), "fado");
      assertEquals([page.url(), await page.evaluate("history.length")], [
        `${url}/events?q=fado`,
        before,
      ]);
      assert(await isMarked(page));
    },
  ],
  [
    "guests who come and go change the schedule and the list of guests while they are open",
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
      // What is in the background follows nothing.
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
    "who is going changes in its place, with a message",
    event,
    async ({ page, takeAsked }) => {
      await mark(page);
      takeAsked();
      await page.getByRole("button", { name: "I am going" }).click();
      const messages = page.getByRole("region", { name: "Messages" });
      await messages.getByText("See you there").waitFor();
      await page.locator(".going-count").getByText("124 going, you too").waitFor();
      assertEquals(await focused(page), "I cannot come");
      assertEquals(takeAsked().filter((line) => line.startsWith("POST")), [
        `POST ${event}?/join fragment of facts`,
      ]);
      await messages.getByRole("button", { name: "Close" }).click();
      // The place stays: screen readers listen only to one that was there before its message.
      assertEquals(await messages.innerText(), "");
      await page.getByRole("button", { name: "I cannot come" }).click();
      await page.getByText("123 going").waitFor();
      assert(await isMarked(page));
    },
  ],
  [
    "a form that is wrong has the focus in its first field that is",
    "/organize/events/new",
    async ({ page }) => {
      await mark(page);
      await page.getByLabel("Title").fill("Swifts");
      await page.getByRole("button", { name: "Add to the schedule" }).click();
      await page.getByRole("alert").waitFor();
      assertEquals(await page.evaluate("document.activeElement.id"), "category");
      assertEquals(await page.getByLabel("Title").inputValue(), "Swifts");
      assert(await isMarked(page));
    },
  ],
  [
    "a picture shows how much of it has gone; what was saved says so on the next page",
    `/organize${event}/edit`,
    async ({ page, url }) => {
      await page.evaluate(`new MutationObserver((changes) => {
        for (const { target } of changes) if (!target.hidden) localStorage.setItem("bar", "shown");
      }).observe(document.querySelector("[data-ui-upload-bar]"), { attributes: true })`);
      const buffer = Buffer.from(await page.screenshot());
      await page.getByLabel("Picture").setInputFiles({
        name: "fado.png",
        mimeType: "image/png",
        buffer,
      });
      await page.getByRole("button", { name: "Save changes" }).click();
      await page.waitForURL(url + event);
      await page.getByRole("region", { name: "Messages" }).getByText("are saved").waitFor();
      assertEquals(await page.evaluate(`localStorage.getItem("bar")`), "shown");
    },
  ],
  [
    "a dialog asks before an event is deleted",
    `/organize${event}/edit`,
    async ({ page, url }) => {
      await page.getByRole("button", { name: "Delete it" }).click();
      const dialog = page.getByRole("dialog", { name: "Delete this event?" });
      assertEquals(await focused(page), "Keep it");
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "hidden" });
      assertEquals(page.url(), `${url}/organize${event}/edit`);
      await page.getByRole("button", { name: "Delete it" }).click();
      await dialog.getByRole("button", { name: "Delete event" }).click();
      await page.waitForURL(`${url}/organize`);
      await page.getByRole("region", { name: "Messages" }).getByText("is deleted").waitFor();
    },
  ],
  [
    "what a page is about stands below its heading, not beside it",
    "/events",
    async ({ page }) => {
      const [heading, count] = await Promise.all(
        ["h1", ".result-count"].map((selector) => page.locator(selector).boundingBox()),
      );
      assert(heading && count);
      assertLess(heading.y + heading.height - 1, count.y);
    },
  ],
];

testUnless(noChromium, {
  name: "example: what the kit does with a script",
  fn: async (t) => {
    await withBrowser(async (browser) => {
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
    });
  },
});

/** Leaves a mark that is gone when the page is left. */
async function mark(page: Page): Promise<void> {
  await page.evaluate("globalThis.isMarked = true");
}

async function isMarked(page: Page): Promise<boolean> {
  return await page.evaluate("globalThis.isMarked === true");
}

/** The text of what has the focus. */
async function focused(page: Page): Promise<string> {
  return String(await page.evaluate("document.activeElement.textContent.trim()"));
}

/** Where a navigation says that one is. */
async function current(page: Page, name: string): Promise<string[]> {
  return await page.getByRole("navigation", { name }).locator("[aria-current]").allInnerTexts();
}
