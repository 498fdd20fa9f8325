/**
 * Says what an export did.
 *
 * @module
 */
import type { ExportProblem, ExportReport } from "@fw/fw";
import { type Io, paintFor } from "../io.ts";
import type { ExportCounts } from "../messages/export_en.ts";
import { messagesOf } from "../messages/catalog.ts";

/** How many kinds of warnings are printed; the report has all of them. */
const maxWarnings = 30;

/** How an export is told. */
export interface PrintOptions {
  /** The folder, as the person knows it. */
  readonly folder: string;
  /** How long it took, the start of the application included. */
  readonly durationMs: number;
  /** Where to print. */
  readonly io: Io;
}

/** Prints what was exported, what was not, and what is good to know. */
export function printReport(report: ExportReport, options: PrintOptions): void {
  const { io, folder, durationMs } = options;
  const { export: texts } = messagesOf(io);
  const paint = paintFor(io);
  const { errors, brokenLinks, skipped, warnings } = report;
  const isDone = errors.length === 0 && brokenLinks.length === 0;
  if (isDone) {
    const seconds = (durationMs / 1_000).toFixed(1);
    io.stdout(`${paint.green(texts.made(countFiles(report), folder, seconds))}\n`);
  }
  const lines = skipped.map(({ pattern, source, reason }) =>
    `${pattern}${source === "" ? "" : ` (${source})`}: ${texts.skipped[reason]}`
  );
  printList(texts.skippedTitle, lines, io.stdout);
  printList(texts.warningsTitle, groupWarnings(warnings, io), io.stdout);
  if (isDone) return;
  printList(
    texts.errorsTitle,
    errors.map((error) => texts.problem(error) + inFile(error.source)),
    io.stderr,
  );
  const links = brokenLinks.map(({ page, source, link, reason }) =>
    `${page}${inFile(source)} -> ${link}: ${texts.reasons[reason]}`
  );
  printList(texts.linksTitle, links, io.stderr);
  // Where no file can have the name that it should, none is written.
  const hasWritten = report.files.length > 0;
  io.stderr(`\n${paint.red(texts.failed(errors.length, brokenLinks.length, hasWritten))}\n`);
}

function inFile(source: string | undefined): string {
  return source === undefined ? "" : ` (${source})`;
}

function countFiles({ files, written, unchanged, removed }: ExportReport): ExportCounts {
  const pages = files.filter(({ kind }) => kind === "page").length;
  const redirects = files.filter(({ kind }) => kind === "redirect").length;
  const others = files.length - pages - redirects;
  return { pages, redirects, others, written, unchanged, removed: removed.length };
}

function printList(title: string, lines: readonly string[], print: (text: string) => void): void {
  if (lines.length === 0) return;
  print(`\n${title}\n${lines.map((line) => `  ${line}\n`).join("")}`);
}

/** One line for what a layout brings to every page. */
function groupWarnings(warnings: readonly ExportProblem[], io: Io): string[] {
  const { export: texts } = messagesOf(io);
  const groups = new Map<string, ExportProblem[]>();
  const keys = new Map<string, string>();
  for (const warning of warnings) {
    const key = warning.code === "query"
      ? queryKey(warning, keys)
      : `${warning.code} ${isOfPage(warning) ? warning.detail : warning.subject}`;
    groups.set(key, [...groups.get(key) ?? [], warning]);
  }
  const lines = [...groups.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const more = others.length === 0 ? "" : ` (${texts.more(others.length)})`;
    return [texts.problem(first) + more];
  });
  const left = lines.length - maxWarnings;
  return left > 0 ? [...lines.slice(0, maxWarnings), texts.more(left)] : lines;
}

/**
 * What groups the links with queries: those of one page are one thing to know, and so are those to one
 * path, which a layout brings to every page.
 */
function queryKey({ subject, detail }: ExportProblem, keys: Map<string, string>): string {
  const path = detail.replace(/\?.*$/, "");
  const key = keys.get(path) ?? `query ${subject}`;
  keys.set(path, key);
  return key;
}

/** Whether a warning is about a page, and may be the same on others. */
function isOfPage({ subject }: ExportProblem): boolean {
  return subject.startsWith("/");
}
