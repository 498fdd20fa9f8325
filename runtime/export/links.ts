import type { Runtime } from "../pipeline/runtime.ts";
import { type Crawl, isBelow } from "./crawl.ts";
import { hasExtension } from "./names.ts";
import type { ExportProblemCode } from "./report.ts";
import { pageAt } from "./urls.ts";
import { exportWaiting } from "./write.ts";

/** Exports the linked files that no list contains, until no page adds any. */
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
  const { compiled, unlinked, options: { exclude }, names } = crawl;
  const bare = withoutLanguage(key, compiled);
  if (isBelow(bare, exclude)) return;
  const match = compiled.router.find(bare);
  if (match?.isLiteral !== true && await compiled.files?.find(key) !== undefined) {
    const isAsset = names.pathOf(key.slice(1)) !== undefined;
    if (!isAsset) crawl.addTarget({ path, key, route: undefined, isPage: false });
    return;
  }
  if (match === undefined || match.value.isPage || match.value.get === undefined) return;
  const { pattern } = match.value;
  if (!hasExtension(key) || isBelow(pattern, exclude)) return;
  unlinked.delete(pattern);
  crawl.addTarget({ path, key, route: match.value, isPage: false });
}

function isInSite(key: string, crawl: Crawl): boolean {
  const { site, reached, compiled, names, options } = crawl;
  if (reached.has(pageAt(site, key) ?? key) || reached.has(key)) return true;
  if (isBelow(withoutLanguage(key, compiled), options.elsewhere)) return true;
  // A mount serves the `index.html` of a folder at the folder's path.
  const index = `${key.slice(1)}${key.endsWith("/") ? "" : "/"}index.html`;
  return names.pathOf(index) !== undefined && compiled.files?.isInFolder(key) === true;
}

function withoutLanguage(key: string, { languages }: Runtime): string {
  const prefixed = languages?.parsePrefix(key);
  return prefixed === undefined ? key : prefixed.rest || "/";
}

function missingReason(key: string, crawl: Crawl): ExportProblemCode {
  const { compiled, options: { exclude } } = crawl;
  const inside = withoutLanguage(key, compiled);
  const bare = inside.length > 1 ? inside.replace(/\/$/, "") : inside;
  const route = bare.startsWith("/") ? compiled.router.find(bare)?.value : undefined;
  if (isBelow(bare, exclude)) return "link_excluded";
  if (route === undefined) return "link_missing";
  if (isBelow(route.pattern, exclude)) return "link_excluded";
  if (!crawl.isChosen(bare)) return "link_left_out";
  const isTyped = route.isPage || route.get === undefined || hasExtension(bare);
  return isTyped ? "link_not_exported" : "link_no_extension";
}

/** Reports the broken links; a missing fragment is a warning. */
export function checkLinks(crawl: Crawl): void {
  for (const { target, links } of crawl.linking) {
    for (const { link, key, fragment } of links) {
      if (key === undefined) crawl.fail("link_outside_base", target, link);
      else if (!isInSite(key, crawl)) {
        const reason = missingReason(key, crawl);
        // With `only`, the other pages are served elsewhere.
        if (reason === "link_left_out") crawl.warn(reason, target.path, link);
        else crawl.fail(reason, target, link);
      } else if (!hasFragment(key, fragment, crawl)) crawl.warn("fragment", target.path, link);
    }
  }
}

function hasFragment(key: string, fragment: string, { site, reached }: Crawl): boolean {
  // Browsers treat `#top` as the start of any page.
  if (fragment === "" || /^top$/i.test(fragment)) return true;
  const ids = reached.get(pageAt(site, key) ?? key);
  return ids === undefined || ids.has(fragment);
}
