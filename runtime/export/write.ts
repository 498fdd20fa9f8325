import { canonicalText } from "../base/url/path.ts";
import type { Crawl, ExportTarget } from "./crawl.ts";
import { writeRedirectPage } from "./made.ts";
import { fileName } from "./names.ts";
import { PageRewriter } from "./page.ts";
import { type Exported, requestPath } from "./request.ts";
import { resolveLink, rewriteLink, servedPath } from "./urls.ts";

const pagesAtOnce = 8;

/** Requests what waits, several at once, and writes the files. */
export async function exportWaiting(crawl: Crawl): Promise<void> {
  const { signal } = crawl.options;
  const entries = crawl.waiting.splice(0).values();
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (const [file, target] of entries) {
      if (failures.length > 0) return;
      try {
        signal?.throwIfAborted();
        await exportPath(crawl, file, target);
        crawl.reportProgress(target.path);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  // All workers end before the failure is thrown: none writes afterwards.
  await Promise.all(Array.from({ length: pagesAtOnce }, work));
  if (failures.length > 0) throw failures[0];
}

async function exportPath(crawl: Crawl, file: string, target: ExportTarget): Promise<void> {
  const response = await requestPath(crawl, target);
  if (target.pattern !== undefined) crawl.requested.add(target.pattern);
  // A page that returns a file, for example a feed: its path has the extension.
  const isFile = response.kind === "file" && target.isPage;
  const named = isFile ? fileName(target.key, "file") : { file };
  if ("file" in named) await writeResponse(crawl, { file: named.file, target }, response);
}

interface Place {
  readonly file: string;
  readonly target: ExportTarget;
}

export async function writeResponse(
  crawl: Crawl,
  place: Place,
  response: Exported,
): Promise<void> {
  const { file, target: { path, key, pattern, isPage } } = place;
  if (response.kind === "error") {
    crawl.failed.add(key);
    crawl.errors.push(response.error);
    return;
  }
  if (response.kind === "redirect") return await writeRedirect(crawl, place, response);
  const { headers } = response;
  for (const cookie of headers.getSetCookie()) {
    crawl.warn("cookie", path, `"${cookie.slice(0, cookie.indexOf("="))}"`);
  }
  if (response.kind === "html") return await writePage(crawl, place, response);
  if (textType.test(headers.get("content-type") ?? "")) {
    warnOfAddress(crawl, path, new TextDecoder().decode(response.bytes));
  }
  await crawl.folder.write(file, response.bytes);
  crawl.addFile({ file, kind: pattern === undefined && !isPage ? "asset" : "route", path });
}

const textType =
  /^\s*(?:text\/|application\/(?:json|[\w.+-]*xml|[\w.+-]*json|javascript))|\+xml\b/i;

async function writePage(
  crawl: Crawl,
  { file, target: { path, key, pattern, isPage } }: Place,
  { html, status, headers }: Exported & { readonly kind: "html" },
): Promise<void> {
  const { site } = crawl;
  const policy = headers.get("content-security-policy");
  const page = new PageRewriter({ path, html, policy }, site);
  const text = page.rewrite();
  crawl.warnings.push(...page.warnings.values());
  warnOfAddress(crawl, path, text);
  await crawl.folder.write(file, new TextEncoder().encode(text));
  const kind = pattern === undefined ? "made" : isPage ? "page" : "route";
  crawl.addFile({ file, kind, path });
  crawl.pages.set(key, page.ids);
  crawl.linking.push({ path, links: [...page.links.values()] });
  const isHidden = page.isHidden ||
    /\b(?:noindex|none)\b/i.test(headers.get("x-robots-tag") ?? "");
  if (isHidden || !site.isKnown || status !== 200) return;
  const url = site.origin + servedPath(site, path);
  crawl.listed.push({ url, lastModified: headers.get("last-modified") });
}

async function writeRedirect(
  crawl: Crawl,
  { file, target: { path, key, isPage } }: Place,
  { location, status }: Exported & { readonly kind: "redirect" },
): Promise<void> {
  const { site } = crawl;
  const resolved = resolveLink(site, location, site.origin + site.base + path);
  const isInside = resolved !== undefined && resolved !== "elsewhere";
  const to = isInside ? rewriteLink(site, location, resolved) : location;
  const served = isPage ? servedPath(site, path) : site.base + path;
  for (const from of new Set([site.base + path, served])) {
    crawl.redirects.push({ from, to, status });
  }
  if (isInside) {
    const link = { link: location, key: resolved.key, path: resolved.path, fragment: "" };
    crawl.linking.push({ path, links: [link] });
  }
  if (!/\.html?$/i.test(file)) {
    crawl.fileKeys.add(`/${canonicalText(file)}`);
    return crawl.warn("redirect_file", path, to);
  }
  await crawl.folder.write(file, new TextEncoder().encode(writeRedirectPage(to)));
  crawl.addFile({ file, kind: "redirect", path });
  crawl.pages.set(key, undefined);
}

function warnOfAddress(crawl: Crawl, subject: string, text: string): void {
  const { origin, isKnown } = crawl.site;
  const address = origin.slice(origin.indexOf("//"));
  if (!isKnown && text.includes(address)) crawl.warn("no_base_url", subject);
}
