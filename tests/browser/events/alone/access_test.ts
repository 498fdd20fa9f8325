import { assert, assertEquals } from "@std/assert";
import { type Page, testServed } from "../../browser.ts";
import { withSite } from "../site.ts";
import { visit } from "../../gallery/site.ts";
import { isThorough } from "../../../thorough.ts";
import { findFaults, overflow, recolor, settle } from "../../page_faults.ts";

const event = "/events/fado-without-a-microphone";

const pages: [name: string, path: string, run?: (page: Page) => Promise<void>][] = [
  ["front page", "/"],
  ["list", "/events"],
  ["list with filters", "/events?when=week&category=music&price=free"],
  ["nothing found", "/events?q=zeppelin"],
  ["event", event],
  ["event with a message", event, async (page) => {
    await page.getByRole("button", { name: "I am going" }).click();
    await page.getByText("See you there").waitFor();
  }],
  ["about", "/about"],
  ["schedule", "/organize"],
  ["menu of a row", "/organize", async (page) => {
    await page.locator("main .ui-menu summary").first().click();
    await page.getByRole("link", { name: "Delete" }).first().waitFor();
  }],
  ["venues", "/organize/venues"],
  ["new event", "/organize/events/new"],
  ["new event with errors", "/organize/events/new", async (page) => {
    await page.getByRole("button", { name: "Add to the schedule" }).click();
    await page.getByRole("alert").waitFor();
  }],
  ["guests", `/organize${event}/guests`],
  ["edit", `/organize${event}/edit`],
  ["dialog before deleting", `/organize${event}/edit`, async (page) => {
    await page.getByRole("button", { name: "Delete it" }).click();
    await page.getByRole("dialog").waitFor();
  }],
  ["page before deleting", `/organize${event}/delete`],
  ["not found", "/nowhere"],
];

/** Elements that must still be open after a page was checked in every look. */
const shownBy: Readonly<Record<string, readonly string[]>> = {
  "event with a message": ["text=See you there"],
  "menu of a row": ["main .ui-menu-panel"],
  "new event with errors": ["[role=alert]"],
  "dialog before deleting": ["dialog[open]"],
};

/** Recognizes console messages about intended error responses: an invalid form, a missing page. */
const isMeant = (text: string): boolean => /status of (404|422)/.test(text);

/**
 * One after the other without reloading, the narrow one first, because its buttons may be hard to
 * reach.
 */
const looks = [
  { colorScheme: "light", width: 360, dir: "ltr" },
  { colorScheme: "dark", width: 1_280, dir: "ltr" },
  { colorScheme: "light", width: 1_280, dir: "rtl" },
] as const;

testServed(
  "example: has no accessibility violation, no browser message and no overflow",
  withSite,
  (url, browser, t) =>
    visit(browser, { colorScheme: "light" }, async ({ page, said }) => {
      for (const [name, path, run] of pages) {
        await page.emulateMedia({ colorScheme: "light" });
        await page.setViewportSize({ width: 360, height: 900 });
        await page.goto(url + path);
        await run?.(page);
        for (const { colorScheme, width, dir } of isThorough ? looks : looks.slice(0, 1)) {
          await t.step(`${name}: ${colorScheme}, ${width} px, ${dir}`, async () => {
            await page.setViewportSize({ width, height: 900 });
            await recolor(page, colorScheme);
            await page.evaluate(`document.documentElement.dir = "${dir}"`);
            // A page that becomes wider stays scrolled, so a link may be half below the header.
            await page.evaluate("scrollTo({ top: 0, behavior: 'instant' })");
            await settle(page);
            assertEquals(await findFaults(page), []);
            assertEquals(await overflow(page), 0);
            assertEquals(said.splice(0).filter((text) => !isMeant(text)), []);
          });
        }
        for (const shown of shownBy[name] ?? []) {
          assert(await page.locator(shown).first().isVisible(), shown);
        }
      }
    }),
);
