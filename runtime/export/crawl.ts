import { canonicalText } from "../base/url/path.ts";
import type { Application } from "../base/ctx/application.ts";
import type { OutputFolder } from "./folder.ts";
import { type SitemapEntry, type SiteRedirect, writeRedirectPage } from "./made.ts";
import { fileName, findReserved, hasExtension, TakenNames } from "./names.ts";
import type { SettledOptions } from "./options.ts";
import { type LinkingPage, rewritePage } from "./page.ts";
import { type ExportPlan, type ExportTarget, isBelow } from "./plan.ts";
import {
  type BrokenLink,
  type BrokenLinkReason,
  type ExportedFile,
  type ExportProblem,
  exportProblem,
} from "./report.ts";
import { type Exported, requestPath } from "./request.ts";
import { pageAt, resolveLink, rewriteLink, servedPath, type Site } from "./urls.ts";
import { createPipeline, type Pipeline } from "../pipeline/pipeline.ts";
import type { Runtime } from "../pipeline/runtime.ts";

/** An export in progress: what is requested, and what is known of the site so far. */
export class Crawl {
  declare readonly app: Application;
  declare readonly compiled: Runtime;
  declare readonly options: SettledOptions;
  declare readonly site: Site;
  declare readonly folder: OutputFolder;
  declare readonly plan: ExportPlan;
  readonly pipeline: Pipeline;
  readonly names = new TakenNames();
  readonly targets = new Map<string, ExportTarget>();
  readonly assets = new Map<string, { readonly path: string; readonly source: string }>();
  /** The element ids of the pages by canonical path; `undefined` for a redirect. */
  readonly pages = new Map<string, ReadonlySet<string> | undefined>();
  readonly fileKeys = new Set<string>();
  /** Failed pages, which are reported already. */
  readonly failed = new Set<string>();
  readonly linking: LinkingPage[] = [];
  readonly redirects: SiteRedirect[] = [];
  readonly listed: SitemapEntry[] = [];
  readonly files: ExportedFile[] = [];
  readonly errors: ExportProblem[];
  readonly warnings: ExportProblem[] = [];
  readonly requested = new Set<string>();
  done = 0;

  constructor(parts: Pick<Crawl, "app" | "compiled" | "options" | "site" | "folder" | "plan">) {
    Object.assign(this, parts);
    this.pipeline = createPipeline(parts.compiled);
    this.errors = [...parts.plan.errors];
  }
}

function refuse(crawl: Crawl, code: ExportProblem["code"], subject: string, detail: string): void {
  crawl.errors.push(exportProblem(code, subject, detail));
}

export function warn(
  crawl: Crawl,
  code: ExportProblem["code"],
  subject: string,
  detail = "",
): void {
  crawl.warnings.push(exportProblem(code, subject, detail));
}

type NamedTarget = readonly [file: string, target: ExportTarget];

/** Names the files of paths and returns the paths that have one. */
export function addTargets(crawl: Crawl, targets: readonly ExportTarget[]): NamedTarget[] {
  const added: NamedTarget[] = [];
  for (const target of targets) {
    const { path, key, pattern, isPage } = target;
    const named = fileName(key, isPage ? crawl.options.layout : undefined);
    if ("bad" in named) {
      refuse(crawl, "bad_name", path, named.bad);
      continue;
    }
    // A literal route is the developer's own choice.
    const taken = pattern?.includes("{") === true ? findReserved(named.file) : undefined;
    if (taken !== undefined) refuse(crawl, "reserved_name", path, taken);
    else if (takeName(crawl, named.file, path)) added.push([named.file, target]);
  }
  for (const [file, target] of added) crawl.targets.set(file, target);
  return added;
}

function takeName(crawl: Crawl, file: string, path: string): boolean {
  const other = crawl.names.take(file, path);
  if (other !== undefined) refuse(crawl, "collision", path, other);
  return other === undefined;
}

export function addAssets(crawl: Crawl): void {
  const { compiled, options: { exclude }, plan } = crawl;
  const listing = compiled.files?.list();
  const unused = new Set(exclude).difference(plan.usedExcludes);
  for (const [key, { path: source }] of listing?.files ?? []) {
    const named = fileName(key, undefined);
    // A literal route takes precedence over a file, as it does on the server.
    const target = "file" in named ? crawl.targets.get(named.file) : undefined;
    if (target?.key === key && target.pattern === key) continue;
    const excluded = exclude.filter((start) => isBelow(key, [start]));
    for (const start of excluded) unused.delete(start);
    if (excluded.length > 0) continue;
    if ("bad" in named) refuse(crawl, "bad_name", key, named.bad);
    else if (takeName(crawl, named.file, key)) crawl.assets.set(named.file, { path: key, source });
  }
  for (const setting of listing?.unlisted ?? []) warn(crawl, "unlisted", setting);
  for (const start of unused) warn(crawl, "unused_exclude", start);
}

export async function exportAll(crawl: Crawl, targets: readonly NamedTarget[]): Promise<void> {
  const { concurrency, signal } = crawl.options;
  let next = 0;
  const failures: unknown[] = [];
  const work = async (): Promise<void> => {
    for (let entry = targets[next++]; entry !== undefined; entry = targets[next++]) {
      if (failures.length > 0) return;
      try {
        signal?.throwIfAborted();
        await exportPath(crawl, ...entry);
        reportProgress(crawl, entry[1].path);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  // All workers end before the failure is thrown: none writes afterwards.
  await Promise.all(Array.from({ length: concurrency }, work));
  if (failures.length > 0) throw failures[0];
}

export function reportProgress(crawl: Crawl, path: string): void {
  const { options, targets, assets } = crawl;
  options.onProgress?.({ done: ++crawl.done, total: targets.size + assets.size, path });
}

async function exportPath(crawl: Crawl, file: string, target: ExportTarget): Promise<void> {
  const { pipeline, site, options: { timeoutMs } } = crawl;
  const response = await requestPath(target, { pipeline, site, timeoutMs });
  if (target.pattern !== undefined) crawl.requested.add(target.pattern);
  if (response.kind !== "file" || !target.isPage) {
    return await writeResponse(crawl, file, target, response);
  }
  // A page that returns a file, for example a feed: its path has the extension.
  const named = fileName(target.key, undefined);
  if ("file" in named) await writeResponse(crawl, named.file, target, response);
}

export async function writeResponse(
  crawl: Crawl,
  file: string,
  target: ExportTarget,
  response: Exported,
): Promise<void> {
  const { path, key, pattern, isPage } = target;
  if (response.kind === "error") {
    crawl.failed.add(key);
    crawl.errors.push(response.error);
    return;
  }
  if (response.kind === "redirect") return await writeRedirect(crawl, file, target, response);
  for (const cookie of response.headers.getSetCookie()) {
    warn(crawl, "cookie", path, `"${cookie.slice(0, cookie.indexOf("="))}"`);
  }
  if (response.kind === "html") return await writePage(crawl, file, target, response);
  if (isText(response.headers)) {
    warnOfAddress(crawl, path, new TextDecoder().decode(response.bytes));
  }
  await crawl.folder.write(file, response.bytes);
  addFile(crawl, { file, kind: pattern === undefined && !isPage ? "asset" : "route", path });
}

export function addFile(crawl: Crawl, file: ExportedFile): void {
  crawl.files.push(file);
  crawl.fileKeys.add(`/${canonicalText(file.file)}`);
}

async function writePage(
  crawl: Crawl,
  file: string,
  { path, key, pattern, isPage }: ExportTarget,
  { html, status, headers }: Exported & { readonly kind: "html" },
): Promise<void> {
  const { site } = crawl;
  const policy = headers.get("content-security-policy");
  const page = rewritePage({ path, html, policy }, site);
  crawl.warnings.push(...page.warnings);
  warnOfAddress(crawl, path, page.html);
  await crawl.folder.write(file, new TextEncoder().encode(page.html));
  addFile(crawl, {
    file,
    kind: pattern === undefined ? "made" : isPage ? "page" : "route",
    path,
  });
  crawl.pages.set(key, page.ids);
  crawl.linking.push({ path, links: page.links });
  const isHidden = page.isHidden ||
    /\b(?:noindex|none)\b/i.test(headers.get("x-robots-tag") ?? "");
  if (isHidden || !site.isKnown || status !== 200) return;
  const url = site.origin + servedPath(site, path);
  crawl.listed.push({ url, lastModified: headers.get("last-modified") });
}

async function writeRedirect(
  crawl: Crawl,
  file: string,
  { path, key, isPage }: ExportTarget,
  { location, status }: Exported & { readonly kind: "redirect" },
): Promise<void> {
  const { site, redirects, linking } = crawl;
  const resolved = resolveLink(site, location, site.origin + site.base + path);
  const isInside = resolved !== undefined && resolved !== "elsewhere";
  const to = isInside ? rewriteLink(site, location, resolved) : location;
  const served = isPage ? servedPath(site, path) : site.base + path;
  for (const from of new Set([site.base + path, served])) redirects.push({ from, to, status });
  if (isInside) {
    const link = { link: location, key: resolved.key, path: resolved.path, fragment: "" };
    linking.push({ path, links: [link] });
  }
  if (!/\.html?$/i.test(file)) {
    crawl.fileKeys.add(`/${canonicalText(file)}`);
    return warn(crawl, "redirect_file", path, to);
  }
  await crawl.folder.write(file, new TextEncoder().encode(writeRedirectPage(to)));
  addFile(crawl, { file, kind: "redirect", path });
  crawl.pages.set(key, undefined);
}

function warnOfAddress(crawl: Crawl, subject: string, text: string): void {
  const { site: { origin, isKnown } } = crawl;
  if (!isKnown && text.includes(origin.slice(origin.indexOf("//")))) {
    warn(crawl, "no_base_url", subject);
  }
}

function isText(headers: Headers): boolean {
  return /^\s*(?:text\/|application\/(?:json|[\w.+-]*xml|[\w.+-]*json|javascript))|\+xml\b/i.test(
    headers.get("content-type") ?? "",
  );
}

export async function exportLinked(crawl: Crawl): Promise<void> {
  const seen = new Set<string>();
  for (let at = 0; at < crawl.linking.length;) {
    const found: ExportTarget[] = [];
    for (; at < crawl.linking.length; at++) {
      for (const { key, path } of crawl.linking[at]?.links ?? []) {
        if (key === undefined || seen.has(key) || isInSite(key, crawl)) continue;
        seen.add(key);
        const target = await findLinked(crawl, key, path);
        if (target !== undefined) found.push(target);
      }
    }
    await exportAll(crawl, addTargets(crawl, found));
  }
}

async function findLinked(
  { compiled, options: { exclude }, names }: Crawl,
  key: string,
  path: string,
): Promise<ExportTarget | undefined> {
  const bare = withoutLanguage(key, compiled);
  if (isBelow(bare, exclude)) return undefined;
  const match = compiled.router.find(bare);
  if (match?.isLiteral !== true && await compiled.files?.find(key) !== undefined) {
    const isAsset = names.pathOf(key.slice(1)) !== undefined;
    return isAsset ? undefined : { path, key, pattern: undefined, isPage: false };
  }
  if (match === undefined || match.value.isPage || match.value.get === undefined) return undefined;
  const { pattern } = match.value;
  if (!hasExtension(key) || isBelow(pattern, exclude)) return undefined;
  return { path, key, pattern, isPage: false };
}

function isInSite(key: string, crawl: Crawl): boolean {
  const { site, pages, fileKeys, compiled, names, options } = crawl;
  const page = pageAt(site, key);
  if (page !== undefined && pages.has(page)) return true;
  return fileKeys.has(key) || isIndex(key, compiled, names) ||
    isBelow(withoutLanguage(key, compiled), options.elsewhere);
}

/** Reports whether a mount serves the `index.html` of a folder at the folder's path. */
function isIndex(key: string, { files }: Runtime, names: TakenNames): boolean {
  const name = `${key.slice(1)}${key.endsWith("/") ? "" : "/"}index.html`;
  return names.pathOf(name) !== undefined && files?.isInFolder(key) === true;
}

function withoutLanguage(key: string, { languages }: Runtime): string {
  const prefixed = languages?.parsePrefix(key);
  return prefixed === undefined ? key : prefixed.rest || "/";
}

function missingReason(key: string, { compiled, options: { exclude } }: Crawl): BrokenLinkReason {
  const inside = withoutLanguage(key, compiled);
  const bare = inside.length > 1 ? inside.replace(/\/$/, "") : inside;
  const pattern = bare.startsWith("/") ? compiled.router.find(bare)?.value.pattern : undefined;
  if (isBelow(bare, exclude)) return "excluded";
  if (pattern === undefined) return "missing";
  return isBelow(pattern, exclude) ? "excluded" : "not_exported";
}

export function checkLinks(
  pages: readonly LinkingPage[],
  crawl: Crawl,
): { readonly broken: readonly BrokenLink[]; readonly warnings: readonly ExportProblem[] } {
  const broken: BrokenLink[] = [];
  const warnings: ExportProblem[] = [];
  for (const { path, links } of pages) {
    for (const { link, key, fragment } of links) {
      if (key === undefined) broken.push({ page: path, link, reason: "outside_base" });
      else if (!isInSite(key, crawl)) {
        if (crawl.failed.has(pageAt(crawl.site, key) ?? key)) continue;
        broken.push({ page: path, link, reason: missingReason(key, crawl) });
      } else if (!hasFragment(key, fragment, crawl)) {
        warnings.push(exportProblem("fragment", path, link));
      }
    }
  }
  return { broken, warnings };
}

function hasFragment(key: string, fragment: string, { site, pages }: Crawl): boolean {
  // Browsers treat `#top` as the start of any page.
  if (fragment === "" || /^top$/i.test(fragment)) return true;
  const ids = pages.get(pageAt(site, key) ?? "");
  return ids === undefined || ids.has(fragment);
}
