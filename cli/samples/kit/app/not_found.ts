import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";
import { nav } from "./nav.ts";

/** The texts of the page. */
const messages = catalog({
  en: {
    title: "Not found",
    noSuchPage: "Page not found",
    mistyped: "There is nothing at {path}. It may have moved, or the address may be mistyped.",
    toStart: "Back to the home page",
  },
  pt: {
    title: "Não encontrado",
    noSuchPage: "Esta página não existe",
    mistyped:
      "Nada responde em {path}. A página pode ter mudado de lugar, ou o endereço tem um erro.",
    toStart: "Voltar ao início",
  },
});

/** The page for URLs without a route. */
export async function NotFound(c: Ctx): Promise<Node> {
  c.title = c.t(messages, "title");
  return ui.fault(
    c.t(messages, "noSuchPage"),
    ui.scene("missing"),
    h.p(c.t(messages, "mistyped", { path: c.url.pathname.slice(0, 100) })),
    // The list that the URL may refer to.
    ui.nearby(c, await nav(c)),
    ui.buttonLink(c.href("/"), ui.icon("arrow-left"), c.t(messages, "toStart")),
  );
}
