import * as h from "@fw/fw/h";
import type { Node } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./markdown.ts" with { type: "text" };

/** The output of a Markdown library. */
function text(): Node {
  return ui.prose(
    h.h3("On Friday"),
    h.ol(
      h.li(h.em("Tiles After Dark"), ", 20:00, 9 €"),
      h.li(h.em("Listening for Owls"), ", 22:00, 5 €"),
    ),
    h.blockquote(h.p("Bring a torch.")),
    h.p("Doors open with the code ", h.code("B7"), "."),
  );
}

export const markdown: Section = {
  name: "markdown",
  title: "Prose",
  lead: "Text that a Markdown library turned into HTML.",
  source,
  examples: [
    {
      title: "Prose",
      text: "The space between paragraphs, lists, quotes, code and tables.",
      make: text,
    },
  ],
};
