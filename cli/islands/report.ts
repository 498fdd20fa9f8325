/**
 * Bundles the islands of a project for production and says what became of them.
 *
 * @module
 */
import type { Io } from "../io.ts";
import { type Messages, messagesOf } from "../messages/catalog.ts";
import { errorAt, hasErrors, type Problem, startOfFile } from "../problem.ts";
import { printProblems } from "../printer.ts";
import type { Project } from "../project/project.ts";
import { type BundleOutcome, createBundler } from "./bundler.ts";

/** What became of the bundles. */
export interface BundleReport {
  /** What is wrong, warnings included. */
  readonly problems: readonly Problem[];
  /** The files that were written. */
  readonly written: readonly string[];
  /** The files that were removed. */
  readonly removed: readonly string[];
  /** How many islands were up to date. */
  readonly fresh: number;
}

/**
 * Brings the bundles of islands up to date.
 *
 * @param project The project.
 * @param options `write`: whether to; otherwise stale bundles are problems. @default true
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
      // Not an error: they are bundled again with every save while the development server runs.
      return outcome.form === "production" ? [] : [{
        code: "development_bundles",
        severity: "warning",
        ...texts.freshInDevelopment(),
      }];
  }
}

/** One line for each file that was written or removed, or one that says that none had to be. */
export function bundleLines(report: BundleReport, { islands: texts }: Messages): string[] {
  const { written, removed, fresh } = report;
  return [
    ...(fresh > 0 ? [texts.fresh(fresh)] : []),
    ...written.map(texts.written),
    ...removed.map(texts.removed),
  ];
}

/** Prints what became of the bundles. */
export function printBundles(report: BundleReport, io: Io): void {
  const messages = messagesOf(io);
  const { problems } = report;
  for (const line of bundleLines(report, messages)) io.stdout(`${line}\n`);
  printProblems(problems, io);
  if (hasErrors(problems)) io.stderr(`${messages.islands.count(problems.length)}\n`);
}
