/**
 * Reports the result of an export.
 *
 * @module
 */
import type { ExportProblem, ExportReport } from "@fw/fw";
import { type Io, paintFor } from "../io.ts";
import { type Messages, messagesOf } from "../messages/catalog.ts";
import type { ExportCounts } from "../messages/en/export.ts";
import type { Place, Problem } from "../problem.ts";

/** Returns the problems of a report: failed pages, broken links, then warnings. */
export function reportProblems(report: ExportReport, messages: Messages): Problem[] {
  const { export: texts } = messages;
  return [
    ...report.errors.map((error): Problem => ({
      code: error.code,
      severity: "error",
      ...placeOf(error.source),
      message: texts.problem(error),
    })),
    ...report.brokenLinks.map(({ page, source, link, reason }): Problem => ({
      code: "broken_link",
      severity: "error",
      ...placeOf(source),
      message: texts.brokenLink(page, link, texts.reasons[reason]),
    })),
    ...groupWarnings(report.warnings).map(([first, count]): Problem => ({
      code: first.code,
      severity: "warning",
      ...placeOf(first.source),
      message: texts.problem(first) + (count === 0 ? "" : ` (${texts.more(count)})`),
    })),
  ];
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
    io.stdout(`${paint.green(texts.made(countFiles(report), folder, seconds))}\n`);
  } else {
    // If a file cannot have the required name, nothing is written.
    const hasWritten = files.length > 0;
    io.stderr(`${paint.red(texts.failed(errors.length, brokenLinks.length, hasWritten))}\n`);
  }
  if (skipped.length === 0) return;
  const lines = skipped.map(({ pattern, source, reason }) =>
    `  ${pattern}${source === "" ? "" : ` (${source})`}: ${texts.skipped[reason]}\n`
  );
  io.stdout(`\n${texts.skippedTitle}\n${lines.join("")}`);
}

function countFiles({ files, written, unchanged, removed }: ExportReport): ExportCounts {
  const pages = files.filter(({ kind }) => kind === "page").length;
  const redirects = files.filter(({ kind }) => kind === "redirect").length;
  const others = files.length - pages - redirects;
  return { pages, redirects, others, written, unchanged, removed: removed.length };
}

/**
 * Returns the first warning of each kind with the number of similar ones: a layout repeats one on
 * every page.
 */
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

/** Returns the key that groups links with queries: by target path or else by page. */
function queryKey({ subject, detail }: ExportProblem, keys: Map<string, string>): string {
  const path = detail.replace(/\?.*$/, "");
  const key = keys.get(path) ?? `query ${subject}`;
  keys.set(path, key);
  return key;
}

/** Whether a warning concerns a page and may repeat on others. */
function isOfPage({ subject }: ExportProblem): boolean {
  return subject.startsWith("/");
}
