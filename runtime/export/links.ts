import type { PageLink } from "./page.ts";
import {
  type BrokenLink,
  type BrokenLinkReason,
  type ExportProblem,
  exportProblem,
} from "./report.ts";
import { pageAt, type Site } from "./site.ts";

export interface LinkingPage {
  readonly path: string;
  readonly links: readonly PageLink[];
}

/** The contents of the site, by canonical path. */
export interface SiteContent {
  readonly site: Site;
  /** The element ids of the pages; `undefined` for a redirect. */
  readonly pages: ReadonlyMap<string, ReadonlySet<string> | undefined>;
  readonly fileKeys: ReadonlySet<string>;
  /** Failed pages, which are reported already. */
  readonly failed: ReadonlySet<string>;
  /** Whether a mount or another application serves a path. */
  readonly isServed: (key: string) => boolean;
  readonly missingReason: (key: string) => BrokenLinkReason;
}

/** Reports whether the site has a canonical path. */
export function isInSite(key: string, content: SiteContent): boolean {
  const page = pageAt(content.site, key);
  if (page !== undefined && content.pages.has(page)) return true;
  return content.fileKeys.has(key) || content.isServed(key);
}

/** Finds broken links, and links to an element that does not exist. */
export function checkLinks(
  pages: readonly LinkingPage[],
  content: SiteContent,
): { readonly broken: readonly BrokenLink[]; readonly warnings: readonly ExportProblem[] } {
  const broken: BrokenLink[] = [];
  const warnings: ExportProblem[] = [];
  for (const { path, links } of pages) {
    for (const { link, key, fragment } of links) {
      if (key === undefined) broken.push({ page: path, link, reason: "outside_base" });
      else if (!isInSite(key, content)) {
        if (content.failed.has(pageAt(content.site, key) ?? key)) continue;
        broken.push({ page: path, link, reason: content.missingReason(key) });
      } else if (!hasFragment(key, fragment, content)) {
        warnings.push(exportProblem("fragment", { subject: path, detail: link }));
      }
    }
  }
  return { broken, warnings };
}

function hasFragment(key: string, fragment: string, { site, pages }: SiteContent): boolean {
  // Browsers treat `#top` as the start of any page.
  if (fragment === "" || /^top$/i.test(fragment)) return true;
  const ids = pages.get(pageAt(site, key) ?? "");
  return ids === undefined || ids.has(fragment);
}
