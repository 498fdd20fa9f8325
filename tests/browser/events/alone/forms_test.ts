import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { type Browser, type Page, testServed } from "../../browser.ts";
import { withSite } from "../site.ts";

type Locator = ReturnType<Page["getByLabel"]>;

/** Opens a page in a browser with scripts disabled, because every page works without them. */
async function openPage(browser: Browser, width: number): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    // Skips view transitions between pages.
    reducedMotion: "reduce",
    viewport: { width, height: 900 },
  });
  return await context.newPage();
}

/**
 * Finds the field of a label, with or without its "optional" mark, but not of labels that only
 * contain the name.
 */
function field(page: Page, label: string): Locator {
  return page.getByLabel(new RegExp(`^${label}( \\(?optional\\)?)?$`));
}

async function fillIn(page: Page, start: string, end: string): Promise<void> {
  await field(page, "Title").fill("Swifts & Swallows");
  await field(page, "Category").selectOption({ label: "Outdoors" });
  await field(page, "Summary").fill("An hour on a terrace.");
  await field(page, "Story").fill("Bring a hat.\n\nThe swifts arrive at eight.");
  await field(page, "Venue").selectOption({ label: "Estufa Velha, Marvila" });
  await field(page, "Start").fill(start);
  await field(page, "End").fill(end);
  await field(page, "Number of seats").fill("30");
  await field(page, "Price").fill("7,50");
}

/** Returns the width of the displayed cover image, and fails for a broken one. */
async function coverWidth(page: Page): Promise<number> {
  const find = "document.querySelector('.event > img.cover')";
  return Number(await page.evaluate(`${find}.decode().then(() => ${find}.naturalWidth)`));
}

for (const width of [1_200, 360]) {
  testServed(
    `an organiser adds, changes and deletes an event, ${width} px wide, without scripts`,
    withSite,
    async (url, browser, t) => {
      const page = await openPage(browser, width);
      const photo = {
        name: "swifts.png",
        mimeType: "image/png",
        buffer: Buffer.from(await page.screenshot()),
      };
      await page.goto(`${url}/organize`);
      await page.getByRole("main").getByRole("link", { name: "New event" }).last().click();

      await t.step(
        "a hall that is taken: the summary has the focus and links to the field",
        async () => {
          await fillIn(page, "2026-05-15T22:00", "2026-05-15T23:00");
          await field(page, "Picture").setInputFiles(photo);
          await page.getByRole("button", { name: "Add to the schedule" }).click();
          const summary = page.getByRole("alert");
          await summary.waitFor();
          assertEquals(await page.locator(":focus").getAttribute("role"), "alert");
          await summary.getByRole("link", { name: /^Venue is taken then/ }).click();
          assertEquals(await page.locator(":focus").getAttribute("id"), "venue");
          assertEquals(await field(page, "Title").inputValue(), "Swifts & Swallows");
          await page.getByText("Choose the file again").waitFor();
        },
      );

      await t.step("another day: the event has a page, with its picture", async () => {
        await field(page, "Start").fill("2026-05-20T19:00");
        await field(page, "End").fill("2026-05-20T20:30");
        await field(page, "Picture").setInputFiles(photo);
        await page.getByRole("button", { name: "Add to the schedule" }).click();
        await page.getByRole("heading", { name: "Swifts & Swallows", level: 1 }).waitFor();
        assertEquals(page.url(), `${url}/events/swifts-swallows`);
        assertEquals(
          await page.getByRole("region", { name: "Messages" }).innerText(),
          "“Swifts & Swallows” is on the schedule.",
        );
        assertEquals(await coverWidth(page), width);
        await page.reload();
        assertEquals(await page.locator("[data-ui-toast]").count(), 0);
      });

      await t.step("a removed picture is replaced by a drawn cover", async () => {
        await page.goto(`${url}/organize/events/swifts-swallows/edit`);
        await field(page, "Remove the picture").check();
        await field(page, "Title").fill("Swifts");
        await page.getByRole("button", { name: "Save changes" }).click();
        await page.getByRole("heading", { name: "Swifts", level: 1, exact: true }).waitFor();
        assertEquals(await coverWidth(page), 960);
      });

      await t.step("the event is deleted after a question", async () => {
        await page.goto(`${url}/organize/events/swifts-swallows/edit`);
        await page.getByRole("link", { name: "Delete it" }).click();
        await page.getByRole("button", { name: "Delete event" }).click();
        await page.getByText("“Swifts” is deleted.").waitFor();
        assertEquals(page.url(), `${url}/organize`);
        const answer = await page.goto(`${url}/events/swifts-swallows`);
        assertEquals(answer?.status(), 404);
      });
    },
  );
}
