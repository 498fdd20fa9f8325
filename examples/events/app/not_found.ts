import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { anyEvent } from "@/lib/events/query.ts";
import { messages } from "@/lib/messages.ts";
import { horizon } from "@/views/horizon.ts";
import { searchForm } from "@/views/search_form.ts";

/** The page for URLs without a route. */
export function NotFound(c: Ctx): Node {
  c.title = c.t(messages, "lostTitle");
  return h.section(
    h.class("lost"),
    horizon(),
    h.div(
      h.p(h.class("kicker"), "404"),
      h.h1(c.t(messages, "lost")),
      h.p(h.class("lead"), c.t(messages, "lostText")),
      searchForm(c, anyEvent),
      h.p(ui.buttonLink(c.href("/events"), ui.outline, c.t(messages, "seeAllEvents"))),
    ),
  );
}
