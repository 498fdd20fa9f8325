import {
  attributeOf,
  scanDocument,
  type ScannedAttribute,
  type ScannedTag,
} from "../../html/document_scan.ts";
import { escape } from "../../html/escape.ts";
import { reloadElement } from "../base/conventions.ts";
import { StaticPolicy } from "./policy.ts";
import { type ExportProblem, exportProblem, type ExportProblemCode } from "./report.ts";
import { pageAt, resolveLink, rewriteLink, rewriteUrls, type Site, styleUrls } from "./urls.ts";

export interface PageLink {
  readonly link: string;
  /** The canonical path of its target; `undefined` outside the base path, `""` for an invalid URL. */
  readonly key: string | undefined;
  readonly path: string;
  /** The target's id, decoded; `""` for none. */
  readonly fragment: string;
}

/** Returns the links of a page or a style sheet that lead into the site, and those that are malformed. */
export function linksOf(links: readonly string[], site: Site, from: string): PageLink[] {
  return links.flatMap((link) => {
    const resolved = resolveLink(site, link, from);
    if (resolved === "elsewhere") return [];
    if (resolved === undefined) return [{ link, key: "", path: "", fragment: "" }];
    const { url, key, path } = resolved;
    return [{ link, key, path, fragment: decodeFragment(url.hash) }];
  });
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Elements that may precede the policy: they load and run nothing. */
const quietElements: ReadonlySet<string> = new Set(["html", "head", "meta", "title"]);

/** Converts a page into a file: nonces become hashes, and links keep their targets. */
export class PageRewriter {
  /** The links by their text in the page. */
  readonly links: Map<string, PageLink> = new Map();
  readonly ids: Set<string> = new Set();
  readonly warnings: Map<string, ExportProblem> = new Map();
  isHidden = false;
  readonly #site: Site;
  readonly #path: string;
  readonly #html: string;
  readonly #policy: StaticPolicy;
  readonly #changes: Change[] = [];
  #from: string;
  #hasBase = false;
  #policyAt: number;
  #isHeadOpen = true;

  constructor(
    page: { readonly path: string; readonly html: string; readonly policy: string | null },
    site: Site,
  ) {
    this.#site = site;
    this.#path = page.path;
    // Omits the additions of the development server.
    this.#html = page.html.replace(reloadElement, "");
    this.#policy = new StaticPolicy(page.policy);
    this.#from = site.origin + site.base + page.path;
    this.#policyAt = /^\uFEFF?\s*(?:<!doctype[^>]*>)?/i.exec(this.#html)?.[0].length ?? 0;
  }

  rewrite(): string {
    for (const tag of scanDocument(this.#html)) this.#read(tag);
    for (const address of this.#policy.unlisted) this.#warn("policy_source", address);
    return this.#applied();
  }

  #warn(code: ExportProblemCode, detail = ""): void {
    this.warnings.set(`${code} ${detail}`, exportProblem(code, this.#path, detail));
  }

  #read(tag: ScannedTag): void {
    this.#placePolicy(tag);
    for (const url of tag.name === "style" ? styleUrls(tag.code ?? "") : []) this.#addLink(url);
    // Most tags have no such attribute (`bench/export`).
    if (tag.attributes.length === 0 && tag.name !== "form") return;
    this.#policy.allow(tag, (url) => this.#resolveSource(url));
    if (tag.name === "base") this.#readBase(tag);
    if (tag.name === "meta" && isHiding(tag)) this.isHidden = true;
    if (tag.name === "form" || tag.name === "button" || tag.name === "input") this.#readForm(tag);
    const follow = (link: string): string => this.#follow(tag, link);
    for (const attribute of tag.attributes) {
      const { name, value, start, end } = attribute;
      if (name === "id" || (name === "name" && tag.name === "a")) this.ids.add(value);
      if (name === "nonce") this.#cut(start, end);
      for (const url of name === "style" ? styleUrls(value) : []) this.#addLink(url);
      if (name === "action" && /^\s*post\s*$/i.test(attributeOf(tag, "method") ?? "")) continue;
      this.#replace(attribute, rewriteUrls(tag, attribute, follow));
    }
  }

  /** Places the policy as early as possible, but after the character set, which must be early. */
  #placePolicy(tag: ScannedTag): void {
    if (!this.#isHeadOpen) return;
    this.#isHeadOpen = quietElements.has(tag.name);
    if (tag.name === "html" || tag.name === "head") this.#policyAt = tag.end;
    if (tag.name !== "meta") return;
    if (attributeOf(tag, "charset") !== undefined) this.#policyAt = tag.end;
    // The page's own redirect or policy comes after it.
    if (attributeOf(tag, "http-equiv") !== undefined) this.#isHeadOpen = false;
  }

  #resolveSource(link: string): URL | "self" | undefined {
    const found = resolveLink(this.#site, link, this.#from);
    if (found === undefined) return undefined;
    return found === "elsewhere" ? URL.parse(link, this.#from) ?? undefined : "self";
  }

  /** Reads a `base` element; only the first one with an `href` applies. */
  #readBase(tag: ScannedTag): void {
    const href = tag.attributes.find(({ name }) => name === "href");
    const url = href === undefined || this.#hasBase ? null : URL.parse(href.value, this.#from);
    if (href === undefined || url === null) return;
    this.#hasBase = true;
    const found = resolveLink(this.#site, href.value, this.#from);
    this.#from = url.href;
    if (found === undefined || found === "elsewhere") return;
    // As on the server: an extra slash would change the meaning of relative links.
    this.#replace(href, url.pathname + url.search);
  }

  #readForm(tag: ScannedTag): void {
    const isForm = tag.name === "form";
    const method = attributeOf(tag, isForm ? "method" : "formmethod")?.trim().toLowerCase();
    const action = attributeOf(tag, isForm ? "action" : "formaction")?.trim() ?? "";
    if (method === "dialog") return;
    const found = resolveLink(this.#site, action, this.#from);
    if (found === "elsewhere") return;
    if (method === "post") this.#warn("form_post", action === "" ? this.#path : action);
    else if (isForm) this.#warn("query", `${action === "" ? this.#path : action}?`);
  }

  #addLink(link: string): void {
    const [found] = linksOf([link], this.#site, this.#from);
    if (found !== undefined) this.links.set(link, found);
  }

  #follow(tag: ScannedTag, link: string): string {
    this.#addLink(link);
    const resolved = resolveLink(this.#site, link, this.#from);
    if (resolved === "elsewhere" || resolved === undefined) return link;
    const { url, key } = resolved;
    const isPage = key !== undefined && pageAt(this.#site, key) !== undefined;
    if (isPage && url.search !== "" && (tag.name === "a" || tag.name === "area")) {
      this.#warn("query", link);
    }
    return rewriteLink(this.#site, link, resolved);
  }

  /** Removes an attribute with the space before it. */
  #cut(start: number, end: number): void {
    let from = start;
    while (/\s/.test(this.#html[from - 1] ?? "")) from--;
    this.#changes.push({ start: from, end, text: "" });
  }

  #replace({ name, value, start, end }: ScannedAttribute, written: string): void {
    if (written === value) return;
    this.#changes.push({ start, end, text: `${name}="${escape(written)}"` });
  }

  #applied(): string {
    const metas = this.#policy.texts().map((text) => {
      // In double quotes, the single ones of CSP sources need no escape.
      const content = text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
      return `<meta http-equiv="Content-Security-Policy" content="${content}">`;
    });
    const at = this.#policyAt;
    const changes = [...this.#changes, { start: at, end: at, text: metas.join("") }];
    let html = "";
    let from = 0;
    for (const { start, end, text } of changes.sort((a, b) => a.start - b.start)) {
      html += this.#html.slice(from, start) + text;
      from = end;
    }
    return html + this.#html.slice(from);
  }
}

function isHiding(tag: ScannedTag): boolean {
  return /^(?:robots|googlebot)$/i.test(attributeOf(tag, "name") ?? "") &&
    /\b(?:noindex|none)\b/i.test(attributeOf(tag, "content") ?? "");
}

function decodeFragment(hash: string): string {
  const id = hash.slice(1);
  // A text fragment, which browsers search for themselves.
  if (id.startsWith(":~:")) return "";
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
