import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { sections } from "@/sections/mod.ts";
import { showcase } from "@/views/showcase.ts";

/** Renders an introduction to the kit and links to its pages. */
export function Page(c: Ctx): Node {
  return ui.stack(
    h.class("page"),
    ui.pageHeader(
      "The component kit",
      h.p(
        "Functions that give HTML, a stylesheet on a theme of variables, and a small script. " +
          "Light and dark, any direction of writing, and nothing that needs the script.",
      ),
    ),
    showcase(),
    h.h2("All components"),
    ui.grid(
      h.map(sections, (section) =>
        ui.card(
          h.class("link-card"),
          ui.cardHeader(
            h.h3(h.a(h.href(c.href("/components/{name}", { name: section.name })), section.title)),
            h.p(section.lead),
          ),
        )),
    ),
  );
}
