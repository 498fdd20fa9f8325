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
import {
  pageAt,
  type ResolvedLink,
  resolveLink,
  rewriteLink,
  rewriteUrls,
  servedPath,
  type Site,
  styleUrls,
} from "./urls.ts";

export interface PageLink {
  readonly link: string;
  /** The canonical path of its target; `undefined` outside the base path, `""` for an invalid URL. */
  readonly key: string | undefined;
  readonly path: string;
  /** The target's id, decoded; `""` for none. */
  readonly fragment: string;
}

/** Returns the links of a style sheet that lead into the site, and those that are malformed. */
export function styleLinks(css: string, site: Site, from: string): PageLink[] {
  return styleUrls(css).flatMap((link) => {
    const resolved = resolveLink(site, link, from);
    return resolved === "elsewhere" ? [] : [readLink(link, resolved)];
  });
}

function readLink(link: string, resolved: ResolvedLink | undefined): PageLink {
  if (resolved === undefined) return { link, key: "", path: "", fragment: "" };
  const { url, key, path } = resolved;
  return { link, key, path, fragment: decodeFragment(url.hash) };
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Elements that may precede the policy: they load and run nothing. */
const quietElements: ReadonlySet<string> = new Set(["html", "head", "meta", "title"]);

/** A page as a file: nonces are hashes, and links keep their targets. */
export interface RewrittenPage {
  readonly text: string;
  readonly links: readonly PageLink[];
  readonly ids: ReadonlySet<string>;
  readonly warnings: readonly ExportProblem[];
  readonly isHidden: boolean;
}

export function rewritePage(
  site: Site,
  page: { readonly path: string; readonly html: string; readonly policy: string | null },
): RewrittenPage {
  const { path } = page;
  // Omits the additions of the development server.
  const html = page.html.replace(reloadElement, "");
  const policy = new StaticPolicy(page.policy);
  // By their text and target.
  const links = new Map<string, PageLink>();
  const ids = new Set<string>();
  const warnings = new Map<string, ExportProblem>();
  const changes: Change[] = [];
  let from = site.origin + site.base + path;
  let isHidden = false;
  let hasBase = false;
  let policyAt = /^\uFEFF?\s*(?:<!doctype[^>]*>)?/i.exec(html)?.[0].length ?? 0;
  let isHeadOpen = true;
  const warn = (code: ExportProblemCode, detail = ""): void => {
    warnings.set(`${code} ${detail}`, exportProblem(code, path, detail));
  };
  const replace = ({ name, value, start, end }: ScannedAttribute, written: string): void => {
    if (written === value) return;
    changes.push({ start, end, text: `${name}="${escape(written)}"` });
  };

  for (const tag of scanDocument(html)) readTag(tag);
  changes.push({
    start: policyAt,
    end: policyAt,
    text: policy.texts().map(policyElement).join(""),
  });
  const text = applyChanges(html, changes);
  return { text, links: [...links.values()], ids, warnings: [...warnings.values()], isHidden };

  function readTag(tag: ScannedTag): void {
    placePolicy(tag);
    if (tag.name === "style") addStyleLinks(tag.code ?? "");
    // Most tags have no such attribute (`bench/export`).
    if (tag.attributes.length === 0 && tag.name !== "form") return;
    policy.allow(tag, (link) => {
      const found = resolveLink(site, link, from);
      if (found === undefined) return undefined;
      return found === "elsewhere" ? URL.parse(link, from) ?? undefined : "self";
    });
    if (tag.name === "base") readBase(tag);
    if (tag.name === "meta" && /^(?:robots|googlebot)$/i.test(attributeOf(tag, "name") ?? "")) {
      isHidden ||= /\b(?:noindex|none)\b/i.test(attributeOf(tag, "content") ?? "");
    }
    if (tag.name === "form" || tag.name === "button" || tag.name === "input") readForm(tag);
    for (const attribute of tag.attributes) {
      const { name, value, start, end } = attribute;
      if (name === "id" || (name === "name" && tag.name === "a")) ids.add(value);
      if (name === "style") addStyleLinks(value);
      // With the space before it.
      if (name === "nonce") {
        changes.push({ start: html.slice(0, start).trimEnd().length, end, text: "" });
      }
      if (name === "action" && /^\s*post\s*$/i.test(attributeOf(tag, "method") ?? "")) continue;
      replace(attribute, rewriteUrls(tag, attribute, (link) => follow(tag, link)));
    }
  }

  /** Places the policy as early as possible, but after the character set, which must be early. */
  function placePolicy(tag: ScannedTag): void {
    if (!isHeadOpen) return;
    isHeadOpen = quietElements.has(tag.name);
    if (tag.name === "html" || tag.name === "head") policyAt = tag.end;
    if (tag.name !== "meta") return;
    if (attributeOf(tag, "charset") !== undefined) policyAt = tag.end;
    // The page's own redirect or policy comes after it.
    if (attributeOf(tag, "http-equiv") !== undefined) isHeadOpen = false;
  }

  function readBase(tag: ScannedTag): void {
    const href = tag.attributes.find(({ name }) => name === "href");
    const url = href === undefined || hasBase ? null : URL.parse(href.value, from);
    if (href === undefined || url === null) return;
    hasBase = true;
    const found = resolveLink(site, href.value, from);
    from = url.href;
    // As on the server: an extra slash would change the meaning of relative links.
    if (found !== undefined && found !== "elsewhere") replace(href, url.pathname + url.search);
  }

  function readForm(tag: ScannedTag): void {
    const isForm = tag.name === "form";
    const method = attributeOf(tag, isForm ? "method" : "formmethod")?.trim().toLowerCase();
    const action = attributeOf(tag, isForm ? "action" : "formaction")?.trim() ?? "";
    if (method === "dialog" || resolveLink(site, action, from) === "elsewhere") return;
    const shown = action === "" ? path : action;
    if (method === "post") warn("form_post", shown);
    else if (isForm) warn("query", `${shown}?`);
  }

  /** Adds the links of a style, which are not rewritten: relative ones begin at the file. */
  function addStyleLinks(css: string): void {
    const at = hasBase ? from : site.origin + servedPath(site, path);
    for (const link of styleLinks(css, site, at)) links.set(`${link.link} ${link.path}`, link);
  }

  function follow(tag: ScannedTag, link: string): string {
    const resolved = resolveLink(site, link, from);
    if (resolved === "elsewhere") return link;
    const found = readLink(link, resolved);
    links.set(`${link} ${found.path}`, found);
    if (resolved === undefined) return link;
    const { url, key } = resolved;
    const isPage = key !== undefined && pageAt(site, key) !== undefined;
    if (isPage && url.search !== "" && (tag.name === "a" || tag.name === "area")) {
      warn("query", link);
    }
    return rewriteLink(site, link, resolved);
  }
}

function policyElement(text: string): string {
  // In double quotes, the single ones of CSP sources need no escape.
  const content = text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
  return `<meta http-equiv="Content-Security-Policy" content="${content}">`;
}

function applyChanges(html: string, changes: Change[]): string {
  let written = "";
  let from = 0;
  for (const { start, end, text } of changes.sort((a, b) => a.start - b.start)) {
    written += html.slice(from, start) + text;
    from = end;
  }
  return written + html.slice(from);
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
