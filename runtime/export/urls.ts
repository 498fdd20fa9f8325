import { attributeOf, type ScannedAttribute, type ScannedTag } from "../../html/document_scan.ts";
import { decodePath, stripBase } from "../base/url/path.ts";

export interface Site {
  readonly origin: string;
  /** Whether the origin is the site's; otherwise it is a placeholder. */
  readonly isKnown: boolean;
  readonly base: string;
  readonly pageKeys: Set<string>;
}

export interface ResolvedLink {
  readonly url: URL;
  /** The canonical path inside the application; `undefined` outside the base path, `""` if no server accepts it. */
  readonly key: string | undefined;
  readonly path: string;
}

export function servedPath(site: Site, path: string): string {
  const isFolder = !path.endsWith("/") && !/\.html?$/i.test(path);
  return site.base + path + (isFolder ? "/" : "");
}

/** A link: `"elsewhere"` for another site or scheme, `undefined` for an invalid URL. */
type Resolved = ResolvedLink | "elsewhere" | undefined;

export function resolveLink(site: Site, link: string, from: string): Resolved {
  const url = URL.parse(link, from);
  if (url === null) return undefined;
  if (url.origin !== site.origin) return "elsewhere";
  const path = decodePath(url.pathname);
  const key = path === undefined ? "" : stripBase(site.base, path);
  // An absolute URL may point to another site on the same host.
  if (key === undefined && isAbsolute(link)) return "elsewhere";
  return { url, key, path: url.pathname.slice(site.base.length) };
}

export function pageAt(site: Site, key: string): string | undefined {
  const page = key.length > 1 && key.endsWith("/") ? key.slice(0, -1) : key;
  return site.pageKeys.has(page) ? page : undefined;
}

/** Rewrites a link for a page's file: a folder's index has an extra slash, which shifts relative links. */
export function rewriteLink(site: Site, link: string, { url, key }: ResolvedLink): string {
  if (/^(?:[#?]|$)/.test(link)) return link;
  const bare = url.pathname.replace(/\/$/, "");
  const page = bare === site.base || !/\.html?$/i.test(bare) ? `${bare}/` : bare;
  const path = key !== undefined && pageAt(site, key) !== undefined ? page : url.pathname;
  if (path === url.pathname && (isAbsolute(link) || /^[/\\]/.test(link))) return link;
  return `${isAbsolute(link) ? url.origin : ""}${path}${url.search}${url.hash}`;
}

function isAbsolute(link: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:|[/\\]{2})/i.test(link);
}

/** The elements by their URL attributes; those named `srcset` hold lists. */
const urlAttributes: readonly (readonly [names: string, elements: string])[] = [
  ["action", "form"],
  ["data", "object"],
  ["formaction", "button"],
  ["href", "area"],
  ["href imagesrcset", "link"],
  // Those of SVG as well.
  ["href xlink:href", "a feimage image lineargradient mpath pattern radialgradient textpath use"],
  ["src", "audio embed iframe track"],
  ["src formaction", "input"],
  ["src href xlink:href", "script"],
  ["src poster", "video"],
  ["src srcset", "img source"],
];

const attributesOf: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  urlAttributes.flatMap(([names, elements]) =>
    elements.split(" ").map((element) => [element, new Set(names.split(" "))] as const)
  ),
);

/** Attributes with modules that a script loads: an island, and the parts of the kit's script. */
const everywhere: ReadonlySet<string> = new Set(
  "data-fw-island data-ui-file-swap data-ui-file-live data-ui-file-parts".split(" "),
);

/** The text of a string up to an escape. */
const [inDouble, inSingle] = ['"', "'"].map((quote) => String.raw`[^${quote}\\\n]*`);

/**
 * Comments, strings and URLs of CSS; only URLs and the strings of `@import` have a group. Every quote starts a match,
 * even without its pair, so that no text is read twice.
 */
const styleParts = new RegExp(
  String.raw`/\*[^]*?(?:\*/|$)|(?:@import\s*|url\(\s*)(?:"(${inDouble})"|'(${inSingle})')|` +
    String.raw`url\(\s*([^\s"'()\\]+)\s*\)|` +
    String.raw`"${inDouble}(?:\\[^]${inDouble})*"?|'${inSingle}(?:\\[^]${inSingle})*'?`,
  "gi",
);

/** Returns the URLs of a style sheet or an element's style, but for those with escapes. */
export function styleUrls(css: string): string[] {
  return [...css.matchAll(styleParts)].flatMap(([, double, single, bare]) =>
    double || single || bare || []
  );
}

const hostHints = /^(?:preconnect|dns-prefetch)$/i;

/** One image of a list; commas after its URL end it (HTML, "parse a srcset attribute"). */
const candidate = /([\s,]*)([^\s,](?:\S*[^\s,])?)(,+|[^,(]*(?:\([^)]*\)[^,(]*)*)/gy;

const shownProperty =
  /^(?:og:(?:url|image|audio|video)(?::(?:secure_)?url)?|twitter:image(?::src)?)$/i;

export function rewriteUrls(
  tag: ScannedTag,
  { name, value }: ScannedAttribute,
  write: Write,
): string {
  if (tag.name === "meta") return name === "content" ? rewriteMeta(tag, value, write) : value;
  if (attributesOf.get(tag.name)?.has(name) !== true && !everywhere.has(name)) return value;
  if (tag.name === "link" && hostHints.test(attributeOf(tag, "rel")?.trim() ?? "")) return value;
  if (!name.endsWith("srcset")) return rewriteTrimmed(value, write);
  return value.replace(candidate, (_, before, url, rest) => before + write(url) + rest);
}

type Write = (url: string) => string;

function rewriteTrimmed(value: string, write: Write): string {
  const url = value.trim();
  const written = write(url);
  return written === url ? value : written;
}

function rewriteMeta(tag: ScannedTag, content: string, write: Write): string {
  const property = attributeOf(tag, "property") ?? attributeOf(tag, "name") ?? "";
  if (shownProperty.test(property.trim())) return rewriteTrimmed(content, write);
  if (attributeOf(tag, "http-equiv")?.toLowerCase() !== "refresh") return content;
  const [, before = "", url] = /^(\s*[\d.]+\s*[;,]\s*url\s*=\s*)['"]?([^'"]*)/i.exec(content) ?? [];
  if (url === undefined) return content;
  const written = write(url.trim());
  return written === url.trim() ? content : before + written;
}
