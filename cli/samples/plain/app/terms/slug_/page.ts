import type { Ctx, Node } from "@fw/fw";
import { catalog } from "@fw/fw/i18n";
import { must, node } from "@fw/fw/tmpl";
import viewText from "./view.gohtml" with { type: "text" };

/** The texts of the page. */
const messages = catalog({
  en: {
    title: "Terms",
  },
  pt: {
    title: "Terms",
  },
});

const views = must({ "view.gohtml": viewText });

/** GET /terms/{slug} */
export function Page(c: Ctx<"/terms/{slug}">): Node {
  c.title = c.t(messages, "title");
  const data = {
    title: c.title,
    // each param
    slug: c.param("slug"),
    // end
  };
  return node(views, "view.gohtml", data, { nonce: c.nonce });
}
