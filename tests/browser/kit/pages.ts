/** Pages connected by navigation links. */
import type { Child, Ctx, Node, Route } from "../../../mod.ts";
import type { Page } from "../browser.ts";
import { h, ui, until } from "./site.ts";

/** A layout in which every link navigates. */
export function layout(c: Ctx, children: Node): Node {
  return h.html(
    h.lang("en"),
    h.head(h.meta(h.charset("utf-8")), h.title(c.title), ui.head(c)),
    h.body(
      ui.body(),
      ui.navigate("main"),
      ui.nav(
        ui.navLink("/one", "One", c.pattern === "/one"),
        ui.navLink("/two", "Two", c.pattern === "/two"),
      ),
      h.main(h.id("main"), children),
      ui.flashes(c),
    ),
  );
}

/** Returns a page with a title inside that layout. */
export function page(
  pattern: string,
  title: string,
  body: (c: Ctx) => Child | Promise<Child>,
): Route {
  return {
    pattern,
    layouts: [layout],
    page: async (c) => {
      c.title = title;
      return h.fragment(await body(c));
    },
  };
}

const tall = (): Node => h.p(h.styleAttr("height: 3000px"), "tall");

/** Returns two pages, the first of which has more links. */
export function site(links: readonly Node[] = [], more: readonly Route[] = []): readonly Route[] {
  return [
    page("/one", "First", () => [
      h.h1("One"),
      ...links,
      tall(),
      h.p(h.a(h.id("low"), h.href("/two"), "to two")),
    ]),
    page("/two", "Second", () => [h.h1("Two"), tall(), h.h2(h.id("end"), "End")]),
    ...more,
  ];
}

export const heading = (page: Page): Promise<string> => page.locator("h1").innerText();
export const scrolled = async (page: Page): Promise<number> =>
  Number(await page.evaluate("scrollY"));

export async function untilHeading(page: Page, text: string): Promise<void> {
  await until(page, `document.querySelector("h1")?.textContent === ${JSON.stringify(text)}`);
}
