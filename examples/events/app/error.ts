import { type Ctx, type Node, publicMessage, statusOf } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { photoSize } from "@/lib/events/form.ts";
import { horizon } from "@/views/horizon.ts";
import { pageWords } from "@/lib/page_words.ts";

/** Renders the page of every error except 404. */
function ErrorPage(c: Ctx, error: unknown): Node {
  const status = statusOf(error);
  const isOurs = status >= 500;
  c.title = c.t(pageWords, isOurs ? "broke" : "didNotWork");
  return h.section(
    h.class("lost"),
    horizon(),
    h.div(
      h.p(h.class("kicker"), status),
      h.h1(c.title),
      h.p(
        h.class("lead"),
        isOurs ? c.t(pageWords, "ourFault") : reasonOf(c, error),
      ),
      // The request id matches the log line.
      h.p(c.t(pageWords, "mention"), h.code(c.requestId), "."),
      ui.row(
        isOurs && c.method === "GET" && ui.buttonLink(
          c.url.pathname + c.url.search,
          ui.icon("refresh"),
          c.t(pageWords, "tryAgain"),
        ),
        ui.buttonLink(c.href("/"), ui.outline, c.t(pageWords, "toFront")),
      ),
    ),
  );
}

/** Returns the fault of a request, which a visitor may know and can fix. */
function reasonOf(c: Ctx, error: unknown): string {
  if (statusOf(error) === 413) {
    return c.t(pageWords, "tooLarge", { size: photoSize });
  }
  const message = publicMessage(error) ?? "";
  // Messages of the framework are in English.
  if (message === "" || c.language !== "en" && !isOwn(c, message)) {
    return c.t(pageWords, "understood");
  }
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

function isOwn(c: Ctx, message: string): boolean {
  return message === c.t(pageWords, "noEvent");
}

// Renamed here, so that the global `Error` keeps its name in this file.
export { ErrorPage as Error };
