import type { Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./icons.ts" with { type: "text" };

function all(): Node {
  return h.ul(
    h.class("icons"),
    h.map(ui.icons(), (name) => h.li(ui.icon(name), h.code(name))),
  );
}

function inText(): Node {
  return ui.stack(
    h.p(ui.icon("clock"), " They take the size and the colour of the text."),
    h.h2(ui.icon("star"), " In a heading as well"),
  );
}

export const icons: Section = {
  name: "icons",
  title: "Icons",
  lead: "Drawn for the kit, inline, 24 units in lines of two.",
  source,
  examples: [
    { title: "All", make: all },
    { title: "In text", make: inText },
  ],
};
