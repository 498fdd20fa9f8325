import { attributeOf, type ScannedTag } from "../../html/document_scan.ts";
import { decodePath, stripBase } from "../base/url/path.ts";

export interface Site {
  readonly origin: string;
  /** Whether the site will be served there; otherwise the origin is a placeholder. */
  readonly isKnown: boolean;
  readonly base: string;
  /** The canonical paths of the pages. */
  readonly pageKeys: Set<string>;
}

interface ResolvedLink {
  readonly url: URL;
  /** The canonical path inside the application; `undefined` outside the base path, `""` if no server accepts it. */
  readonly key: string | undefined;
  readonly path: string;
}

export function servedPath(site: Site, path: string): string {
  const isFolder = !path.endsWith("/") && !/\.html?$/i.test(path);
  return site.base + path + (isFolder ? "/" : "");
}

/** Returns `"elsewhere"` for another site or scheme, `undefined` for an invalid URL. */
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

export function pageAt(site: Site, key: string): string | undefined {
  const page = key.length > 1 && key.endsWith("/") ? key.slice(0, -1) : key;
  return site.pageKeys.has(page) ? page : undefined;
}

/** A page that is a folder's index has one slash more, against which a relative link would count. */
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

export interface TagUrl {
  readonly attribute: string;
  readonly url: string;
  /** Text after it in a list of several: the width or density. */
  readonly rest: string;
}

/** The attributes with a URL by element. */
const plain: Readonly<Record<string, string>> = {
  a: "href xlink:href",
  area: "href",
  audio: "src",
  button: "formaction",
  embed: "src",
  form: "action",
  iframe: "src",
  img: "src",
  input: "src formaction",
  link: "href",
  object: "data",
  script: "src href xlink:href",
  source: "src",
  track: "src",
  video: "src poster",
  // Elements of SVG.
  ...Object.fromEntries(
    "feimage image lineargradient mpath pattern radialgradient textpath use".split(" ")
      .map((name) => [name, "href xlink:href"]),
  ),
};

const lists: Readonly<Record<string, string>> = {
  img: "srcset",
  link: "imagesrcset",
  source: "srcset",
};

/** Attributes of modules that a script loads: of an island, and of the parts of the kit's script. */
const everywhere = "data-fw-island data-ui-file-swap data-ui-file-live data-ui-file-parts";

const hostHints = /^(?:preconnect|dns-prefetch)$/i;

export function urlsOf(tag: ScannedTag): TagUrl[] {
  const found: TagUrl[] = [];
  if (tag.name === "link" && hostHints.test(attributeOf(tag, "rel")?.trim() ?? "")) return found;
  for (const attribute of `${plain[tag.name] ?? ""} ${everywhere}`.trim().split(" ")) {
    const value = attributeOf(tag, attribute);
    if (value !== undefined) found.push({ attribute, url: value.trim(), rest: "" });
  }
  const list = lists[tag.name];
  const value = list === undefined ? undefined : attributeOf(tag, list);
  if (list !== undefined && value !== undefined) found.push(...parseSrcset(list, value));
  if (tag.name === "meta") found.push(...metaUrls(tag));
  return found;
}

/** Reads a list of images with their widths or densities (WHATWG HTML, "parse a srcset attribute"). */
function parseSrcset(attribute: string, value: string): TagUrl[] {
  const found: TagUrl[] = [];
  const candidate = /[\s,]*([^\s,]\S*[^\s,]|[^\s,])(,*)([^,(]*(?:\([^)]*\)[^,(]*)*)/y;
  for (let match = candidate.exec(value); match !== null; match = candidate.exec(value)) {
    const [, url = "", commas = "", rest = ""] = match;
    // Commas at the end of the URL end the candidate: what follows is the next one.
    if (commas !== "") candidate.lastIndex -= rest.length;
    found.push({ attribute, url, rest: commas === "" ? rest.trimEnd() : "" });
  }
  return found;
}

const shownProperty =
  /^(?:og:(?:url|image|audio|video)(?::(?:secure_)?url)?|twitter:image(?::src)?)$/i;

function metaUrls(tag: ScannedTag): TagUrl[] {
  const content = attributeOf(tag, "content") ?? "";
  const property = attributeOf(tag, "property") ?? attributeOf(tag, "name") ?? "";
  if (shownProperty.test(property.trim())) {
    return [{ attribute: "content", url: content.trim(), rest: "" }];
  }
  if (attributeOf(tag, "http-equiv")?.toLowerCase() !== "refresh") return [];
  const [, before = "", url] = /^(\s*[\d.]+\s*[;,]\s*url\s*=\s*)['"]?([^'"]*)/i.exec(content) ?? [];
  return url === undefined ? [] : [{ attribute: "content", url: url.trim(), rest: before }];
}
