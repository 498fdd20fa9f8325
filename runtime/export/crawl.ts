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
  /** `undefined` for a file of a source that cannot be listed. */
  readonly route: Pick<Route, "pattern" | "source"> | undefined;
  readonly isPage: boolean;
}

/** An export in progress: the requested paths and the known parts of the site. */
export class Crawl {
  declare readonly app: Application;
  declare readonly compiled: Runtime;
  declare readonly options: SettledOptions;
  declare readonly site: Site;
  declare readonly folder: OutputFolder;
  readonly pipeline: Pipeline;
  readonly names = new TakenNames();
  /** The targets that are not requested yet, with their files. */
  readonly waiting: (readonly [file: string, target: ExportTarget])[] = [];
  readonly assets: { readonly file: string; readonly path: string; readonly source: string }[] = [];
  /** Routes with parameters whose files no page has linked to yet, with their sources. */
  readonly unlinked = new Map<string, string>();
  /** The element ids by canonical path; `undefined` for a file and for a page whose failure is reported. */
  readonly reached = new Map<string, ReadonlySet<string> | undefined>();
  readonly linking: { readonly target: ExportTarget; readonly links: readonly PageLink[] }[] = [];
  readonly redirects: SiteRedirect[] = [];
  readonly listed: SitemapEntry[] = [];
  readonly files: ExportedFile[] = [];
  readonly skipped: SkippedRoute[] = [];
  readonly errors: ExportProblem[] = [];
  readonly warnings: ExportProblem[] = [];
  readonly usedExcludes = new Set<string>();
  readonly usedOnly = new Set<string>();
  done = 0;
  total = 0;

  constructor(parts: Pick<Crawl, "app" | "compiled" | "options" | "site" | "folder">) {
    Object.assign(this, parts);
    this.pipeline = createPipeline(parts.compiled);
  }

  refuse(code: ExportProblemCode, subject: string, detail = ""): void {
    this.errors.push(exportProblem(code, subject, detail));
  }

  /** Reports an error of a page with the file that declares it. */
  fail(code: ExportProblemCode, { path, route }: ExportTarget, detail = ""): void {
    const source = route?.source ? { source: route.source } : {};
    this.errors.push({ ...exportProblem(code, path, detail), ...source });
  }

  warn(code: ExportProblemCode, subject: string, detail = ""): void {
    this.warnings.push(exportProblem(code, subject, detail));
  }

  isExcluded(path: string): boolean {
    const found = this.options.exclude.filter((start) => isBelow(path, [start]));
    for (const start of found) this.usedExcludes.add(start);
    return found.length > 0;
  }

  /** Reports whether `only` includes a path. */
  isChosen(path: string): boolean {
    const { only } = this.options;
    const found = only.filter((start) =>
      path === start || (start !== "/" && isBelow(path, [start]))
    );
    for (const start of found) this.usedOnly.add(start);
    return only.length === 0 || found.length > 0;
  }

  /** Adds a target with its file name, or reports why the path cannot have one. */
  addTarget(target: ExportTarget): void {
    const { path, key, route, isPage } = target;
    const named = fileName(key, isPage ? "page" : "file");
    if ("bad" in named) return this.refuse("bad_name", path, named.bad);
    // The developer chose the name of a literal route, so reserved names are allowed.
    const taken = route?.pattern.includes("{") === true ? findReserved(named.file) : undefined;
    if (taken !== undefined) return this.refuse("reserved_name", path, taken);
    if (!this.takeName(named.file, path)) return;
    if (isPage) this.site.pageKeys.add(key);
    this.waiting.push([named.file, target]);
    this.total++;
  }

  takeName(file: string, path: string): boolean {
    const other = this.names.take(file, path);
    if (other !== undefined) this.refuse("collision", path, other);
    return other === undefined;
  }

  addFile(file: ExportedFile): void {
    this.files.push(file);
    this.reached.set(`/${canonicalText(file.file)}`, undefined);
  }

  reportProgress(path: string): void {
    this.options.onProgress?.({ done: ++this.done, total: this.total, path });
  }
}

export function isBelow(path: string, listed: readonly string[]): boolean {
  return listed.some((start) =>
    path === start || path.startsWith(start === "/" ? "/" : `${start}/`)
  );
}
