import type { Ctx } from "@fw/fw";
import { messages } from "@/lib/messages.ts";

/** The name of the site. */
export const site = "Miradouro";

/** Returns the title of the document from the page's title. */
export function documentTitle(c: Ctx): string {
  return c.title === "" ? `${site}: ${c.t(messages, "tagline")}` : `${c.title} · ${site}`;
}
