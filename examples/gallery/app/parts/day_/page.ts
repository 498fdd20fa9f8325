import { type Ctx, notFound, type Params, type Result } from "@fw/fw";
import * as h from "@fw/fw/h";
import * as ui from "@fw/fw/ui";
import { days, programme } from "@/sections/interaction.ts";

/** Returns the pages of a static export. */
export function Paths(): Params[] {
  return [...days.keys()].map((day) => ({ day }));
}

/** Renders a day's programme, which the interaction page loads as a part. */
export function Page(c: Ctx<"/parts/{day}">): Result {
  const day = days.get(c.param("day"));
  if (day === undefined) return notFound();
  c.title = day.title;
  return ui.stack(
    h.class("page"),
    ui.pageHeader(c.title, h.p("What the link leads to without a script.")),
    programme(c),
  );
}
