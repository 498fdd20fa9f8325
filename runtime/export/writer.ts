import { canonicalText } from "../base/url/path.ts";
import type { HeaderPair } from "../request/default_headers.ts";
import { mediaTypeOf } from "../serve/static/media_types.ts";
import type { DiskFile } from "../serve/static/directory.ts";
import type { AnswerHead, ExportAnswer } from "./answer.ts";
import { type ExportFolder, WriteRefusal } from "./folder.ts";
import type { LinkingPage } from "./links.ts";
import {
  type FileHeaders,
  type SitemapEntry,
  type SiteRedirect,
  writeRedirectPage,
} from "./made.ts";
import { writeStaticPage } from "./page.ts";
import type { ExportTarget } from "./plan.ts";
import {
  type ExportedFile,
  type ExportedFileKind,
  type ExportProblem,
  exportProblem,
} from "./report.ts";
import type { Site } from "./site.ts";

/** What a host cannot know of a file by its name. */
const keptHeaders = [
  "access-control-allow-origin",
  "content-disposition",
  "content-language",
  "x-robots-tag",
] as const;

/** What a site is written with. */
export interface SiteWriterOptions {
  /** The folder. */
  readonly folder: ExportFolder;
  /** The site's URLs. */
  readonly site: Site;
  /** Whether the address at which pages were requested is that of the site. */
  readonly isKnown: boolean;
}

/** Writes responses to the files of a site and records the facts about each. */
export class SiteWriter {
  /** The files. */
  readonly files: ExportedFile[] = [];
  /** The ids of the pages by canonical path; `undefined` for a page that only leads on. */
  readonly pages: Map<string, ReadonlySet<string> | undefined> = new Map();
  /** The canonical paths of the files. */
  readonly fileKeys: Set<string> = new Set();
  /** The pages with their links. */
  readonly linking: LinkingPage[] = [];
  /** The redirects. */
  readonly redirects: SiteRedirect[] = [];
  /** The pages for search engines. */
  readonly listed: SitemapEntry[] = [];
  /** The files with headers that a host cannot know. */
  readonly headers: FileHeaders[] = [];
  /** How many files a pattern has. */
  readonly counts: Map<string, number> = new Map();
  /** The canonical paths of what failed. */
  readonly failed: Set<string> = new Set();
  /** The errors. */
  readonly errors: ExportProblem[] = [];
  /** The warnings. */
  readonly warnings: ExportProblem[] = [];
  readonly #options: SiteWriterOptions;

  /** Sets where the site is written. */
  constructor(options: SiteWriterOptions) {
    this.#options = options;
  }

  /** Writes a response to the path's file. */
  async write(target: ExportTarget, file: string, answer: ExportAnswer): Promise<void> {
    switch (answer.kind) {
      case "error":
        return this.fail(target, answer.error);
      case "redirect":
        return await this.#writeRedirect(target, file, answer);
      case "html":
        return await this.#writePage(target, file, answer);
      case "file":
        return await this.#writeFile(target, file, answer);
    }
  }

  /** Copies a static file. */
  async copy(path: string, file: string, source: DiskFile): Promise<void> {
    await this.#put(
      { path, key: path },
      { file, kind: "asset" },
      () => this.#options.folder.copy(file, source),
    );
  }

  /** Writes a file that the export itself created. */
  async make(file: string, text: string): Promise<void> {
    await this.#put(
      { path: `/${file}`, key: `/${file}` },
      { file, kind: "made" },
      () => this.#options.folder.write(file, encoder.encode(text)),
    );
  }

  /** Notes that a path is not in the site. */
  fail(target: Pick<ExportTarget, "key">, error: ExportProblem): void {
    this.failed.add(target.key);
    this.errors.push(error);
  }

  async #writePage(
    target: ExportTarget,
    file: string,
    answer: ExportAnswer & { readonly kind: "html" },
  ): Promise<void> {
    const { site, isKnown } = this.#options;
    const { path, key } = target;
    const { head } = answer;
    const policy = head.headers.get("content-security-policy");
    const page = writeStaticPage({ path, html: answer.html, policy }, site);
    this.warnings.push(...page.warnings);
    this.#warnOfHead(path, head);
    this.#warnOfAddress(path, page.html);
    const kind = target.pattern === undefined ? "made" : target.isPage ? "page" : "route";
    const isWritten = await this.#put(
      target,
      { file, kind },
      () => this.#options.folder.write(file, encoder.encode(page.html)),
    );
    if (!isWritten) return;
    this.pages.set(key, page.ids);
    this.linking.push({ path, links: page.links });
    this.#keepHeaders(target, file, head);
    const isHidden = page.isHidden ||
      /\b(?:noindex|none)\b/i.test(head.headers.get("x-robots-tag") ?? "");
    if (isHidden || !isKnown || head.status !== 200) return;
    const url = site.origin + site.servedPath(path);
    this.listed.push({ url, lastModified: head.headers.get("last-modified") });
  }

  async #writeFile(
    target: ExportTarget,
    file: string,
    answer: ExportAnswer & { readonly kind: "file" },
  ): Promise<void> {
    const { bytes, head } = answer;
    this.#warnOfHead(target.path, head);
    if (isText(head)) this.#warnOfAddress(target.path, new TextDecoder().decode(bytes));
    const isWritten = await this.#put(
      target,
      { file, kind: target.pattern === undefined ? "asset" : "route" },
      () => this.#options.folder.write(file, bytes),
    );
    if (isWritten) this.#keepHeaders(target, file, head);
  }

  async #writeRedirect(
    target: ExportTarget,
    file: string,
    answer: ExportAnswer & { readonly kind: "redirect" },
  ): Promise<void> {
    const { site } = this.#options;
    const { path, key } = target;
    const { location, status } = answer;
    const from = site.urlOf(path);
    const resolved = site.resolve(location, from);
    const isInside = resolved !== undefined && resolved !== "elsewhere";
    const to = isInside ? site.rewrite(location, resolved) ?? location : location;
    for (const own of new Set([site.base + path, this.#servedPath(target)])) {
      this.redirects.push({ from: own, to, status });
    }
    if (isInside) {
      const link = { link: location, key: resolved.key, path: resolved.path, fragment: "" };
      this.linking.push({ path, links: [link] });
    }
    if (!/\.html?$/i.test(file)) {
      this.#options.folder.release(file);
      this.fileKeys.add(keyOf(file));
      this.warnings.push(exportProblem("redirect_file", { subject: path, detail: to }));
      return;
    }
    const html = writeRedirectPage({ from: path, to, status });
    const isWritten = await this.#put(
      target,
      { file, kind: "redirect" },
      () => this.#options.folder.write(file, encoder.encode(html)),
    );
    if (isWritten) this.pages.set(key, undefined);
  }

  /** Writes a file; on a name conflict, reports it and continues with the rest. */
  async #put(
    target: Pick<ExportTarget, "path" | "key">,
    { file, kind }: { readonly file: string; readonly kind: ExportedFileKind },
    write: () => Promise<void>,
  ): Promise<boolean> {
    const { path } = target;
    try {
      await write();
    } catch (error) {
      if (!(error instanceof WriteRefusal)) throw error;
      const detail = error.message;
      this.fail(target, exportProblem("write_failed", { subject: path, detail }));
      return false;
    }
    this.files.push({ file, kind, path });
    this.fileKeys.add(keyOf(file));
    return true;
  }

  #warnOfHead(subject: string, { headers }: AnswerHead): void {
    for (const cookie of headers.getSetCookie()) {
      const detail = `"${cookie.slice(0, cookie.indexOf("="))}"`;
      this.warnings.push(exportProblem("cookie", { subject, detail }));
    }
  }

  #warnOfAddress(subject: string, text: string): void {
    const { site, isKnown } = this.#options;
    if (isKnown || !text.includes(site.origin.slice(site.origin.indexOf("//")))) return;
    this.warnings.push(exportProblem("no_base_url", { subject }));
  }

  #keepHeaders(target: ExportTarget, file: string, { headers }: AnswerHead): void {
    const { path, pattern = path } = target;
    this.counts.set(pattern, (this.counts.get(pattern) ?? 0) + 1);
    const kept: HeaderPair[] = [];
    for (const name of keptHeaders) {
      const value = headers.get(name);
      if (value !== null) kept.push([name, value]);
    }
    const type = headers.get("content-type");
    if (type !== null && !isSameType(type, mediaTypeOf(file))) kept.push(["content-type", type]);
    if (kept.length === 0) return;
    this.headers.push({ path: this.#servedPath(target), pattern, headers: kept });
  }

  #servedPath({ path, isPage }: ExportTarget): string {
    const { site } = this.#options;
    return isPage ? site.servedPath(path) : site.base + path;
  }
}

const encoder = new TextEncoder();

/** Returns the canonical path of a file. */
function keyOf(file: string): string {
  return `/${canonicalText(file)}`;
}

/** Reports whether two media types are the same but for their parameters. */
function isSameType(one: string, other: string): boolean {
  const bare = (type: string): string => (type.split(";")[0] ?? "").trim().toLowerCase();
  return bare(one) === bare(other);
}

function isText({ headers }: AnswerHead): boolean {
  return /^\s*(?:text\/|application\/(?:json|[\w.+-]*xml|[\w.+-]*json|javascript))|\+xml\b/i.test(
    headers.get("content-type") ?? "",
  );
}
