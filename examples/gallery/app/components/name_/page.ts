import { type Ctx, type Node, notFound, type Params, type Result } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { sections } from "@/sections/mod.ts";
import { exampleView } from "@/views/example.ts";

/** Returns the pages of a static export. */
export function Paths(): Params[] {
  return sections.map(({ name }) => ({ name }));
}

/** Renders related components, each with its code. */
export function Page(c: Ctx<"/components/{name}">): Result {
  const section = sections.find(({ name }) => name === c.param("name"));
  if (section === undefined) return notFound();
  c.title = section.title;
  const examples: Node = h.map(section.examples, (example) => exampleView(c, { section, example }));
  return ui.stack(
    h.class("page"),
    ui.pageHeader(section.title, h.p(section.lead)),
    examples,
  );
}
