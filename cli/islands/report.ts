/**
 * Bundles the islands of a project for production and reports the result.
 *
 * @module
 */
import type { Io } from "../io.ts";
import { type Messages, messagesOf } from "../messages/catalog.ts";
import { printProblems } from "../printer.ts";
import { errorAt, hasErrors, type Problem, startOfFile } from "../problem.ts";
import type { Project } from "../project/project.ts";
import { type BundleOutcome, createBundler } from "./bundler.ts";

export interface BundleReport {
  /** The problems, warnings included. */
  readonly problems: readonly Problem[];
  readonly written: readonly string[];
  readonly removed: readonly string[];
  /** The number of islands that were up to date. */
  readonly fresh: number;
}

/**
 * Updates the bundles of islands.
 *
 * @param project The project.
 * @param options `write`: whether to write; otherwise stale bundles are problems. @default true
 */
export async function bundleIslands(
  project: Project,
  options: { readonly write?: boolean } = {},
): Promise<BundleReport> {
  const { write = true } = options;
  const outcome = await createBundler(project, { write }).bundle();
  return {
    problems: problemsOf(outcome, project),
    written: outcome.kind === "written" ? outcome.written : [],
    removed: outcome.kind === "written" ? outcome.removed : [],
    fresh: outcome.kind === "fresh" ? outcome.islands : 0,
  };
}

function problemsOf(
  outcome: BundleOutcome,
  { messages: { islands: texts } }: Project,
): readonly Problem[] {
  switch (outcome.kind) {
    case "written":
      return [];
    case "failed":
      return outcome.problems;
    case "stale":
      return outcome.files.map((file) =>
        errorAt({ file, ...startOfFile }, "E_STALE", texts.stale())
      );
    case "unavailable": {
      const text = texts.unavailable(outcome.files.join(", "), outcome.reason);
      return [{ code: "E_NO_BUNDLER", severity: "error", ...text }];
    }
    case "fresh":
      // Not an error: the development server writes this form with every save.
      return outcome.form === "production" ? [] : [{
        code: "development_bundles",
        severity: "warning",
        ...texts.freshInDevelopment(),
      }];
  }
}

/**
 * Returns one line for each file that was written or removed, or one line if all are up to date.
 */
export function bundleLines(report: BundleReport, { islands: texts }: Messages): string[] {
  const { written, removed, fresh } = report;
  return [
    ...(fresh > 0 ? [texts.fresh(fresh)] : []),
    ...written.map(texts.written),
    ...removed.map(texts.removed),
  ];
}

export function printBundles(report: BundleReport, io: Io): void {
  const messages = messagesOf(io);
  const { problems } = report;
  for (const line of bundleLines(report, messages)) io.stdout(`${line}\n`);
  printProblems(problems, io);
  if (hasErrors(problems)) io.stderr(`${messages.islands.count(problems.length)}\n`);
}
