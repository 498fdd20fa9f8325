import { assertEquals } from "@std/assert";
import { type CDPSession, type Page, testServed } from "../browser.ts";
import { paths, visit, withGallery } from "./site.ts";
import { isThorough } from "../../thorough.ts";
import { findFaults, overflow, recolor, settle } from "../page_faults.ts";

const wide = { width: 1_280, height: 900 };
const narrow = { width: 360, height: 740 };

/**
 * The looks that a page is changed to without reloading: loading a page and axe takes longer than
 * checking it.
 */
const looks: readonly (readonly [
  name: string,
  turn: (page: Page, session: CDPSession) => Promise<void>,
  // Only the colours differ from the previous look, so only they are checked.
  isRecolored?: boolean,
])[] = [
  ["light, 1280 px", () => Promise.resolve()],
  ["dark, 360 px", async (page) => {
    await page.setViewportSize(narrow);
    await recolor(page, "dark");
  }],
  ["light, 360 px, touch", async (page, session) => {
    await recolor(page, "light");
    await setTouch(session, "on");
  }],
  ["light, 360 px, right to left", async (page, session) => {
    await setTouch(session, "off");
    await turnAround(page, "rtl");
  }],
  ["dark, on paper", async (page) => {
    await page.setViewportSize(wide);
    await recolor(page, "dark");
    await turnAround(page, "ltr");
    await page.emulateMedia({ media: "print" });
  }],
  ["light, on paper", (page) => recolor(page, "light"), true],
];

/** Gives the window the size of a phone while the session is attached. */
async function setTouch(session: CDPSession, touch: "on" | "off"): Promise<void> {
  const isTouched = touch === "on";
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: isTouched });
  await session.send("Emulation.setDeviceMetricsOverride", {
    ...narrow,
    deviceScaleFactor: 1,
    mobile: isTouched,
  });
}

async function checkWindow(page: Page, name: string): Promise<void> {
  const isCoarse = "matchMedia('(pointer: coarse) and (hover: none)').matches";
  const found = await page.evaluate(`({ width: innerWidth, isTouched: ${isCoarse} })`);
  const { width } = name.includes("360 px") ? narrow : wide;
  assertEquals(found, { width, isTouched: name.includes("touch") });
}

/** Changes the writing direction with the gallery's own link. */
async function turnAround(page: Page, dir: "ltr" | "rtl"): Promise<void> {
  await page.evaluate("document.querySelector('[data-gallery-dir]').click()");
  assertEquals(await page.evaluate("document.documentElement.dir"), dir);
}

testServed(
  "gallery: has no accessibility violation, no browser message and no overflow",
  withGallery,
  (url, browser, t) =>
    visit(browser, {}, async ({ page, said }) => {
      const session = await page.context().newCDPSession(page);
      for (const path of paths) {
        await page.emulateMedia({ colorScheme: "light", media: null });
        await page.setViewportSize(wide);
        await page.goto(url + path);
        for (
          const [name, turn, isRecolored = false] of isThorough ? looks : looks.slice(0, 2)
        ) {
          await t.step(`${path}: ${name}`, async () => {
            await turn(page, session);
            await settle(page);
            await checkWindow(page, name);
            assertEquals(await findFaults(page, { isRecolored }), []);
            if (!name.endsWith("paper")) assertEquals(await overflow(page), 0);
            // The console reports every 404 response.
            assertEquals(said.splice(0).filter((text) => !/status of 404/.test(text)), []);
          });
        }
      }
    }),
);
