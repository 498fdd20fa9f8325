/**
 * A site with one item of each kind, exported with one page of markup or with a page for each row
 * of a table.
 */
import { assert } from "@std/assert";
import * as h from "../../../html/mod.ts";
import type { ExportReport, Node, Route } from "../../../mod.ts";
import { type ExportedApp, exportOnce, fileRoute, page, paramPage } from "./support.ts";

/** Returns a site with one item of each kind, and a page of markup at `/docs/intro`. */
export function siteWith(markup: string, more: ExportedApp = {}): ExportedApp {
  return siteOf([{ pattern: "/docs/intro", page: () => markupPage(markup) }], more);
}

function markupPage(markup: string): Node {
  return h.main(h.id("here"), h.raw(markup));
}

function siteOf(pages: readonly Route[], more: ExportedApp): ExportedApp {
  return {
    files: { "style.css": "a", "img/x y.png": "x" },
    ...more,
    routes: [
      page("/", h.p(h.id("start"))),
      page("/about", h.p(h.id("team")), h.a(h.name("old"), "x")),
      page("/docs"),
      page("/docs/more"),
      ...pages,
      paramPage("/tags/{tag}", () => [{ tag: "a b" }, { tag: "é" }, { tag: "100%" }]),
      fileRoute("/feed.xml", "<a/>", "application/xml"),
      fileRoute("/api/hello"),
      { pattern: "/post", methods: { POST: (c) => c.text(200, "") } },
      page("/secret"),
      ...more.routes ?? [],
    ],
    options: { exclude: ["/secret"], ...more.options },
  };
}

export interface RowOutcome {
  readonly path: string;
  /** The exported page; `""` if the export failed. */
  readonly html: string;
  readonly errors: ExportReport["errors"];
  /** Its warnings, except the one about the missing base URL. */
  readonly warnings: ExportReport["warnings"];
}

/**
 * Exports one site for a table of rows, each with a page beside `/docs/more`. Each row's page is
 * checked alone, as in a separate export.
 *
 * @returns A function that returns the outcome of a row's page; the first call exports.
 */
export function shareExport(
  markups: readonly string[],
  more: ExportedApp = {},
): (row: number) => Promise<RowOutcome> {
  let shared: Promise<RowOutcome[]> | undefined;
  return async (row) => {
    const outcome = (await (shared ??= exportRows(markups, more)))[row];
    assert(outcome);
    return outcome;
  };
}

async function exportRows(markups: readonly string[], more: ExportedApp): Promise<RowOutcome[]> {
  const paths = markups.map((_, row) => `/docs/row-${row}`);
  const pages = markups.map((markup, row): Route => ({
    pattern: `/docs/row-${row}`,
    page: () => markupPage(markup),
  }));
  const outcomes: RowOutcome[] = [];
  await exportOnce(siteOf(pages, more), ({ report, message, read }) => {
    const { errors } = report;
    const warnings = report.warnings.filter(({ code }) => code !== "no_base_url");
    // Reports about the target pages of the rows are ignored.
    for (const problem of [...errors, ...warnings]) {
      assert(paths.includes(problem.subject), JSON.stringify(problem));
    }
    for (const path of paths) {
      outcomes.push({
        path,
        html: message === undefined ? read(`${path.slice(1)}/index.html`) : "",
        errors: errors.filter(({ subject }) => subject === path),
        warnings: warnings.filter(({ subject }) => subject === path),
      });
    }
  });
  return outcomes;
}
