/** The result of an export. */
export interface ExportReport {
  /** The folder, absolute. */
  readonly dir: string;
  /** The files of the site, by name. */
  readonly files: readonly ExportedFile[];
  /** The routes that are not in the site. */
  readonly skipped: readonly SkippedRoute[];
  /** Problems that do not break the site but may be unintended. */
  readonly warnings: readonly ExportProblem[];
  /** Problems that keep pages out of the site, and broken links, whose codes start with `link_`. */
  readonly errors: readonly ExportProblem[];
}

/** The kind of a file of the site; `made` is one that the export itself created. */
export type ExportedFileKind = "page" | "route" | "redirect" | "asset" | "made";

/** One file of the site. */
export interface ExportedFile {
  /** Its name relative to the folder, with `/`. */
  readonly file: string;
  /** Kind of the file. */
  readonly kind: ExportedFileKind;
  /** Its path inside the application. */
  readonly path: string;
}

/** A route that is not in the site. */
export interface SkippedRoute {
  /** Its pattern. */
  readonly pattern: string;
  /** The file that declares it. */
  readonly source: string;
  /**
   * Why: a page with parameters and no `Paths`, a route whose path has no extension from which a host could
   * infer its type, or a route with parameters to which no exported page links.
   */
  readonly reason: "no_paths" | "no_extension" | "not_linked";
}

/** The codes of an export's problems: errors up to `link_outside_base`, then warnings. */
export type ExportProblemCode =
  | "paths_failed"
  | "paths_value"
  | "paths_duplicate"
  | "too_many"
  | "bad_name"
  | "reserved_name"
  | "collision"
  | "unused_only"
  | "page_failed"
  | "not_html"
  | "redirect_target"
  | "redirect_loop"
  | "link_missing"
  | "link_not_exported"
  | "link_no_extension"
  | "link_excluded"
  | "link_outside_base"
  | "form_post"
  | "cookie"
  | "query"
  | "fragment"
  | "no_base_url"
  | "redirect_file"
  | "unlisted"
  | "no_not_found"
  | "link_left_out"
  | "unused_exclude";

/** One error or warning of an export. */
export interface ExportProblem {
  /** The code. */
  readonly code: ExportProblemCode;
  /** Subject of the problem: a path of the site, a pattern, a setting, a file. */
  readonly subject: string;
  /** The file that declares the page or the route, if the problem concerns one. */
  readonly source?: string;
  /** Further detail of the message; for a broken link, the link as written in the page. */
  readonly detail: string;
  /** The message in English, with the fix. */
  readonly message: string;
}

/** The messages: `s` is the subject, `d` the detail. */
const texts: Readonly<Record<ExportProblemCode, (s: string, d: string) => string>> = {
  paths_failed: (s, d) => `Paths of ${s} failed: ${d}`,
  paths_value: (s, d) =>
    `Paths of ${s} gives ${d}; give each parameter, and nothing else, a number or a string without "/", "." and "..".`,
  paths_duplicate: (s, d) => `Paths of ${s} gives ${d} twice; give it once.`,
  too_many: (s, d) => `Paths of ${s} gives more than ${d} pages; end the list.`,
  bad_name: (s, d) =>
    `${s} cannot be a file, since "${d}" is not a valid name on every system; change the path, or leave it out.`,
  reserved_name: (s, d) =>
    `${s} would be "${d}", which hosts read as an instruction; give the parameter another value.`,
  collision: (s, d) =>
    `${s} and ${d} would be one file, or one a folder where the other is a file; rename one. Capitals and ` +
    "small letters count as the same.",
  page_failed: (s, d) => `${s} ${d}`,
  not_html: (s, d) =>
    `${s} answers ${d}, which a host cannot infer from its name; use a route.ts whose path has an extension, or exclude it.`,
  redirect_target: (s, d) =>
    `${s} redirects to "${d}", which is not a valid target; redirect to a path, or exclude it.`,
  redirect_loop: (s) =>
    `${s} redirects to itself: a file knows neither queries nor cookies; answer with a page, or exclude it.`,
  link_missing: (s, d) => `${s} -> ${d}: there is no such page or file`,
  link_not_exported: (s, d) =>
    `${s} -> ${d}: its route is not in the site; add the target to its Paths, or name it in elsewhere (--elsewhere)`,
  link_no_extension: (s, d) =>
    `${s} -> ${d}: its route has no extension, by which a host knows the type; let its path end in one, ` +
    'such as "/cover.png", or in a file name, such as "/covers/{file}", or name it in elsewhere (--elsewhere)',
  link_excluded: (s, d) => `${s} -> ${d}: its route is excluded`,
  link_outside_base: (s, d) => `${s} -> ${d}: it leaves the base path; build it with c.href`,
  form_post: (s, d) =>
    `${s} has a form that posts to ${d}, which no file can handle; leave it out where c.isExport is true.`,
  cookie: (s, d) => `${s} sets the cookie ${d}, which a file cannot.`,
  query: (s, d) => `${s} links to ${d}, but a file returns the same page for every query.`,
  fragment: (s, d) => `${s} links to ${d}, but no element there has that id.`,
  no_base_url: (s) =>
    `${s} contains an absolute URL of the site, whose address is unknown; set baseUrl.`,
  redirect_file: (s, d) =>
    `${s} redirects to ${d}, which works only on hosts that read _redirects: its name is not that of a page.`,
  unlisted: (s) => `${s} cannot be listed: only its files to which pages link are in the site.`,
  no_not_found: (_, d) => `There is no 404.html: an unknown path gets ${d} instead of 404.`,
  link_left_out: (s, d) => `${s} -> ${d}: "only" leaves its page out`,
  unused_only: (s) => `There is no page at or below "${s}" to export.`,
  unused_exclude: (s) => `There is nothing at or below "${s}" to exclude.`,
};

export function exportProblem(
  code: ExportProblemCode,
  subject: string,
  detail = "",
): ExportProblem {
  return { code, subject, detail, message: texts[code](subject, detail) };
}

/** A failed export; the folder is unchanged. */
export class ExportError extends Error {
  /** The class name. */
  override readonly name: string = "ExportError";
  /** The report up to the failure. */
  readonly report: ExportReport;

  /** Lists all problems in the message. */
  constructor(report: ExportReport) {
    const { errors, dir } = report;
    const lines = errors.map(({ message, source }) =>
      `\n  ${message}${source === undefined ? "" : ` (${source})`}`
    );
    const what = errors.length === 1 ? "1 problem" : `${errors.length} problems`;
    super(`Cannot export to "${dir}": ${what}${lines.join("")}`);
    this.report = report;
  }
}
