import type { Application } from "../base/ctx/application.ts";
import type { Compiled } from "../pipeline/compiled.ts";
import { askPath, type ExportAnswer } from "./answer.ts";
import { SiteFiles } from "./files.ts";
import { ExportFolder } from "./folder.ts";
import { checkLinks, isInSite, type SiteContent } from "./links.ts";
import { writeHeaders, writeRedirects, writeSitemap } from "./made.ts";
import { fileOf, hasExtension } from "./name.ts";
import { type ExportOptions, type SettledOptions, settleOptions } from "./options.ts";
import { findAddress, findExportDir } from "./place.ts";
import { type ExportPlan, type ExportTarget, isBelow, planExport } from "./plan.ts";
import { headerPolicy } from "./policy.ts";
import {
  type BrokenLinkReason,
  ExportError,
  type ExportProblem,
  exportProblem,
  type ExportReport,
  type SkippedRoute,
} from "./report.ts";
import { Site } from "./site.ts";
import { SiteWriter } from "./writer.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";

/** The input of an export. */
export interface ExportSubject {
  /** The application. */
  readonly app: Application;
  /** What it is, once compiled. */
  readonly compiled: Compiled;
  /** Its folder, where it has one. */
  readonly appDir: string | undefined;
}

/**
 * Implements `app.export`.
 *
 * @throws {ExportError} with its report, when a page fails or a link leads nowhere.
 * @throws {TypeError} or {RangeError} for options, and for a folder, that cannot be.
 */
export async function exportApp(
  dir: string | URL,
  subject: ExportSubject,
  options: ExportOptions,
): Promise<ExportReport> {
  const startMs = performance.now();
  const settled = settleOptions(options);
  const { app, compiled, appDir } = subject;
  const address = findAddress(settled, compiled);
  const path = findExportDir(dir, { appDir, config: app.config });
  using folder = await ExportFolder.open(path, { force: settled.force });
  const { exclude, maxPages } = settled;
  const { languages: spoken } = compiled.shared;
  const languages = spoken?.hasPrefix === true ? spoken.tags : [];
  const plan = await planExport(app.routes, { app, exclude, maxPages, languages });
  const sources = new Map(app.routes.map(({ pattern, source }) => [pattern, source]));
  const run = new ExportRun({ ...address, compiled, folder, plan, sources, options: settled });
  const report = await run.run(startMs);
  if (report.errors.length > 0 || report.brokenLinks.length > 0) throw new ExportError(report);
  return report;
}

interface RunParts {
  readonly origin: string;
  readonly isKnown: boolean;
  readonly compiled: Compiled;
  readonly folder: ExportFolder;
  readonly plan: ExportPlan;
  /** The files that declare routes, by pattern. */
  readonly sources: ReadonlyMap<string, string | undefined>;
  readonly options: SettledOptions;
}

/** One export, from its plan to its report. */
class ExportRun {
  readonly #parts: RunParts;
  readonly #site: Site;
  readonly #writer: SiteWriter;
  readonly #pipeline: Pipeline;
  readonly #files: SiteFiles;
  readonly #exported: Set<string> = new Set();
  readonly #content: SiteContent;
  #done = 0;

  constructor(parts: RunParts) {
    const { compiled, folder, plan, options, origin, isKnown } = parts;
    this.#parts = parts;
    this.#pipeline = compiled.createPipeline();
    const pages = new Set(plan.targets.flatMap(({ isPage, key }) => isPage ? [key] : []));
    this.#site = new Site({
      origin,
      base: compiled.shared.base,
      layout: options.layout,
      isPage: (key) => pages.has(key),
    });
    const writer = this.#writer = new SiteWriter({ folder, site: this.#site, isKnown });
    writer.errors.push(...plan.errors);
    const { errors, warnings } = writer;
    this.#files = new SiteFiles({ options, errors, warnings });
    this.#content = {
      site: this.#site,
      pages: writer.pages,
      files: writer.fileKeys,
      isIndex: (key) => this.#isIndex(key),
      failed: writer.failed,
      isElsewhere: (key) => isBelow(this.#withoutLanguage(key), options.elsewhere),
      reasonOf: (key) => this.#reasonOf(key),
    };
  }

  async run(startMs: number): Promise<ExportReport> {
    const { compiled, folder, plan } = this.#parts;
    const targets = this.#files.addTargets(plan.targets);
    this.#files.addAssets(compiled.files?.list(), plan.unused);
    // Two paths of one file, or none: nothing is written that could be wrong.
    if (this.#writer.errors.length > 0) return this.#report(startMs, { removed: [] });
    await folder.claim([...this.#files.targets.keys(), ...this.#files.assets.keys()]);
    try {
      await this.#exportAll(targets);
      await this.#makeNotFound();
      await this.#exportLinked();
      await this.#copyAssets();
      await this.#make();
    } catch (error) {
      await folder.finish({ removesOld: false });
      throw error;
    }
    // Pages arrive as they are ready: sorting keeps the report stable.
    const linking = this.#writer.linking.toSorted((one, other) => one.path < other.path ? -1 : 1);
    const { broken, warnings } = checkLinks(linking, this.#content);
    this.#writer.warnings.push(...warnings);
    const removesOld = this.#writer.errors.length === 0 && broken.length === 0;
    const { removed, kept } = await folder.finish({ removesOld });
    for (const subject of kept) this.#warn("kept_file", subject);
    return this.#report(startMs, { removed, broken });
  }

  #warn(code: ExportProblem["code"], subject: string, detail = ""): void {
    this.#writer.warnings.push(exportProblem(code, { subject, detail }));
  }

  /** Requests several paths at a time and writes the responses. */
  async #exportAll(targets: readonly (readonly [string, ExportTarget])[]): Promise<void> {
    const { concurrency, signal } = this.#parts.options;
    let next = 0;
    const failures: unknown[] = [];
    const work = async (): Promise<void> => {
      for (let entry = targets[next++]; entry !== undefined; entry = targets[next++]) {
        if (failures.length > 0) return;
        try {
          signal?.throwIfAborted();
          await this.#export(...entry);
          this.#progress(entry[1].path);
        } catch (error) {
          failures.push(error);
        }
      }
    };
    // All have ended before the failure is told: none writes behind its back.
    await Promise.all(Array.from({ length: concurrency }, work));
    if (failures.length > 0) throw failures[0];
  }

  async #export(file: string, target: ExportTarget): Promise<void> {
    const { folder, options } = this.#parts;
    const { timeoutMs } = options;
    const ask = { pipeline: this.#pipeline, site: this.#site, timeoutMs };
    const answer = await askPath(target, ask);
    if (target.pattern !== undefined) this.#exported.add(target.pattern);
    if (answer.kind !== "file" || !target.isPage) {
      return await this.#writer.write(target, file, answer);
    }
    // A page that returns a file, such as a feed: its path has the extension.
    folder.release(file);
    const named = fileOf(target.key, { isPage: false, layout: options.layout });
    if (!("file" in named)) return;
    await folder.claim([named.file]);
    await this.#writer.write(target, named.file, answer);
  }

  /** Exports linked pages that cannot be listed: files of routes with parameters and of sources. */
  async #exportLinked(): Promise<void> {
    const seen = new Set<string>();
    for (let at = 0; at < this.#writer.linking.length;) {
      const found: ExportTarget[] = [];
      for (; at < this.#writer.linking.length; at++) {
        for (const { key, path } of this.#writer.linking[at]?.links ?? []) {
          if (key === undefined || seen.has(key) || isInSite(key, this.#content)) continue;
          seen.add(key);
          const target = await this.#linkedTarget(key, path);
          if (target !== undefined) found.push(target);
        }
      }
      const added = this.#files.addTargets(found);
      if (added.length === 0) continue;
      await this.#parts.folder.claim(added.map(([file]) => file));
      await this.#exportAll(added);
    }
  }

  /** Reports whether a mount serves the `index.html` of a folder at the folder's path. */
  #isIndex(key: string): boolean {
    const name = `${key.slice(1)}${key.endsWith("/") ? "" : "/"}index.html`;
    return this.#files.pathOf(name) !== undefined &&
      this.#parts.compiled.files?.isInFolder(key) === true;
  }

  async #linkedTarget(key: string, path: string): Promise<ExportTarget | undefined> {
    const { compiled, options } = this.#parts;
    const bare = this.#withoutLanguage(key);
    if (isBelow(bare, options.exclude)) return undefined;
    const match = compiled.router.find(bare);
    if (match?.isLiteral !== true && await compiled.files?.find(key) !== undefined) {
      const isAsset = this.#files.pathOf(key.slice(1)) !== undefined;
      return isAsset ? undefined : { path, key, pattern: undefined, isPage: false };
    }
    if (match === undefined || match.value.isPage || match.value.get === undefined) {
      return undefined;
    }
    const { pattern } = match.value;
    if (!hasExtension(key) || isBelow(pattern, options.exclude)) return undefined;
    return { path, key, pattern, isPage: false };
  }

  async #copyAssets(): Promise<void> {
    for (const [file, { path, source }] of this.#files.assets) {
      this.#parts.options.signal?.throwIfAborted();
      await this.#writer.copy(path, file, source);
      this.#progress(path);
    }
  }

  /** Writes the files that no path of the application serves. */
  async #make(): Promise<void> {
    const made = new Map<string, string>([[".nojekyll", ""]]);
    const { isKnown, compiled } = this.#parts;
    const { listed, redirects, headers, counts } = this.#writer;
    const root = this.#site.urlOf("/");
    const { languages } = compiled.shared;
    const tags = languages?.hasPrefix === true ? languages.tags : [];
    if (isKnown) {
      for (const [name, text] of writeSitemap(listed, root, tags)) made.set(name, text);
    }
    if (redirects.length > 0) made.set("_redirects", writeRedirects(redirects));
    const { base } = this.#site;
    const own = siteHeaders(compiled, root);
    const { text, left } = writeHeaders(headers, { base, headers: own, counts });
    if (left > 0) this.#warn("header_limit", "_headers", String(left));
    if (text !== "") made.set("_headers", text);
    for (const name of [...made.keys()]) {
      if (this.#files.pathOf(name) === undefined) continue;
      made.delete(name);
      if (name.startsWith("_")) this.#warn("own_file", name);
    }
    await this.#parts.folder.claim(made.keys());
    for (const [name, text] of made) await this.#writer.make(name, text);
  }

  /** Writes the page for unknown paths, requested at a path that hosts reserve for it. */
  async #makeNotFound(): Promise<void> {
    const file = "404.html";
    if (this.#files.take(file, "/404.html") !== undefined) return;
    const { folder, options } = this.#parts;
    const target = { path: "/404.html", key: "/404.html", pattern: undefined, isPage: true };
    const { timeoutMs } = options;
    const ask = { pipeline: this.#pipeline, site: this.#site, timeoutMs, wantedStatus: 404 };
    const answer = await askPath(target, ask);
    if (answer.kind !== "html" || answer.head.status !== 404) {
      return this.#warn("no_not_found", file, statusText(answer));
    }
    await folder.claim([file]);
    await this.#writer.write(target, file, answer);
  }

  /** Returns the path behind the language with which it starts, if it starts with one. */
  #withoutLanguage(key: string): string {
    const prefixed = this.#parts.compiled.shared.languages?.parsePrefix(key);
    return prefixed === undefined ? key : prefixed.rest || "/";
  }

  #reasonOf(key: string): BrokenLinkReason {
    const { compiled, options } = this.#parts;
    const inside = this.#withoutLanguage(key);
    const bare = inside.length > 1 ? inside.replace(/\/$/, "") : inside;
    const pattern = bare.startsWith("/") ? compiled.router.find(bare)?.value.pattern : undefined;
    if (isBelow(bare, options.exclude)) return "excluded";
    if (pattern === undefined) return "missing";
    return isBelow(pattern, options.exclude) ? "excluded" : "not_exported";
  }

  /** Finds the file that declares the route of a path, if any. */
  #sourceOf(path: string): { readonly source?: string } {
    const target = this.#files.targets.values().find((one) => one.path === path);
    const source = this.#parts.sources.get(target?.pattern ?? "");
    return source === undefined ? {} : { source };
  }

  #progress(path: string): void {
    this.#done++;
    this.#parts.options.onProgress?.({ done: this.#done, total: this.#files.size, path });
  }

  #report(
    startMs: number,
    end: { removed: readonly string[]; broken?: ExportReport["brokenLinks"] },
  ): ExportReport {
    const { folder, plan } = this.#parts;
    const unlinked = plan.linked.filter(({ pattern }) => !this.#exported.has(pattern));
    const skipped: SkippedRoute[] = unlinked.map(({ pattern, source = "" }) => ({
      pattern,
      source,
      reason: hasExtension(pattern) ? "not_linked" : "no_extension",
    }));
    const { files, warnings, errors } = this.#writer;
    return {
      dir: folder.dir,
      files: files.toSorted((one, other) => one.file < other.file ? -1 : 1),
      written: folder.written,
      unchanged: folder.unchanged,
      removed: end.removed,
      skipped: [...plan.skipped, ...skipped],
      warnings: sorted(warnings),
      errors: sorted(errors).map((error) => ({ ...this.#sourceOf(error.subject), ...error })),
      brokenLinks: (end.broken ?? []).map((link) => ({ ...this.#sourceOf(link.page), ...link })),
      durationMs: Math.round(performance.now() - startMs),
    };
  }
}

function sorted(problems: readonly ExportProblem[]): readonly ExportProblem[] {
  return problems.toSorted((one, other) =>
    one.subject < other.subject ? -1 : one.subject > other.subject ? 1 : 0
  );
}

/** Describes the response that came instead of a 404. */
function statusText(answer: ExportAnswer): string {
  if (answer.kind === "error") return answer.error.detail;
  return String(answer.kind === "redirect" ? answer.status : answer.head.status);
}

/**
 * Returns the headers of every file: those of a page, but of the policy only what a page cannot set itself.
 */
function siteHeaders(compiled: Compiled, root: string): (readonly [string, string])[] {
  const { defaults } = compiled.shared;
  const { page: every, csp } = root.startsWith("https:") ? defaults.https : defaults.http;
  // A page is private for its nonce, and a file has none: how long it is kept, the host decides.
  const page = every.filter(([name]) => name !== "cache-control");
  const policy = csp === undefined ? "" : headerPolicy(csp("x"));
  return policy === "" ? [...page] : [...page, ["content-security-policy", policy]];
}
