import { escape } from "../../html/escape.ts";
import type { HeaderPair } from "../base/headers.ts";
import { parseHttpDate } from "../request/http_cache.ts";

export type SitemapEntry = { readonly url: string; readonly lastModified: string | null };

/** The maximum number of URLs of a site map (sitemaps.org, version 0.9). */
const maxUrls = 50_000;

/** Writes the site map by file name; if it is too long, several with an index. `root` is the site's URL. */
export function writeSitemaps(entries: readonly SitemapEntry[], root: string): [string, string][] {
  const sorted = [...entries].sort((one, other) => one.url < other.url ? -1 : 1);
  const urls = sorted.map(({ url, lastModified }) => {
    const ms = parseHttpDate(lastModified);
    const date = ms === undefined ? "" : `<lastmod>${new Date(ms).toISOString()}</lastmod>`;
    return `<url><loc>${escape(url)}</loc>${date}</url>\n`;
  });
  if (urls.length <= maxUrls) return [["sitemap.xml", writeXml("urlset", urls)]];
  const maps = Array.from({ length: Math.ceil(urls.length / maxUrls) }, (_, at) => {
    const part = urls.slice(at * maxUrls, (at + 1) * maxUrls);
    return [`sitemap-${at + 1}.xml`, writeXml("urlset", part)] satisfies [string, string];
  });
  const listed = maps.map(([name]) => `<sitemap><loc>${escape(root + name)}</loc></sitemap>\n`);
  return [["sitemap.xml", writeXml("sitemapindex", listed)], ...maps];
}

function writeXml(element: string, items: readonly string[]): string {
  const open = `<${element} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n${open}\n${items.join("")}</${element}>\n`;
}

export type SiteRedirect = Readonly<{ from: string; to: string; status: 301 | 302 }>;

export function writeRedirectPage(to: string): string {
  const url = escape(to);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">` +
    `<meta http-equiv="refresh" content="0; url=${url}"><meta name="robots" content="noindex">` +
    `<link rel="canonical" href="${url}"><title>Redirect</title></head>` +
    `<body><p><a href="${url}">${url}</a></p></body></html>\n`;
}

export function writeRedirects(redirects: readonly SiteRedirect[]): string {
  return redirects.map(({ from, to, status }) => `${from} ${to} ${status}\n`).sort().join("");
}

/** Writes the `_headers` rule of every file, as Netlify, Cloudflare Pages and others read it. */
export function writeHeaders(base: string, headers: readonly HeaderPair[]): string {
  const lines = headers.map(([name, value]) => `  ${name}: ${value}\n`).join("");
  return lines === "" ? "" : `${base}/*\n${lines}`;
}
