import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog } from "@fw/fw/i18n";

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

/** The page for URLs without a route. */
export function NotFound(c: Ctx): Node {
  c.title = c.t(messages, "title");
  return h.section(
    h.class("hero"),
    h.p(h.class("badge"), "404"),
    h.h1(c.t(messages, "noSuchPage")),
    h.p(h.class("lead"), c.t(messages, "mistyped")),
    h.p(h.a(h.class("button"), h.href(c.href("/")), c.t(messages, "toStart"))),
  );
}
