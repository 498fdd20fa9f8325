import type { Crawl, ExportTarget } from "./crawl.ts";
import { type SiteRedirect, writeRedirectPage } from "./made.ts";
import { fileName, hasExtension } from "./names.ts";
import { PageRewriter } from "./page.ts";
import { type Exported, type ExportedContent, requestPath } from "./request.ts";
import { resolveLink, rewriteLink, servedPath } from "./urls.ts";

const pagesAtOnce = 8;

/**
 * Requests the pending paths and writes the files. Pages whose paths have an extension come first, because
 * links to those that return a file get no slash.
 */
export async function exportWaiting(crawl: Crawl): Promise<void> {
  const waiting = crawl.waiting.splice(0);
  const mayBeFile = ([, { key, isPage }]: Waiting): boolean => isPage && hasExtension(key);
  await exportAll(crawl, waiting.filter(mayBeFile));
  await exportAll(crawl, waiting.filter((entry) => !mayBeFile(entry)));
}

type Waiting = Crawl["waiting"][number];

/** Exports several paths concurrently. */
async function exportAll(crawl: Crawl, waiting: readonly Waiting[]): Promise<void> {
  const entries = waiting.values();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (const [file, target] of entries) {
      if (failures.length > 0) return;
      try {
        crawl.options.signal?.throwIfAborted();
        await writeTarget(crawl, { file, target }, await requestPath(crawl, target));
        crawl.reportProgress(target.path);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  // All workers end before the failure is thrown, so that none writes afterwards.
  await Promise.all(Array.from({ length: pagesAtOnce }, work));
  if (failures.length > 0) throw failures[0];
}

interface Place {
  readonly file: string;
  readonly target: ExportTarget;
}

async function writeTarget(crawl: Crawl, place: Place, response: Exported): Promise<void> {
  const { file, target } = place;
  const { path, key, route, isPage } = target;
  if (response.kind === "failure") {
    // A link to it is not reported in addition.
    crawl.reached.set(key, undefined);
    return crawl.fail(response.code, target, response.detail);
  }
  if (response.kind === "redirect") return await writeRedirect(crawl, place, response);
  if (response.kind === "html") return await writePage(crawl, place, response);
  warnOfCookies(crawl, path, response);
  if (textType.test(response.headers.get("content-type") ?? "")) {
    warnOfAddress(crawl, path, new TextDecoder().decode(response.bytes));
  }
  // A page that returns a file, for example a feed: its path has the extension.
  const named = isPage ? fileName(key, "file") : { file };
  if ("bad" in named) return;
  crawl.site.pageKeys.delete(key);
  await crawl.folder.write(named.file, response.bytes);
  crawl.addFile({ ...named, kind: route === undefined ? "asset" : "route", path });
}

const textType =
  /^\s*(?:text\/|application\/(?:json|[\w.+-]*xml|[\w.+-]*json|javascript))|\+xml\b/i;

export async function writePage(
  crawl: Crawl,
  { file, target }: Place,
  response: ExportedContent,
): Promise<void> {
  const { site } = crawl;
  const { path, key, route, isPage } = target;
  const { status, headers } = response;
  warnOfCookies(crawl, path, response);
  const html = new TextDecoder().decode(response.bytes);
  const policy = headers.get("content-security-policy");
  const page = new PageRewriter({ path, html, policy }, site);
  const text = page.rewrite();
  crawl.warnings.push(...page.warnings.values());
  warnOfAddress(crawl, path, text);
  await crawl.folder.write(file, new TextEncoder().encode(text));
  crawl.addFile({ file, kind: route === undefined ? "made" : isPage ? "page" : "route", path });
  crawl.reached.set(key, page.ids);
  crawl.linking.push({ target, links: [...page.links.values()] });
  const isHidden = page.isHidden ||
    /\b(?:noindex|none)\b/i.test(headers.get("x-robots-tag") ?? "");
  if (isHidden || !site.isKnown || status !== 200) return;
  const url = site.origin + servedPath(site, path);
  crawl.listed.push({ url, lastModified: headers.get("last-modified") });
}

async function writeRedirect(
  crawl: Crawl,
  { file, target }: Place,
  { location, status }: Pick<SiteRedirect, "status"> & { readonly location: string },
): Promise<void> {
  const { site } = crawl;
  const { path, key, isPage } = target;
  const resolved = resolveLink(site, location, site.origin + site.base + path);
  const isInside = resolved !== undefined && resolved !== "elsewhere";
  const to = isInside ? rewriteLink(site, location, resolved) : location;
  const served = isPage ? servedPath(site, path) : site.base + path;
  for (const from of new Set([site.base + path, served])) {
    crawl.redirects.push({ from, to, status });
  }
  if (isInside) {
    crawl.linking.push({ target, links: [{ ...resolved, link: location, fragment: "" }] });
  }
  crawl.reached.set(key, undefined);
  if (!/\.html?$/i.test(file)) return crawl.warn("redirect_file", path, to);
  await crawl.folder.write(file, new TextEncoder().encode(writeRedirectPage(to)));
  crawl.addFile({ file, kind: "redirect", path });
}

function warnOfCookies(crawl: Crawl, path: string, { headers }: ExportedContent): void {
  for (const cookie of headers.getSetCookie()) {
    crawl.warn("cookie", path, `"${cookie.slice(0, cookie.indexOf("="))}"`);
  }
}

function warnOfAddress(crawl: Crawl, subject: string, text: string): void {
  const { origin, isKnown } = crawl.site;
  const address = origin.slice(origin.indexOf("//"));
  if (!isKnown && text.includes(address)) crawl.warn("no_base_url", subject);
}
