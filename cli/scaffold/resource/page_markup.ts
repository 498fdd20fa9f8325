/**
 * What the pages of a resource have in common.
 *
 * @module
 */
import type { ResourcePlan } from "./plan.ts";

/** The markup of a page, with the kit or without. */
interface Markup {
  readonly imports: string;
  /** The head of a page with links. */
  head(...links: readonly string[]): string;
  link(href: string, text: string): string;
}

/** Returns the markup that the pages of a plan use. */
export function markupOf({ hasKit }: ResourcePlan): Markup {
  const html = 'import * as h from "@fw/fw/h";\n';
  return hasKit
    ? {
      imports: `${html}import * as ui from "@fw/fw/ui";\n`,
      head: (...links) => `ui.pageHeader(${["c.title", ...links].join(", ")})`,
      link: (href, text) => `ui.buttonLink(${href}, ${text})`,
    }
    : {
      imports: html,
      head: (...links) =>
        ["h.h1(c.title)", messages, ...links.map((link) => `h.p(${link})`)].join(", "),
      link: (href, text) => `h.a(h.href(${href}), ${text})`,
    };
}

/** What was flashed: the layout of the kit shows it. */
const messages = 'h.map(c.flashes(), ({ text }) => h.p(h.role("status"), text))';

/** Returns the path of a page of the resource. */
export function pageFile({ names }: ResourcePlan, folder = ""): string {
  return `app/${names.url}/${folder === "" ? "" : `${folder}/`}page.ts`;
}
