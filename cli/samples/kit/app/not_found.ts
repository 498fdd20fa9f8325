import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";

/** The texts of the page. */
const messages = catalog({
  en: {
    title: "Not found",
    noSuchPage: "There is no such page",
    mistyped: "The address may be mistyped, or the page may have moved.",
    toStart: "Back to the start",
  },
  pt: {
    title: "Não encontrado",
    noSuchPage: "Esta página não existe",
    mistyped: "O endereço pode ter um erro, ou a página pode ter mudado de lugar.",
    toStart: "Voltar ao início",
  },
});

/** The page of every URL that leads nowhere. */
export function NotFound(c: Ctx): Node {
  c.title = c.t(messages, "title");
  return ui.fault(
    c.t(messages, "noSuchPage"),
    ui.sign("search"),
    h.p(c.t(messages, "mistyped")),
    ui.buttonLink(c.href("/"), ui.icon("arrow-left"), c.t(messages, "toStart")),
  );
}
