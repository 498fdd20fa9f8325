import { type Ctx, publicMessage, type Result, statusOf } from "@fw/fw";
import * as h from "@fw/fw/h";
import { catalog } from "@fw/fw/i18n";
import * as ui from "@fw/fw/ui";

/** The texts of the page. */
const messages = catalog({
  en: {
    broke: "That did not work, and it is our fault",
    didNotWork: "That did not work",
    ourFault: "Nothing you entered is lost: go back and it is still in the form. " +
      "If you ask for help, give this reference.",
    reference: "Reference:",
    tryAgain: "Try again",
    toStart: "Back to the start",
  },
  pt: {
    broke: "Não resultou, e a culpa é nossa",
    didNotWork: "Não resultou",
    ourFault: "Nada do que escreveu se perdeu: volte atrás e ainda está no formulário. " +
      "Se pedir ajuda, indique esta referência.",
    reference: "Referência:",
    tryAgain: "Tentar de novo",
    toStart: "Voltar ao início",
  },
});

/** The error page for every error except 404. */
function ErrorPage(c: Ctx, error: unknown): Result {
  const status = statusOf(error);
  const isOurs = status >= 500;
  // In development, the framework's own page has more detail.
  if (isOurs && c.env === "dev") return null;
  c.title = c.t(messages, "didNotWork");
  return ui.fault(
    isOurs ? c.t(messages, "broke") : c.title,
    isOurs ? ui.scene("broken") : ui.sign("alert", ui.warning),
    isOurs && h.p(c.t(messages, "ourFault")),
    // The message of a 4xx is for the client; that of a 5xx is not.
    h.when(publicMessage(error), (message) => h.p(message)),
    !isOurs && h.p(c.t(messages, "reference")),
    // The request id matches the log line.
    ui.snippet(c.requestId),
    ui.row(
      isOurs && c.method === "GET" &&
        ui.buttonLink(
          c.url.pathname + c.url.search,
          ui.icon("refresh"),
          c.t(messages, "tryAgain"),
        ),
      ui.buttonLink(
        c.href("/"),
        isOurs && ui.outline,
        ui.icon("arrow-left"),
        c.t(messages, "toStart"),
      ),
    ),
  );
}

// Renamed here, so that the global `Error` keeps its name in this file.
export { ErrorPage as Error };
