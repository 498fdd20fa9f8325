import { assertEquals } from "@std/assert";
import { testUnless } from "../../../tools/skip.ts";
import { noChromium, type Page, withBrowser } from "../browser.ts";
import { paths, visit, type VisitOptions, withGallery } from "./site.ts";
import { findFaults, overflow, recolor, settle } from "../page_faults.ts";

/** What a page is turned into without another load. */
interface Look {
  readonly name: string;
  readonly turn: (page: Page) => Promise<void>;
}

const wide = { width: 1_280, height: 900 };
const narrow = { width: 360, height: 740 };

const loads: readonly (readonly [
  name: string,
  options: VisitOptions,
  query: string,
  look?: Look,
])[] = [
  ["light, 1280 px", { colorScheme: "light", viewport: wide }, "", {
    name: "dark, 360 px",
    turn: async (page) => {
      await page.setViewportSize(narrow);
      await recolor(page, "dark");
    },
  }],
  ["dark, 1280 px, right to left", { colorScheme: "dark", viewport: wide }, "?dir=rtl", {
    name: "light, 360 px, right to left",
    turn: async (page) => {
      await page.setViewportSize(narrow);
      await recolor(page, "light");
    },
  }],
  [
    "light, 360 px, touch",
    { colorScheme: "light", hasTouch: true, isMobile: true, viewport: narrow },
    "",
  ],
];

for (const [name, options, query, look] of loads) {
  testUnless(noChromium, {
    name: `gallery: no fault of access, no word of the browser, nothing too wide: ${name}${
      look === undefined ? "" : `; ${look.name}`
    }`,
    fn: async (t) => {
      await withGallery((url) =>
        withBrowser((browser) =>
          visit(browser, options, async ({ page, said }) => {
            const judge = async (message: string): Promise<void> => {
              await settle(page);
              assertEquals(await findFaults(page), [], message);
              assertEquals(await overflow(page), 0, message);
            };
            for (const path of paths) {
              await t.step(path, async () => {
                await page.emulateMedia({ colorScheme: options.colorScheme ?? null });
                await page.setViewportSize(options.viewport ?? wide);
                await page.goto(`${url}${path}${query}`);
                await judge(name);
                if (look !== undefined) {
                  await look.turn(page);
                  await judge(look.name);
                }
                // The browser says of every answer that it is a 404.
                assertEquals(said.splice(0).filter((text) => !/status of 404/.test(text)), []);
              });
            }
          })
        )
      );
    },
  });
}
