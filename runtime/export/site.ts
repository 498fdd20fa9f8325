import { decodePath, stripBase } from "../base/url/path.ts";

/** The address of a site, and how its paths are written. */
export interface Site {
  /** Scheme and host, for example `https://example.com`. */
  readonly origin: string;
  /** Whether the site will be served there; otherwise the origin is a placeholder. */
  readonly isKnown: boolean;
  /** The base path without a final slash. */
  readonly base: string;
  /** Whether a page is a folder's index, or a file with an extension. */
  readonly layout: "folder" | "file";
  /** Whether the site has a page at a canonical path inside the application. */
  readonly isPage: (key: string) => boolean;
}

/** The target of a link inside the site's origin. */
export interface ResolvedLink {
  readonly url: URL;
  /** The canonical path inside the application; `undefined` outside the base path, `""` if no server accepts it. */
  readonly key: string | undefined;
  /** The same path as it stands in the URL. */
  readonly path: string;
}

/** Returns the path under which a host serves a page, base path included. */
export function servedPath(site: Site, path: string): string {
  const isFolder = site.layout === "folder" && !path.endsWith("/") && !/\.html?$/i.test(path);
  return site.base + path + (isFolder ? "/" : "");
}

/**
 * Resolves a link against the URL of its page.
 *
 * @returns `"elsewhere"` for another site or scheme, `undefined` for an invalid URL.
 */
export function resolveLink(
  site: Site,
  link: string,
  from: string,
): ResolvedLink | "elsewhere" | undefined {
  const url = URL.parse(link, from);
  if (url === null) return undefined;
  if (url.origin !== site.origin) return "elsewhere";
  const path = decodePath(url.pathname);
  const key = path === undefined ? "" : stripBase(site.base, path);
  // An absolute URL may point to another site on the same host.
  if (key === undefined && isAbsolute(link)) return "elsewhere";
  return { url, key, path: url.pathname.slice(site.base.length) };
}

/** Returns the page of the site at a path with or without a final slash. */
export function pageAt(site: Site, key: string): string | undefined {
  const page = key.length > 1 && key.endsWith("/") ? key.slice(0, -1) : key;
  return site.isPage(page) ? page : undefined;
}

/**
 * Rewrites a link so that it leads from a file where it led on the server: the address of a page that is a
 * folder's index has one slash more, against which a relative link would count.
 */
export function rewriteLink(site: Site, link: string, { url, key }: ResolvedLink): string {
  if (/^(?:[#?]|$)/.test(link)) return link;
  const bare = url.pathname.replace(/\/$/, "");
  const isFolder = site.layout === "folder" && !/\.html?$/i.test(bare);
  const page = bare === site.base || isFolder ? `${bare}/` : bare;
  const path = key !== undefined && pageAt(site, key) !== undefined ? page : url.pathname;
  if (path === url.pathname && (isAbsolute(link) || /^[/\\]/.test(link))) return link;
  return `${isAbsolute(link) ? url.origin : ""}${path}${url.search}${url.hash}`;
}

/** Reports whether a link names its host. */
function isAbsolute(link: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(link);
}
