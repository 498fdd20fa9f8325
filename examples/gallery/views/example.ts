import type { Ctx, Node } from "@fw/fw";
import * as h from "@fw/fw/h";
import type { Example, Section } from "@/sections/section.ts";
import { bodyOf, code } from "./code.ts";

/** Renders an example with its code below. */
export function exampleView(
  c: Ctx,
  { section, example }: { readonly section: Section; readonly example: Example },
): Node {
  const id = `about-${example.title.toLowerCase().replace(/[^a-z]+/g, "-")}`;
  return h.section(
    h.class("example"),
    h.aria("labelledby", id),
    h.h2(h.id(id), example.title),
    h.when(example.text, (text) => h.p(h.class("example-text"), text)),
    h.div(
      h.class("example-box"),
      h.div(h.class("example-stage"), stage(example.make(c))),
      h.details(
        h.class("example-code"),
        h.open(),
        h.summary("Code"),
        code(bodyOf(section.source, example.make.name), `Code of ${example.title}`),
      ),
    ),
  );
}

/** Removes `autofocus`, because a page of examples is not a refused form. */
function stage(example: Node): Node {
  return h.raw(h.render(example).replaceAll('tabindex="-1" autofocus', 'tabindex="-1"'));
}
