import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";

/** The page for URLs without a route. */
export function NotFound(c: Ctx): Node {
  c.title = "Not found";
  return ui.emptyState(
    h.h1("There is no such page"),
    ui.icon("search"),
    h.p("The address may be misspelt."),
    ui.buttonLink(c.href("/"), "To the overview"),
  );
}
