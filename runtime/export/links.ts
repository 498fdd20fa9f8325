import type { PageLink } from "./page.ts";
import {
  type BrokenLink,
  type BrokenLinkReason,
  type ExportProblem,
  exportProblem,
} from "./report.ts";
import type { Site } from "./site.ts";

/** What a page of the site links to. */
export interface LinkingPage {
  /** Its path. */
  readonly path: string;
  /** Its links inside the site. */
  readonly links: readonly PageLink[];
}

/** The contents of the site. */
export interface SiteContent {
  /** The site's URLs. */
  readonly site: Site;
  /** The ids of the pages by canonical path; `undefined` for a page that only leads on. */
  readonly pages: ReadonlyMap<string, ReadonlySet<string> | undefined>;
  /** The canonical paths of the files. */
  readonly files: ReadonlySet<string>;
  /** Whether a file is the index of the folder at a canonical path. */
  readonly isIndex: (key: string) => boolean;
  /** The canonical paths of failed pages, which are reported already. */
  readonly failed: ReadonlySet<string>;
  /** Whether another application serves a canonical path. */
  readonly isElsewhere: (key: string) => boolean;
  /** Why there may be nothing at a path. */
  readonly reasonOf: (key: string) => BrokenLinkReason;
}

/** Reports whether the site has a canonical path. */
export function isInSite(key: string, content: SiteContent): boolean {
  const page = content.site.pageAt(key);
  if (page !== undefined && content.pages.has(page)) return true;
  return content.files.has(key) || content.isIndex(key) || content.isElsewhere(key);
}

/** Finds the links that lead nowhere, and those to an element that is not there. */
export function checkLinks(
  pages: readonly LinkingPage[],
  content: SiteContent,
): { readonly broken: readonly BrokenLink[]; readonly warnings: readonly ExportProblem[] } {
  const broken: BrokenLink[] = [];
  const warnings: ExportProblem[] = [];
  for (const { path, links } of pages) {
    for (const { link, key, fragment } of links) {
      if (key === undefined) {
        broken.push({ page: path, link, reason: "outside_base" });
      } else if (!isInSite(key, content)) {
        if (content.failed.has(content.site.pageAt(key) ?? key)) continue;
        broken.push({ page: path, link, reason: content.reasonOf(key) });
      } else if (!hasFragment(key, fragment, content)) {
        warnings.push(exportProblem("fragment", { subject: path, detail: link }));
      }
    }
  }
  return { broken, warnings };
}

function hasFragment(key: string, fragment: string, content: SiteContent): boolean {
  // Browsers treat `#top` as the start of any page.
  if (fragment === "" || /^top$/i.test(fragment)) return true;
  const page = content.site.pageAt(key);
  const ids = page === undefined ? undefined : content.pages.get(page);
  return ids === undefined || ids.has(fragment);
}
