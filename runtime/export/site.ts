import { decodePath, stripBase } from "../base/url/path.ts";

/** Where the site is, and how its paths are written. */
export interface SiteOptions {
  /** Scheme and host, such as `https://example.com`. */
  readonly origin: string;
  /** The base path without a final slash. */
  readonly base: string;
  /** Whether a page is a folder's index. */
  readonly layout: "folder" | "file";
  /** Whether the canonical path inside the application is that of a page of the site. */
  readonly isPage: (key: string) => boolean;
}

/** Where a link leads. */
export interface ResolvedLink {
  /** The whole URL. */
  readonly url: URL;
  /** The canonical path inside the application; `undefined` where it leaves the base path. */
  readonly key: string | undefined;
  /** The same as it stands in the URL. */
  readonly path: string;
}

/** The URLs of a site. */
export class Site {
  /** Scheme and host. */
  readonly origin: string;
  /** The base path without a final slash. */
  readonly base: string;
  readonly #layout: "folder" | "file";
  readonly #isPage: (key: string) => boolean;

  /** Sets the site's address. */
  constructor(options: SiteOptions) {
    this.origin = options.origin;
    this.base = options.base;
    this.#layout = options.layout;
    this.#isPage = options.isPage;
  }

  /** Returns the URL of a path of the application. */
  urlOf(path: string): string {
    return this.origin + this.base + path;
  }

  /** Returns the path under which a host serves a page of the site, base path included. */
  servedPath(path: string): string {
    const isFolder = this.#layout === "folder" && !path.endsWith("/") && !/\.html?$/i.test(path);
    return this.base + path + (isFolder ? "/" : "");
  }

  /**
   * Resolves a link.
   *
   * @param link The link as a page has it.
   * @param from The URL against which it counts.
   * @returns `"elsewhere"` for another site or scheme, `undefined` for what is no URL.
   */
  resolve(link: string, from: string): ResolvedLink | "elsewhere" | undefined {
    const url = URL.parse(link, from);
    if (url === null) return undefined;
    if (url.origin !== this.origin) return "elsewhere";
    const path = decodePath(url.pathname);
    // A path that no server would accept is not part of the site.
    const key = path === undefined ? "" : stripBase(this.base, path);
    // An absolute URL may well point to another site on the same host.
    if (key === undefined && isAbsolute(link)) return "elsewhere";
    return { url, key, path: url.pathname.slice(this.base.length) };
  }

  /** Returns the page of the site at a path with or without a final slash, or `undefined`. */
  pageAt(key: string): string | undefined {
    const page = key.length > 1 && key.endsWith("/") ? key.slice(0, -1) : key;
    return this.#isPage(page) ? page : undefined;
  }

  /**
   * Writes a link so that it leads from a file where it led on the server: a page that is a folder's
   * index has one slash more in its address, against which a relative link would count.
   *
   * @returns The link, or `undefined` where it is right as it stands.
   */
  rewrite(link: string, { url, key }: ResolvedLink): string | undefined {
    if (/^(?:[#?]|$)/.test(link)) return undefined;
    const isPage = key !== undefined && this.pageAt(key) !== undefined;
    const path = isPage ? this.#pagePath(url.pathname) : url.pathname;
    if (path === url.pathname && isAbsolute(link, { orRooted: true })) return undefined;
    return `${isAbsolute(link) ? url.origin : ""}${path}${url.search}${url.hash}`;
  }

  #pagePath(path: string): string {
    const bare = path.replace(/\/$/, "");
    if (bare === this.base) return `${bare}/`;
    return this.#layout === "folder" && !/\.html?$/i.test(bare) ? `${bare}/` : bare;
  }
}

/** Reports whether a link names its host, or at least starts at the host's root. */
function isAbsolute(link: string, options: { readonly orRooted?: boolean } = {}): boolean {
  if (/^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(link)) return true;
  return options.orRooted === true && /^[/\\]/.test(link);
}
