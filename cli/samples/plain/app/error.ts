import { type Ctx, publicMessage, type Result, statusOf } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog } from "@fw/fw/i18n";

/** The texts of the page. */
const messages = catalog({
  en: {
    broke: "Something broke",
    didNotWork: "That did not work",
    ourFault: "The fault is ours, and it has been noted.",
    reference: "Reference:",
    toStart: "Back to the start",
  },
  pt: {
    broke: "Ocorreu um erro",
    didNotWork: "Não resultou",
    ourFault: "O erro é nosso e ficou registado.",
    reference: "Referência:",
    toStart: "Voltar ao início",
  },
});

/** The error page for every error except 404. */
function ErrorPage(c: Ctx, error: unknown): Result {
  const status = statusOf(error);
  const isOurs = status >= 500;
  // In development, the framework's own page has more detail.
  if (isOurs && c.env === "dev") return null;
  c.title = c.t(messages, isOurs ? "broke" : "didNotWork");
  return h.section(
    h.class("hero"),
    h.p(h.class("badge"), String(status)),
    h.h1(c.title),
    isOurs && h.p(h.class("lead"), c.t(messages, "ourFault")),
    // The message of a 4xx is for the client; that of a 5xx is not.
    h.when(publicMessage(error), (message) => h.p(h.class("lead"), message)),
    h.p(c.t(messages, "reference"), " ", h.code(c.requestId)),
    h.p(h.a(h.class("button"), h.href(c.href("/")), c.t(messages, "toStart"))),
  );
}

// Renamed here, so that the global `Error` keeps its name in this file.
export { ErrorPage as Error };
