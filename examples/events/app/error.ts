import { type Ctx, HttpError, type Node, statusOf } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { photoSize } from "@/lib/event_form.ts";
import { horizon } from "@/views/horizon.ts";

/** The page of every error but 404. */
function ErrorPage(c: Ctx, error: unknown): Node {
  const status = statusOf(error);
  const isOurs = status >= 500;
  c.title = isOurs ? "Something broke" : "That did not work";
  return h.section(
    h.class("lost"),
    horizon(),
    h.div(
      h.p(h.class("kicker"), status),
      h.h1(c.title),
      h.p(
        h.class("lead"),
        isOurs ? "The fault is on our side. Please try again in a moment." : reasonOf(error),
      ),
      h.p("If you write to us, mention ", h.code(c.requestId), "."),
      h.p(ui.buttonLink(c.href("/"), ui.outline, "Back to the front page")),
    ),
  );
}

/** What was wrong with a request: that much a visitor may know, and can fix. */
function reasonOf(error: unknown): string {
  if (statusOf(error) === 413) {
    return `That is more than can be sent. A picture is ${photoSize} at most.`;
  }
  const { message } = error instanceof HttpError ? error : { message: "" };
  if (message === "") return "The server understood the request, and cannot answer it like this.";
  const sentence = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}

// Renamed here, so that the global `Error` keeps its name in this file.
export { ErrorPage as Error };
