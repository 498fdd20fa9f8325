import { resolve } from "../base/file_path.ts";
import type { Config } from "../base/ctx/config.ts";
import { hideCredentials } from "../base/diagnose/error_text.ts";
import type { Runtime } from "../pipeline/runtime.ts";
import { ExportConnection } from "../request/request_ctx.ts";
import { isWithin } from "../serve/static/disk.ts";
import { realPath, servedFolders, systemPath } from "../serve/static/mounts.ts";
import { Crawl } from "./crawl.ts";
import { openOutputFolder } from "./folder.ts";
import { checkLinks, exportLinked } from "./links.ts";
import { writeHeaders, writeRedirects, writeSitemaps } from "./made.ts";
import { hasExtension } from "./names.ts";
import { type ExportOptions, settleOptions } from "./options.ts";
import { headerPolicy } from "./policy.ts";
import { ExportError, type ExportReport } from "./report.ts";
import type { Site } from "./urls.ts";
import { addStyleLinks, exportNotFound, exportOldPaths, exportWaiting } from "./write.ts";

/**
 * Implements `app.export`: requests every path, rewrites the pages for files, checks the links, and replaces
 * the site in the folder. An {@link ExportError} for a failed page or a broken link leaves the folder
 * unchanged.
 *
 * @throws {TypeError} or {RangeError} for invalid options or an unusable folder.
 */
export async function exportApp(
  dir: string | URL,
  compiled: Runtime,
  given: ExportOptions,
): Promise<ExportReport> {
  const options = settleOptions(given);
  const site = openSite(options, compiled);
  using folder = await openOutputFolder(findExportDir(dir, compiled.app.config));
  const crawl = new Crawl({ compiled, options, site, folder });
  await crawl.plan();
  // Two paths share a file, or a name is invalid: nothing is requested.
  if (crawl.errors.length === 0) {
    await exportWaiting(crawl);
    await exportOldPaths(crawl);
    await exportNotFound(crawl);
    await copyAssets(crawl);
    await exportLinked(crawl);
    await addMadeFiles(crawl);
    checkLinks(crawl);
  }
  const report = reportOn(crawl);
  if (report.errors.length > 0) throw new ExportError(report);
  await folder.publish();
  return report;
}

async function copyAssets(crawl: Crawl): Promise<void> {
  for (const { file, path, source } of crawl.assets) {
    await crawl.folder.copy(file, source);
    crawl.addFile({ file, kind: "asset", path });
    if (/\.css$/i.test(file)) {
      const target = { path, key: path, route: undefined, isPage: false };
      addStyleLinks(crawl, target, await Deno.readTextFile(source));
    }
    crawl.reportProgress(path);
  }
}

async function addMadeFiles(crawl: Crawl): Promise<void> {
  const { site, compiled, names } = crawl;
  const made = new Map<string, string>([
    [".nojekyll", ""],
    ...site.isKnown ? writeSitemaps(crawl.listed, `${site.origin}${site.base}/`) : [],
    ["_redirects", writeRedirects(crawl.redirects)],
    ["_headers", writeHeaders(site.base, siteHeaders(compiled, site.origin))],
  ]);
  for (const [name, text] of made) {
    if (text === "" && name !== ".nojekyll") continue;
    // The application's own file takes precedence.
    if (names.pathOf(name) !== undefined) continue;
    await crawl.folder.write(name, new TextEncoder().encode(text));
    crawl.addFile({ file: name, kind: "made", path: `/${name}` });
  }
}

/** Returns the headers of every file: those of a page, and the policy directives for headers only. */
function siteHeaders({ defaults }: Runtime, origin: string): (readonly [string, string])[] {
  const { page, csp } = origin.startsWith("https:") ? defaults.https : defaults.http;
  // A page is private because of its nonce, which a file lacks: the host decides how long it is cached.
  const headers = page.filter(([name]) => name !== "cache-control");
  const policy = csp === undefined ? "" : headerPolicy(csp("x"));
  return policy === "" ? headers : [...headers, ["content-security-policy", policy]];
}

/** Sorts the results, which arrive in any order, so that reports are stable. */
function reportOn(crawl: Crawl): ExportReport {
  const { folder, files, skipped, warnings, errors, unlinked } = crawl;
  for (const [pattern, source] of unlinked) {
    const reason = hasExtension(pattern) ? "not_linked" : "no_extension";
    skipped.push({ pattern, source, reason });
  }
  return {
    dir: folder.dir,
    files: sortBy("file", files),
    skipped,
    warnings: sortBy("subject", warnings),
    errors: sortBy("subject", errors),
  };
}

function sortBy<K extends string, T extends Record<K, string>>(key: K, list: readonly T[]): T[] {
  return list.toSorted((a, b) => a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0);
}

function openSite({ baseUrl }: ExportOptions, compiled: Runtime): Site {
  const { base } = compiled;
  const pageKeys = new Set<string>();
  if (baseUrl === undefined) {
    // With `allowedHosts`, the application would refuse the placeholder.
    const [host = "export.invalid"] = compiled.app.config.allowedHosts;
    const origin = `http://${host.toLowerCase().replace("*", "www")}`;
    return { origin, base, pageKeys, isKnown: false };
  }
  const url = URL.parse(baseUrl);
  const isWeb = url?.protocol === "https:" || url?.protocol === "http:";
  if (url === null || !isWeb || url.username !== "" || url.search !== "" || url.hash !== "") {
    throw new TypeError(
      `Cannot export for "${
        hideCredentials(baseUrl)
      }": write the site's address without user, query and fragment, such as "https://example.com".`,
    );
  }
  const path = url.pathname.replace(/\/+$/, "");
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
  return { origin: url.origin, base, pageKeys, isKnown: true };
}

/** Finds the folder of the site; inside the static files, the next export would include it. */
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
