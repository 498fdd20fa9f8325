import { escape } from "../../html/escape.ts";
import type { HeaderPair } from "../request/default_headers.ts";
import { parseHttpDate } from "../request/http_date.ts";

/** How many addresses one site map may hold (sitemaps.org). */
const maxSitemapUrls = 50_000;

/** A page for search engines. */
export interface SitemapEntry {
  /** Its whole URL. */
  readonly url: string;
  /** When it changed, as its `Last-Modified` says. */
  readonly lastModified: string | null;
}

/**
 * Writes the site map (sitemaps.org, version 0.9), and where it is too long several with an index.
 *
 * @param entries The pages.
 * @param base The URL of the site's root, with a final slash.
 * @param languages The languages with which paths may start: a page lists the others as `hreflang` links.
 * @returns The files by name.
 */
export function writeSitemap(
  entries: readonly SitemapEntry[],
  base: string,
  languages: readonly string[] = [],
): ReadonlyMap<string, string> {
  const sorted = [...entries].sort((one, other) => one.url < other.url ? -1 : 1);
  const linksOf = linkLanguages(sorted, { base, languages });
  if (sorted.length <= maxSitemapUrls) return new Map([["sitemap.xml", urlSet(sorted, linksOf)]]);
  const files = new Map<string, string>();
  for (let at = 0; at < sorted.length; at += maxSitemapUrls) {
    files.set(
      `sitemap-${files.size + 1}.xml`,
      urlSet(sorted.slice(at, at + maxSitemapUrls), linksOf),
    );
  }
  const items = [...files.keys()].map((name) => `<sitemap>${locOf(base + name)}</sitemap>\n`);
  files.set("sitemap.xml", xml("sitemapindex", items));
  return files;
}

type LinksOf = (url: string) => string;

function urlSet(entries: readonly SitemapEntry[], linksOf: LinksOf): string {
  return xml(
    "urlset",
    entries.map(({ url, lastModified }) =>
      `<url>${locOf(url)}${dateOf(lastModified)}${linksOf(url)}</url>\n`
    ),
  );
}

function xml(root: string, items: readonly string[]): string {
  const hasLinks = items.some((item) => item.includes("<xhtml:link"));
  const links = hasLinks ? ` xmlns:xhtml="http://www.w3.org/1999/xhtml"` : "";
  const name = `${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${links}`;
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${name}>\n${items.join("")}</${root}>\n`;
}

/** Returns what links a page to itself in every language. */
function linkLanguages(
  entries: readonly SitemapEntry[],
  { base, languages }: { readonly base: string; readonly languages: readonly string[] },
): LinksOf {
  if (languages.length === 0) return () => "";
  const split = (url: string): { language: string; path: string } => {
    const rest = url.slice(base.length);
    const [first = ""] = rest.split("/", 1);
    if (!languages.includes(first)) return { language: "x-default", path: rest };
    return { language: first, path: rest.slice(first.length + 1) };
  };
  const byPath = Map.groupBy(entries, ({ url }) => split(url).path);
  const links = new Map([...byPath].map(([path, pages]) => {
    const all = pages.map(({ url }) => {
      const { language } = split(url);
      return `<xhtml:link rel="alternate" hreflang="${language}" href="${escape(url)}"/>`;
    });
    return [path, all.length > 1 ? all.join("") : ""];
  }));
  return (url) => links.get(split(url).path) ?? "";
}

function locOf(url: string): string {
  return `<loc>${escape(url)}</loc>`;
}

function dateOf(header: string | null): string {
  const ms = parseHttpDate(header);
  return ms === undefined ? "" : `<lastmod>${new Date(ms).toISOString()}</lastmod>`;
}

/** A redirect of the site. */
export interface SiteRedirect {
  /** The path that leads on, base path included. */
  readonly from: string;
  /** Where it leads. */
  readonly to: string;
  /** Whether for good. */
  readonly status: 301 | 302;
}

/** Writes the page that leads on where the host knows no redirects. */
export function writeRedirectPage({ to }: SiteRedirect): string {
  const url = escape(to);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">` +
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'">` +
    `<meta http-equiv="refresh" content="0; url=${url}"><meta name="robots" content="noindex">` +
    `<link rel="canonical" href="${url}"><title>Redirect</title></head>` +
    `<body><p><a href="${url}">${url}</a></p></body></html>\n`;
}

/** Writes `_redirects`, as Netlify, Cloudflare Pages and GitLab Pages read it. */
export function writeRedirects(redirects: readonly SiteRedirect[]): string {
  const lines = redirects.map(({ from, to, status }) => `${from} ${to} ${status}\n`);
  return lines.sort().join("");
}

/** The headers of one file of the site. */
export interface FileHeaders {
  /** The path under which a host serves it, base path included. */
  readonly path: string;
  /** The pattern of its route. */
  readonly pattern: string;
  /** What the host could not know. */
  readonly headers: readonly HeaderPair[];
}

/** How many rules Cloudflare Pages reads. */
const maxRules = 100;

/**
 * Writes `_headers`, as Netlify, Cloudflare Pages and others read it: the headers of every file, then
 * those of the files of one route where all have the same, then those of single files.
 *
 * @param files The files with headers of their own.
 * @param site The headers of every file, the base path, and how many files a pattern has.
 * @returns The text, and how many files there was no room for.
 */
export function writeHeaders(
  files: readonly FileHeaders[],
  site: {
    readonly base: string;
    readonly headers: readonly HeaderPair[];
    readonly counts: ReadonlyMap<string, number>;
  },
): { readonly text: string; readonly left: number } {
  const rules: string[] = [];
  if (site.headers.length > 0) rules.push(ruleOf(`${site.base}/*`, site.headers));
  const byPattern = new Map<string, FileHeaders[]>();
  for (const file of files) {
    byPattern.set(file.pattern, [...byPattern.get(file.pattern) ?? [], file]);
  }
  const single: FileHeaders[] = [];
  for (const [pattern, group] of [...byPattern].sort(([one], [other]) => one < other ? -1 : 1)) {
    const [first] = group;
    const texts = new Set(group.map(({ headers }) => ruleOf("", headers)));
    const isAll = group.length > 1 && texts.size === 1 && site.counts.get(pattern) === group.length;
    if (isAll && first !== undefined) {
      const slash = first.path.endsWith("/") ? "/" : "";
      rules.push(ruleOf(`${site.base}${hostPattern(pattern)}${slash}`, first.headers));
    } else single.push(...group);
  }
  single.sort((one, other) => one.path < other.path ? -1 : 1);
  const room = Math.max(0, maxRules - rules.length);
  for (const { path, headers } of single.slice(0, room)) rules.push(ruleOf(path, headers));
  return { text: rules.join(""), left: Math.max(0, single.length - room) };
}

/** Returns a pattern as hosts write it: `/a/:slug/b.ics`, `/files/*`. */
function hostPattern(pattern: string): string {
  return pattern.replace(/\{[^}]*\.\.\.\}$/, "*").replace(/\{([^}]*)\}/g, ":$1");
}

function ruleOf(path: string, headers: readonly HeaderPair[]): string {
  return `${path}\n${headers.map(([name, value]) => `  ${name}: ${value}\n`).join("")}`;
}
