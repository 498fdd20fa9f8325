import { escape } from "../../html/escape.ts";
import type { HeaderPair } from "../base/headers.ts";
import { parseHttpDate } from "../request/http_cache.ts";

export type SitemapEntry = { readonly url: string; readonly lastModified: string | null };

/** Writes the site map (sitemaps.org, version 0.9). */
export function writeSitemap(entries: readonly SitemapEntry[]): string {
  const sorted = [...entries].sort((one, other) => one.url < other.url ? -1 : 1);
  const urls = sorted.map(({ url, lastModified }) => {
    const ms = parseHttpDate(lastModified);
    const date = ms === undefined ? "" : `<lastmod>${new Date(ms).toISOString()}</lastmod>`;
    return `<url><loc>${escape(url)}</loc>${date}</url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${urls.join("")}</urlset>\n`;
}

export interface SiteRedirect {
  readonly from: string;
  readonly to: string;
  readonly status: 301 | 302;
}

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
