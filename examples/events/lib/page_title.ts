import type { Ctx } from "@fw/fw";

/** The name of the site. */
export const site = "Miradouro";

/** The title of the document, from that of the page. */
export function documentTitle({ title }: Ctx): string {
  return title === "" ? `${site}: what is on in Lisbon` : `${title} · ${site}`;
}
