import type { BrokenLink, ExportProblem, ExportReport } from "@fw/fw";
import { type Io, paintFor } from "../io.ts";
import { type Messages, messagesOf } from "../messages/catalog.ts";
import type { Place, Problem } from "../problem.ts";
import { createMatcher } from "../project/routes/match.ts";
import type { Route } from "../project/routes/table.ts";

export interface ExportedApp {
  readonly messages: Messages;
  readonly routes: readonly Route[];
  readonly basePath: string | undefined;
}

export function reportProblems(report: ExportReport, app: ExportedApp): Problem[] {
  const { messages } = app;
  const fixOf = linkFixes(app);
  const { export: texts } = messages;
  return [
    ...report.errors.map((error): Problem => ({
      code: error.code,
      severity: "error",
      ...placeOf(error.source),
      message: texts.problem(error),
    })),
    ...report.brokenLinks.map((broken): Problem => {
      const { page, source, link, reason } = broken;
      const fix = fixOf(broken);
      return {
        code: "broken_link",
        severity: "error",
        ...placeOf(source),
        message: texts.brokenLink(page, link, texts.reasons[reason]),
        ...(fix === undefined ? {} : { fix }),
      };
    }),
    ...groupWarnings(report.warnings).map(([first, count]): Problem => ({
      code: first.code,
      severity: "warning",
      ...placeOf(first.source),
      message: texts.problem(first) + (count === 0 ? "" : ` (${texts.more(count)})`),
    })),
  ];
}

/** Returns what brings the target of a link into the site, if it is a page with parameters. */
function linkFixes(
  { messages: { export: texts }, routes, basePath = "" }: ExportedApp,
): (broken: BrokenLink) => string | undefined {
  const matcher = createMatcher(routes);
  const base = basePath.replace(/\/+$/, "");
  return ({ page, link, reason }) => {
    const path = URL.parse(link, `http://site${base}${page}`)?.pathname;
    if (reason !== "not_exported" || path === undefined) return undefined;
    const inside = path.startsWith(`${base}/`) ? path.slice(base.length) : path;
    // The second is that of a page behind the prefix of its language.
    const route = matcher.match(inside) ?? matcher.match(inside.replace(/^\/[^/]+/, ""));
    if (route === undefined || route.file.base !== "page" || route.params.length === 0) {
      return undefined;
    }
    const { file: { path: file, names }, pattern } = route;
    return names.has("Paths") ? texts.notInPaths(file) : texts.noPaths(file, pattern);
  };
}

function placeOf(file: string | undefined): { readonly place?: Place } {
  return file === undefined ? {} : { place: { file } };
}

export function printReport(
  report: ExportReport,
  options: { readonly folder: string; readonly durationMs: number; readonly io: Io },
): void {
  const { io, folder, durationMs } = options;
  const { export: texts } = messagesOf(io);
  const paint = paintFor(io);
  const { errors, brokenLinks, skipped, files } = report;
  if (errors.length === 0 && brokenLinks.length === 0) {
    const seconds = (durationMs / 1_000).toFixed(1);
    const pages = files.filter(({ kind }) => kind === "page").length;
    const redirects = files.filter(({ kind }) => kind === "redirect").length;
    const others = files.length - pages - redirects;
    io.stdout(`${paint.green(texts.made(pages, redirects, others, folder, seconds))}\n`);
  } else {
    io.stderr(`${paint.red(texts.failed(errors.length, brokenLinks.length))}\n`);
  }
  if (skipped.length === 0) return;
  const lines = skipped.map(({ pattern, source, reason }) =>
    `  ${pattern}${source === "" ? "" : ` (${source})`}: ${texts.skipped[reason]}\n`
  );
  io.stdout(`\n${texts.skippedTitle}\n${lines.join("")}`);
}

/** A layout repeats a warning on every page: the first stands for all. */
function groupWarnings(
  warnings: readonly ExportProblem[],
): (readonly [first: ExportProblem, others: number])[] {
  const groups = new Map<string, ExportProblem[]>();
  const keys = new Map<string, string>();
  for (const warning of warnings) {
    const key = warning.code === "query"
      ? queryKey(warning, keys)
      : `${warning.code} ${isOfPage(warning) ? warning.detail : warning.subject}`;
    groups.set(key, [...groups.get(key) ?? [], warning]);
  }
  return [...groups.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [[first, others.length] as const]
  );
}

function queryKey({ subject, detail }: ExportProblem, keys: Map<string, string>): string {
  const path = detail.replace(/\?.*$/, "");
  const key = keys.get(path) ?? `query ${subject}`;
  keys.set(path, key);
  return key;
}

function isOfPage({ subject }: ExportProblem): boolean {
  return subject.startsWith("/");
}
