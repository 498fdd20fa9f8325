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
   * Whether the developer asked for a run of the project's own code: its `test` task, its lint plugins, the
   * install scripts of its packages. Otherwise only its tests run, with the permissions of that task.
   */
  readonly isOwn: boolean;
  /** The folder in which the tests record the pages that they receive, absolute. */
  readonly pages: string;
  readonly bundles?: readonly Problem[];
}
