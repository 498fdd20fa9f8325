import type { Application } from "../base/ctx/application.ts";
import type { Runtime } from "../pipeline/runtime.ts";
import {
  addAssets,
  addFile,
  addTargets,
  checkLinks,
  Crawl,
  exportAll,
  exportLinked,
  reportProgress,
  warn,
  writeResponse,
} from "./crawl.ts";
import { openOutputFolder } from "./folder.ts";
import { writeHeaders, writeRedirects, writeSitemap } from "./made.ts";
import { hasExtension } from "./names.ts";
import { type ExportOptions, settleOptions } from "./options.ts";
import { planExport } from "./plan.ts";
import { headerPolicy } from "./policy.ts";
import { type BrokenLink, ExportError, type ExportProblem, type ExportReport } from "./report.ts";
import { requestPath } from "./request.ts";
import type { Site } from "./urls.ts";
import { join, resolve } from "@std/path";
import type { Config } from "../base/ctx/config.ts";
import { ExportConnection } from "../request/request_ctx.ts";
import { isWithin } from "../serve/static/disk.ts";
import { realPath, servedFolders, systemPath } from "../serve/static/mounts.ts";

export interface ExportSubject {
  readonly app: Application;
  readonly compiled: Runtime;
  readonly appDir: string | undefined;
}

/**
 * Implements `app.export`: requests every path, rewrites the pages for files, checks the links, and replaces
 * the site in the folder.
 *
 * @throws {ExportError} if a page fails or a link is broken; the folder is unchanged then.
 * @throws {TypeError} or {RangeError} for invalid options or an unusable folder.
 */
export async function exportApp(
  dir: string | URL,
  { app, compiled, appDir }: ExportSubject,
  given: ExportOptions,
): Promise<ExportReport> {
  const startMs = performance.now();
  const options = settleOptions(given);
  const { exclude, maxPages, layout } = options;
  const address = findAddress(options, compiled);
  const path = findExportDir(dir, { appDir, config: app.config });
  using folder = await openOutputFolder(path, options);
  const languages = prefixLanguages(compiled);
  const plan = await planExport(app.routes, { app, exclude, maxPages, languages });
  const pageKeys = new Set(plan.targets.flatMap(({ isPage, key }) => isPage ? [key] : []));
  const isPage = (key: string): boolean => pageKeys.has(key);
  const site: Site = { ...address, base: compiled.base, layout, isPage };
  const crawl = new Crawl({ app, compiled, options, site, folder, plan });
  const first = addTargets(crawl, plan.targets);
  addAssets(crawl);
  // Two paths of one file, or an invalid name: nothing is requested.
  if (crawl.errors.length === 0) {
    await exportAll(crawl, first);
    await exportNotFound(crawl);
    await exportLinked(crawl);
    await copyAssets(crawl);
    await addMadeFiles(crawl);
  }
  // Pages arrive as they are ready: sorting keeps the report stable.
  const linking = crawl.linking.toSorted((one, other) => one.path < other.path ? -1 : 1);
  const isStopped = crawl.files.length === 0 && crawl.errors.length > 0;
  const { broken, warnings } = checkLinks(isStopped ? [] : linking, crawl);
  crawl.warnings.push(...warnings);
  const report = reportOn(crawl, broken, startMs);
  if (report.errors.length > 0 || broken.length > 0) throw new ExportError(report);
  await folder.publish();
  return report;
}

function prefixLanguages({ languages }: Runtime): readonly string[] {
  return languages?.hasPrefix === true ? languages.tags : [];
}

/** Exports the page for unknown paths, requested at a path that hosts reserve for it. */
async function exportNotFound(crawl: Crawl): Promise<void> {
  const file = "404.html";
  if (crawl.names.take(file, "/404.html") !== undefined) return;
  const target = { path: "/404.html", key: "/404.html", pattern: undefined, isPage: true };
  const { pipeline, site, options: { timeoutMs } } = crawl;
  const response = await requestPath(target, { pipeline, site, timeoutMs, wantedStatus: 404 });
  if (response.kind === "html" && response.status === 404) {
    return await writeResponse(crawl, file, target, response);
  }
  const detail = response.kind === "error" ? response.error.detail : String(response.status);
  warn(crawl, "no_not_found", file, detail);
}

async function copyAssets(crawl: Crawl): Promise<void> {
  for (const [file, { path, source }] of crawl.assets) {
    crawl.options.signal?.throwIfAborted();
    await crawl.folder.copy(file, source);
    addFile(crawl, { file, kind: "asset", path });
    reportProgress(crawl, path);
  }
}

/** Writes the files that no path of the application serves. */
async function addMadeFiles(crawl: Crawl): Promise<void> {
  const { site, compiled, names } = crawl;
  const root = `${site.origin}${site.base}/`;
  const made = new Map<string, string>([
    [".nojekyll", ""],
    ...(site.isKnown ? writeSitemap(crawl.listed, root, prefixLanguages(compiled)) : []),
    ["_redirects", writeRedirects(crawl.redirects)],
    ["_headers", writeHeaders(site.base, siteHeaders(compiled, root))],
  ]);
  for (const [name, text] of made) {
    if (text === "" && name.startsWith("_")) continue;
    if (names.pathOf(name) === undefined) {
      await crawl.folder.write(name, new TextEncoder().encode(text));
      addFile(crawl, { file: name, kind: "made", path: `/${name}` });
    } else if (name.startsWith("_")) warn(crawl, "own_file", name);
  }
}

/** Returns the headers of every file: those of a page, and of the policy only what a page cannot set itself. */
function siteHeaders(compiled: Runtime, root: string): (readonly [string, string])[] {
  const { defaults } = compiled;
  const { page, csp } = root.startsWith("https:") ? defaults.https : defaults.http;
  // A page is private for its nonce, which a file does not have: the host decides how long it is cached.
  const headers = page.filter(([name]) => name !== "cache-control");
  const policy = csp === undefined ? "" : headerPolicy(csp("x"));
  return policy === "" ? headers : [...headers, ["content-security-policy", policy]];
}

function reportOn(crawl: Crawl, broken: readonly BrokenLink[], startMs: number): ExportReport {
  const { app, plan, targets, folder, files } = crawl;
  const sources = new Map(app.routes.map(({ pattern, source }) => [pattern, source]));
  const byPath = new Map([...targets.values()].map(({ path, pattern = "" }) => [path, pattern]));
  const sourceOf = (path: string): { readonly source?: string } => {
    const source = sources.get(byPath.get(path) ?? "");
    return source === undefined ? {} : { source };
  };
  const unlinked = plan.linked.filter(({ pattern }) => !crawl.requested.has(pattern));
  const bySubject = (list: readonly ExportProblem[]): ExportProblem[] =>
    list.toSorted((a, b) => a.subject < b.subject ? -1 : a.subject > b.subject ? 1 : 0);
  return {
    dir: folder.dir,
    files: files.toSorted((one, other) => one.file < other.file ? -1 : 1),
    skipped: [
      ...plan.skipped,
      ...unlinked.map(({ pattern, source = "" }) => ({
        pattern,
        source,
        reason: hasExtension(pattern) ? "not_linked" as const : "no_extension" as const,
      })),
    ],
    warnings: bySubject(crawl.warnings),
    errors: bySubject(crawl.errors).map((error) => ({ ...sourceOf(error.subject), ...error })),
    brokenLinks: broken.map((link) => ({ ...sourceOf(link.page), ...link })),
    durationMs: Math.round(performance.now() - startMs),
  };
}

/** The address of a site without a `baseUrl`: no host has it, so it is recognisable where it shows up. */
const unknownOrigin = "http://export.invalid";

type SiteAddress = Pick<Site, "origin" | "isKnown">;

function findAddress(options: ExportOptions, compiled: Runtime): SiteAddress {
  const { baseUrl } = options;
  if (baseUrl === undefined) return guessAddress(compiled.app.config);
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

/** An application that names its hosts would refuse any other. */
function guessAddress(config: Pick<Config, "allowedHosts">): SiteAddress {
  const { allowedHosts } = config;
  const host = allowedHosts.find((pattern) => !pattern.startsWith("*"));
  if (host !== undefined) return { origin: `https://${host.toLowerCase()}`, isKnown: true };
  const [pattern] = allowedHosts;
  if (pattern === undefined) return { origin: unknownOrigin, isKnown: false };
  throw new TypeError(
    `Cannot export without an address: config.allowedHosts has only "${pattern}"; give baseUrl.`,
  );
}

/** Finds the folder of the site: never one with static files or the application. */
function findExportDir(
  dir: string | URL,
  own: { readonly appDir: string | undefined; readonly config: Config },
): string {
  const path = resolve(systemPath(dir));
  const real = realPath(path);
  for (const [, folder] of servedFolders(own.config)) {
    if (isWithin(real, folder) || isWithin(folder, real)) {
      throw new TypeError(
        `Cannot export to "${path}": the folder "${folder}" with static files is there; choose another.`,
      );
    }
  }
  const app = own.appDir === undefined ? undefined : realPath(own.appDir);
  const isSource = app !== undefined &&
    (isWithin(app, real) || isWithin(real, join(app, "app")));
  if (!isSource) return path;
  throw new TypeError(
    `Cannot export to "${path}": the application itself is there; choose another folder, such as "dist".`,
  );
}
