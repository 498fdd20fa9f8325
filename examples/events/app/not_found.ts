import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { anyEvent } from "@/lib/event_query.ts";
import { horizon } from "@/views/horizon.ts";
import { searchForm } from "@/views/search_form.ts";

/** The page of every URL that leads nowhere. */
export function NotFound(c: Ctx): Node {
  c.title = "Not found";
  return h.section(
    h.class("lost"),
    horizon(),
    h.div(
      h.p(h.class("kicker"), "404"),
      h.h1("No view from here"),
      h.p(
        h.class("lead"),
        "This address leads to a wall. The event may be long over, or a letter may have gone missing.",
      ),
      searchForm(c, anyEvent),
      h.p(ui.buttonLink(c.href("/events"), ui.outline, "See all events")),
    ),
  );
}
