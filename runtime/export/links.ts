import type { Runtime } from "../pipeline/runtime.ts";
import type { TakenNames } from "./names.ts";
import type { LinkingPage } from "./page.ts";
import { type Crawl, isBelow } from "./plan.ts";
import {
  type BrokenLink,
  type BrokenLinkReason,
  type ExportProblem,
  exportProblem,
} from "./report.ts";
import { pageAt } from "./urls.ts";

export function isInSite(key: string, crawl: Crawl): boolean {
  const { site, pages, fileKeys, compiled, names, options } = crawl;
  const page = pageAt(site, key);
  if (page !== undefined && pages.has(page)) return true;
  return fileKeys.has(key) || isIndex(key, compiled, names) ||
    isBelow(withoutLanguage(key, compiled), options.elsewhere);
}

/** Reports whether a mount serves the `index.html` of a folder at the folder's path. */
function isIndex(key: string, { files }: Runtime, names: TakenNames): boolean {
  const name = `${key.slice(1)}${key.endsWith("/") ? "" : "/"}index.html`;
  return names.pathOf(name) !== undefined && files?.isInFolder(key) === true;
}

export function withoutLanguage(key: string, { languages }: Runtime): string {
  const prefixed = languages?.parsePrefix(key);
  return prefixed === undefined ? key : prefixed.rest || "/";
}

function missingReason(key: string, { compiled, options: { exclude } }: Crawl): BrokenLinkReason {
  const inside = withoutLanguage(key, compiled);
  const bare = inside.length > 1 ? inside.replace(/\/$/, "") : inside;
  const pattern = bare.startsWith("/") ? compiled.router.find(bare)?.value.pattern : undefined;
  if (isBelow(bare, exclude)) return "excluded";
  if (pattern === undefined) return "missing";
  return isBelow(pattern, exclude) ? "excluded" : "not_exported";
}

export function checkLinks(
  pages: readonly LinkingPage[],
  crawl: Crawl,
): { readonly broken: readonly BrokenLink[]; readonly warnings: readonly ExportProblem[] } {
  const broken: BrokenLink[] = [];
  const warnings: ExportProblem[] = [];
  for (const { path, links } of pages) {
    for (const { link, key, fragment } of links) {
      if (key === undefined) broken.push({ page: path, link, reason: "outside_base" });
      else if (!isInSite(key, crawl)) {
        if (crawl.failed.has(pageAt(crawl.site, key) ?? key)) continue;
        broken.push({ page: path, link, reason: missingReason(key, crawl) });
      } else if (!hasFragment(key, fragment, crawl)) {
        warnings.push(exportProblem("fragment", { subject: path, detail: link }));
      }
    }
  }
  return { broken, warnings };
}

function hasFragment(key: string, fragment: string, { site, pages }: Crawl): boolean {
  // Browsers treat `#top` as the start of any page.
  if (fragment === "" || /^top$/i.test(fragment)) return true;
  const ids = pages.get(pageAt(site, key) ?? "");
  return ids === undefined || ids.has(fragment);
}
