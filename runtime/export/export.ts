import { resolve } from "@std/path";
import type { Application } from "../base/ctx/application.ts";
import type { Config } from "../base/ctx/config.ts";
import type { Runtime } from "../pipeline/runtime.ts";
import { ExportConnection } from "../request/request_ctx.ts";
import { isWithin } from "../serve/static/disk.ts";
import { realPath, servedFolders, systemPath } from "../serve/static/mounts.ts";
import { Crawl } from "./crawl.ts";
import { openOutputFolder } from "./folder.ts";
import { checkLinks, exportLinked } from "./links.ts";
import { writeHeaders, writeRedirects, writeSitemap } from "./made.ts";
import { hasExtension } from "./names.ts";
import { type ExportOptions, settleOptions } from "./options.ts";
import { addAssets, addRoutes } from "./plan.ts";
import { headerPolicy } from "./policy.ts";
import { type BrokenLink, ExportError, type ExportProblem, type ExportReport } from "./report.ts";
import { requestPath } from "./request.ts";
import type { Site } from "./urls.ts";
import { exportWaiting, writeResponse } from "./write.ts";

/**
 * Implements `app.export`: requests every path, rewrites the pages for files, checks the links, and replaces
 * the site in the folder, which an {@link ExportError} for a failed page or a broken link leaves unchanged.
 *
 * @throws {TypeError} or {RangeError} for invalid options or an unusable folder.
 */
export async function exportApp(
  dir: string | URL,
  { app, compiled }: { readonly app: Application; readonly compiled: Runtime },
  given: ExportOptions,
): Promise<ExportReport> {
  const startMs = performance.now();
  const options = settleOptions(given);
  const address = findAddress(options, compiled);
  using folder = await openOutputFolder(findExportDir(dir, app.config));
  const { base, languages } = compiled;
  const site: Site = { ...address, base, pageKeys: new Set() };
  const crawl = new Crawl({ app, compiled, options, site, folder });
  const prefixes = languages?.hasPrefix === true ? languages.tags : [];
  await addRoutes(crawl, prefixes);
  addAssets(crawl);
  // Two paths of one file, or an invalid name: nothing is requested.
  const isStopped = crawl.errors.length > 0;
  if (!isStopped) {
    await exportWaiting(crawl);
    await exportNotFound(crawl);
    await exportLinked(crawl);
    await copyAssets(crawl);
    await addMadeFiles(crawl);
  }
  const broken = isStopped ? [] : checkLinks(crawl);
  const report = reportOn(crawl, broken, startMs);
  if (report.errors.length > 0 || broken.length > 0) throw new ExportError(report);
  options.signal?.throwIfAborted();
  await folder.publish();
  return report;
}

/** Exports the page for unknown paths, requested at a path that hosts reserve for it. */
async function exportNotFound(crawl: Crawl): Promise<void> {
  const file = "404.html";
  if (crawl.names.take(file, "/404.html") !== undefined) return;
  const target = { path: "/404.html", key: "/404.html", pattern: undefined, isPage: true };
  const response = await requestPath(crawl, target, { wantedStatus: 404 });
  if (response.kind === "html" && response.status === 404) {
    return await writeResponse(crawl, { file, target }, response);
  }
  const detail = response.kind === "error" ? response.error.detail : String(response.status);
  crawl.warn("no_not_found", file, detail);
}

async function copyAssets(crawl: Crawl): Promise<void> {
  for (const [file, { path, source }] of crawl.assets) {
    crawl.options.signal?.throwIfAborted();
    await crawl.folder.copy(file, source);
    crawl.addFile({ file, kind: "asset", path });
    crawl.reportProgress(path);
  }
}

/** Writes the files that no path of the application serves. */
async function addMadeFiles(crawl: Crawl): Promise<void> {
  const { site, compiled, names } = crawl;
  const root = `${site.origin}${site.base}/`;
  const made = new Map<string, string>([
    [".nojekyll", ""],
    ...(site.isKnown ? writeSitemap(crawl.listed, root) : []),
    ["_redirects", writeRedirects(crawl.redirects)],
    ["_headers", writeHeaders(site.base, siteHeaders(compiled, root))],
  ]);
  for (const [name, text] of made) {
    if (text === "" && name.startsWith("_")) continue;
    // The application's own file takes precedence.
    if (names.pathOf(name) !== undefined) continue;
    await crawl.folder.write(name, new TextEncoder().encode(text));
    crawl.addFile({ file: name, kind: "made", path: `/${name}` });
  }
}

/** Returns the headers of every file: those of a page, and of the policy only what a page cannot set itself. */
function siteHeaders({ defaults }: Runtime, root: string): (readonly [string, string])[] {
  const { page, csp } = root.startsWith("https:") ? defaults.https : defaults.http;
  // A page is private for its nonce, which a file does not have: the host decides how long it is cached.
  const headers = page.filter(([name]) => name !== "cache-control");
  const policy = csp === undefined ? "" : headerPolicy(csp("x"));
  return policy === "" ? headers : [...headers, ["content-security-policy", policy]];
}

function reportOn(crawl: Crawl, broken: readonly BrokenLink[], startMs: number): ExportReport {
  const { app, targets, folder, files } = crawl;
  const sources = new Map(app.routes.map(({ pattern, source }) => [pattern, source]));
  const byPath = new Map([...targets.values()].map(({ path, pattern = "" }) => [path, pattern]));
  const sourceOf = (path: string): { readonly source?: string } => {
    const source = sources.get(byPath.get(path) ?? "");
    return source === undefined ? {} : { source };
  };
  const bySubject = (list: readonly ExportProblem[]): ExportProblem[] =>
    list.toSorted((a, b) => a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0);
  for (const { pattern, source = "" } of crawl.linked) {
    if (crawl.requested.has(pattern)) continue;
    const reason = hasExtension(pattern) ? "not_linked" : "no_extension";
    crawl.skipped.push({ pattern, source, reason });
  }
  return {
    dir: folder.dir,
    files: files.toSorted((one, other) => one.file < other.file ? -1 : 1),
    skipped: crawl.skipped,
    warnings: bySubject(crawl.warnings),
    errors: bySubject(crawl.errors).map((error) => ({ ...sourceOf(error.subject), ...error })),
    brokenLinks: broken.map((link) => ({ ...sourceOf(link.page), ...link })),
    durationMs: Math.round(performance.now() - startMs),
  };
}

type SiteAddress = Pick<Site, "origin" | "isKnown">;

function findAddress(options: ExportOptions, compiled: Runtime): SiteAddress {
  const { baseUrl } = options;
  if (baseUrl === undefined) {
    // An application that names its hosts refuses any other; no host has the placeholder.
    const [host = "export.invalid"] = compiled.app.config.allowedHosts;
    return { origin: `http://${host.toLowerCase().replace("*", "www")}`, isKnown: false };
  }
  const url = URL.parse(baseUrl);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === null || !isWeb || url.username !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError(
      `Cannot export for "${baseUrl}": write the site's address without user, query and fragment, such as "https://example.com".`,
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
  const { base } = compiled;
  if (path !== "" && path !== base) {
    throw new TypeError(
      `Cannot export for "${baseUrl}": the base path is "${base}"; set it to "${path}" (config.basePath, FW_BASE_PATH), or leave the path out.`,
    );
  }
  if (compiled.isAllowedHost?.(url.host, null, new ExportConnection()) === false) {
    throw new TypeError(
      `Cannot export for "${baseUrl}": config.allowedHosts (FW_ALLOWED_HOSTS) has no "${url.hostname}"; add it.`,
    );
  }
  return { origin: url.origin, isKnown: true };
}

/** Finds the folder of the site, which is never beside static files: the next export would export it. */
function findExportDir(dir: string | URL, config: Config): string {
  const path = resolve(systemPath(dir));
  const real = realPath(path);
  const folder = servedFolders(config).map(([, served]) => served)
    .find((served) => isWithin(real, served) || isWithin(served, real));
  if (folder === undefined) return path;
  throw new TypeError(
    `Cannot export to "${path}": the folder "${folder}" with static files is there; choose another.`,
  );
}
