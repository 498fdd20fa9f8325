import type { Runtime } from "../pipeline/runtime.ts";
import { type Crawl, isBelow } from "./crawl.ts";
import { hasExtension } from "./names.ts";
import type { BrokenLink, BrokenLinkReason } from "./report.ts";
import { pageAt } from "./urls.ts";
import { exportWaiting } from "./write.ts";

/** Exports the files to which pages link and that no list has, until no page adds any. */
export async function exportLinked(crawl: Crawl): Promise<void> {
  const seen = new Set<string>();
  for (let at = 0; at < crawl.linking.length;) {
    for (; at < crawl.linking.length; at++) {
      for (const { key, path } of crawl.linking[at]?.links ?? []) {
        if (key === undefined || seen.has(key) || isInSite(key, crawl)) continue;
        seen.add(key);
        await addLinked(crawl, key, path);
      }
    }
    await exportWaiting(crawl);
  }
}

async function addLinked(crawl: Crawl, key: string, path: string): Promise<void> {
  const { compiled, options: { exclude }, names } = crawl;
  const bare = withoutLanguage(key, compiled);
  if (isBelow(bare, exclude)) return;
  const match = compiled.router.find(bare);
  if (match?.isLiteral !== true && await compiled.files?.find(key) !== undefined) {
    const isAsset = names.pathOf(key.slice(1)) !== undefined;
    if (!isAsset) crawl.addTarget({ path, key, pattern: undefined, isPage: false });
    return;
  }
  if (match === undefined || match.value.isPage || match.value.get === undefined) return;
  const { pattern } = match.value;
  if (!hasExtension(key) || isBelow(pattern, exclude)) return;
  crawl.addTarget({ path, key, pattern, isPage: false });
}

function isInSite(key: string, crawl: Crawl): boolean {
  const { site, pages, fileKeys, compiled, names, options } = crawl;
  const page = pageAt(site, key);
  if (page !== undefined && pages.has(page)) return true;
  if (fileKeys.has(key) || isBelow(withoutLanguage(key, compiled), options.elsewhere)) return true;
  // A mount serves the `index.html` of a folder at the folder's path.
  const index = `${key.slice(1)}${key.endsWith("/") ? "" : "/"}index.html`;
  return names.pathOf(index) !== undefined && compiled.files?.isInFolder(key) === true;
}

function withoutLanguage(key: string, { languages }: Runtime): string {
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

/** Returns the broken links; a missing fragment is a warning. */
export function checkLinks(crawl: Crawl): BrokenLink[] {
  const broken: BrokenLink[] = [];
  // Pages arrive as they are ready: sorting keeps the report stable.
  for (const { path, links } of crawl.linking.toSorted((a, b) => a.path < b.path ? -1 : 1)) {
    for (const { link, key, fragment } of links) {
      if (key === undefined) broken.push({ page: path, link, reason: "outside_base" });
      else if (!isInSite(key, crawl)) {
        if (crawl.failed.has(pageAt(crawl.site, key) ?? key)) continue;
        broken.push({ page: path, link, reason: missingReason(key, crawl) });
      } else if (!hasFragment(key, fragment, crawl)) crawl.warn("fragment", path, link);
    }
  }
  return broken;
}

function hasFragment(key: string, fragment: string, { site, pages }: Crawl): boolean {
  // Browsers treat `#top` as the start of any page.
  if (fragment === "" || /^top$/i.test(fragment)) return true;
  const ids = pages.get(pageAt(site, key) ?? "");
  return ids === undefined || ids.has(fragment);
}
