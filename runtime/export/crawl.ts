import type { Application } from "../base/ctx/application.ts";
import type { Route } from "../base/ctx/route.ts";
import { canonicalText } from "../base/url/path.ts";
import { createPipeline, type Pipeline } from "../pipeline/pipeline.ts";
import type { Runtime } from "../pipeline/runtime.ts";
import type { OutputFolder } from "./folder.ts";
import type { SitemapEntry, SiteRedirect } from "./made.ts";
import { fileName, findReserved, TakenNames } from "./names.ts";
import type { SettledOptions } from "./options.ts";
import type { PageLink } from "./page.ts";
import {
  type ExportedFile,
  type ExportProblem,
  exportProblem,
  type ExportProblemCode,
  type SkippedRoute,
} from "./report.ts";
import type { Site } from "./urls.ts";

export interface ExportTarget {
  /** The path inside the application, escaped as in a URL. */
  readonly path: string;
  readonly key: string;
  /** The pattern of its route; `undefined` for a file of a source that cannot be listed. */
  readonly pattern: string | undefined;
  readonly isPage: boolean;
}

/** An export in progress: what is requested, and what is known of the site so far. */
export class Crawl {
  declare readonly app: Application;
  declare readonly compiled: Runtime;
  declare readonly options: SettledOptions;
  declare readonly site: Site;
  declare readonly folder: OutputFolder;
  readonly pipeline: Pipeline;
  readonly names = new TakenNames();
  readonly targets = new Map<string, ExportTarget>();
  /** The targets that are not requested yet, with their files. */
  readonly waiting: (readonly [file: string, target: ExportTarget])[] = [];
  readonly assets = new Map<string, { readonly path: string; readonly source: string }>();
  /** Routes with parameters whose files are found by the links to them. */
  readonly linked: Route[] = [];
  /** The element ids of the pages by canonical path; `undefined` for a redirect. */
  readonly pages = new Map<string, ReadonlySet<string> | undefined>();
  readonly fileKeys = new Set<string>();
  /** Failed pages, which are reported already. */
  readonly failed = new Set<string>();
  readonly linking: { readonly path: string; readonly links: readonly PageLink[] }[] = [];
  readonly redirects: SiteRedirect[] = [];
  readonly listed: SitemapEntry[] = [];
  readonly files: ExportedFile[] = [];
  readonly skipped: SkippedRoute[] = [];
  readonly errors: ExportProblem[] = [];
  readonly warnings: ExportProblem[] = [];
  readonly requested = new Set<string>();
  readonly usedExcludes = new Set<string>();
  done = 0;

  constructor(parts: Pick<Crawl, "app" | "compiled" | "options" | "site" | "folder">) {
    Object.assign(this, parts);
    this.pipeline = createPipeline(parts.compiled);
  }

  refuse(code: ExportProblemCode, subject: string, detail = ""): void {
    this.errors.push(exportProblem(code, subject, detail));
  }

  warn(code: ExportProblemCode, subject: string, detail = ""): void {
    this.warnings.push(exportProblem(code, subject, detail));
  }

  isExcluded(path: string): boolean {
    const found = this.options.exclude.filter((start) => isBelow(path, [start]));
    for (const start of found) this.usedExcludes.add(start);
    return found.length > 0;
  }

  /** Names the file of a path, unless it cannot have one. */
  addTarget(target: ExportTarget): void {
    const { path, key, pattern, isPage } = target;
    const named = fileName(key, isPage ? "page" : "file");
    if ("bad" in named) return this.refuse("bad_name", path, named.bad);
    // A literal route is the developer's own choice.
    const taken = pattern?.includes("{") === true ? findReserved(named.file) : undefined;
    if (taken !== undefined) return this.refuse("reserved_name", path, taken);
    if (!this.takeName(named.file, path)) return;
    if (isPage) this.site.pageKeys.add(key);
    this.targets.set(named.file, target);
    this.waiting.push([named.file, target]);
  }

  takeName(file: string, path: string): boolean {
    const other = this.names.take(file, path);
    if (other !== undefined) this.refuse("collision", path, other);
    return other === undefined;
  }

  addFile(file: ExportedFile): void {
    this.files.push(file);
    this.fileKeys.add(`/${canonicalText(file.file)}`);
  }

  reportProgress(path: string): void {
    const total = this.targets.size + this.assets.size;
    this.options.onProgress?.({ done: ++this.done, total, path });
  }
}

export function isBelow(path: string, listed: readonly string[]): boolean {
  return listed.some((start) =>
    path === start || path.startsWith(start === "/" ? "/" : `${start}/`)
  );
}
