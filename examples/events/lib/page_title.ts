import type { Ctx } from "@fw/fw";
import { messages } from "@/lib/messages.ts";

/** The name of the site. */
export const site = "Miradouro";

/** The title of the document, from that of the page. */
export function documentTitle(c: Ctx): string {
  return c.title === "" ? `${site}: ${c.t(messages, "tagline")}` : `${c.title} · ${site}`;
}
