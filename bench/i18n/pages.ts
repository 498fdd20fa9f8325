/** The application of the languages bench, with and without languages. */
import * as h from "../../html/mod.ts";
import { App, type Ctx, type Settings } from "../../mod.ts";
import { catalog } from "../../runtime/i18n/mod.ts";
import * as ui from "../../ui/mod.ts";

const messages = catalog({
  en: { title: "What is on", seats: { one: "one seat left", other: "{count} seats left" } },
  "pt-PT": { title: "Em cena", seats: { one: "resta um lugar", other: "restam {count} lugares" } },
});

/** The texts of the application. */
export interface Words {
  title(c: Ctx): string;
  seats(c: Ctx, count: number): string;
}

/** Texts in the code. */
export const fixed: Words = {
  title: () => "What is on",
  seats: (_c, count) => count === 1 ? "one seat left" : `${count} seats left`,
};

/** Texts from a catalog. */
export const spoken: Words = {
  title: (c) => c.t(messages, "title"),
  seats: (c, count) => c.t(messages, "seats", { count }),
};

/** The pages and their numbers of rows: about 2, 12 and 60 KB. */
export const pages = { "2 KB": 5, "12 KB": 40, "60 KB": 210 };

/** Creates an application with typical pages: a layout, the kit's navigation, a list. */
export function newApp(settings: Settings, words: Words): App {
  const app = new App({ logRequest: () => false, ...settings });
  for (const count of Object.values(pages)) {
    const rows = Array.from({ length: count }, (_, index) => index + 1);
    app.route({
      pattern: `/${count}`,
      layouts: [(c, children) =>
        h.html(
          h.lang(c.language),
          h.head(h.meta(h.charset("utf-8")), h.title(words.title(c)), ui.head(c)),
          h.body(
            ui.nav(ui.navLink(c.base + "/", "Home"), ui.navLink(c.base + "/events", "Events")),
            h.main(children),
          ),
        )],
      page: (c) =>
        h.fragment(
          h.h1(words.title(c)),
          h.ul(rows.map((row) =>
            h.li(
              h.class("card"),
              h.a(h.href(`/events/talk-${row}`), `A short talk about the number ${row}`),
              h.p(h.class("meta"), "Thursday at half past seven, in the great hall of the library"),
              h.p(words.seats(c, 7)),
            )
          )),
        ),
    });
  }
  return app;
}

/** The languages of the application. */
export const languages = ["en", "pt-PT"];
/** An `Accept-Language` like a browser's. */
export const accept = "pt-PT,pt;q=0.9,en-US;q=0.8,en;q=0.7";
