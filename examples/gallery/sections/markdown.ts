import type { Node } from "@fw/fw";
import * as ui from "@fw/fw/ui";
import type { Section } from "./section.ts";
import source from "./markdown.ts" with { type: "text" };

function text(): Node {
  return ui.markdown(`### On Friday

1. *Tiles After Dark*, 20:00, 9 €
2. *Listening for Owls*, 22:00, 5 €

> Bring a torch.

Doors open with the code \`B7\`. <b>HTML</b> stays text.`);
}

export const markdown: Section = {
  name: "markdown",
  title: "Markdown",
  lead: "Text of a model or a stranger.",
  source,
  examples: [
    {
      title: "Markdown",
      text: "Text of a model is safe: HTML stays text, images become links.",
      make: text,
    },
  ],
};
