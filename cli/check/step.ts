import type { Problem } from "../problem.ts";

/** A step fails if one of its problems is an error, or critical. */
export interface StepResult {
  readonly problems: readonly Problem[];
  readonly note?: string;
}

export interface StepOptions {
  readonly fix: boolean;
  readonly signal: AbortSignal;
  /**
   * Whether the developer allows the project's `test` task, lint plugins and install scripts to
   * run. Otherwise only its tests run, with the permissions of that task.
   */
  readonly isOwn: boolean;
  /** Absolute path of the folder in which the tests record the pages that they receive. */
  readonly pages: string;
  readonly bundles?: readonly Problem[];
}
