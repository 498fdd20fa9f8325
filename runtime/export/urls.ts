import { attributeOf, type ScannedTag } from "../../html/document_scan.ts";

export interface TagUrl {
  readonly attribute: string;
  /** The URL as it is written, without spaces around it. */
  readonly url: string;
  /** Text after it in a list of several: the width or density. */
  readonly rest: string;
}

const plain: Readonly<Record<string, readonly string[]>> = {
  a: ["href", "xlink:href"],
  area: ["href"],
  audio: ["src"],
  base: [],
  button: ["formaction"],
  embed: ["src"],
  form: ["action"],
  iframe: ["src"],
  img: ["src"],
  input: ["src", "formaction"],
  link: ["href"],
  object: ["data"],
  script: ["src", "href", "xlink:href"],
  source: ["src"],
  track: ["src"],
  video: ["src", "poster"],
};

/** Elements of SVG that point at something, by the one attribute or the older one. */
const svgElements: ReadonlySet<string> = new Set(
  "feimage image lineargradient mpath pattern radialgradient textpath use".split(" "),
);

const lists: Readonly<Record<string, readonly string[]>> = {
  img: ["srcset"],
  link: ["imagesrcset"],
  source: ["srcset"],
};

/** Attributes of modules that a script loads: of an island, and of the parts of the kit's script. */
const everywhere = [
  "data-fw-island",
  "data-ui-file-swap",
  "data-ui-file-live",
  "data-ui-file-parts",
] as const;

const hostHints = /^(?:preconnect|dns-prefetch)$/i;

/** Lists the URLs in a tag that a browser may follow or load. */
export function urlsOf(tag: ScannedTag): TagUrl[] {
  const found: TagUrl[] = [];
  if (tag.name === "link" && hostHints.test(attributeOf(tag, "rel")?.trim() ?? "")) return found;
  const names = [
    ...(plain[tag.name] ?? (svgElements.has(tag.name) ? ["href", "xlink:href"] : [])),
    ...everywhere,
  ];
  for (const attribute of names) {
    const value = attributeOf(tag, attribute);
    if (value !== undefined) found.push({ attribute, url: value.trim(), rest: "" });
  }
  for (const attribute of lists[tag.name] ?? []) {
    const value = attributeOf(tag, attribute);
    if (value !== undefined) found.push(...parseSrcset(attribute, value));
  }
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

/** The metadata that other sites show of a page, by `property` or `name`. */
const shownProperty =
  /^(?:og:(?:url|image|audio|video)(?::(?:secure_)?url)?|twitter:image(?::src)?)$/i;

/** Returns the URLs that a page redirects to, and those that other sites show of it. */
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
