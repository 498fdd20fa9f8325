/**
 * Restarts the application or updates open pages after a change.
 *
 * @module
 */
import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { textOfFile } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import type { ReloadEvents } from "./reload_events.ts";
import type { Runner, StartCause } from "./runner.ts";
import type { ChangeBatch, FileChange } from "./watch.ts";

/** Templates that the application reads again by itself; those that a module imports restart it. */
const templateFile = /\.gohtml$/i;

export interface ChangeFollowerOptions {
  readonly project: Project;
  readonly runner: Runner;
  readonly events: ReloadEvents;
  /** Called when open pages show changed files without a restart. */
  readonly onApplied: (cause: StartCause) => void;
}

/** Restarts the application or updates open pages after a change. */
export class ChangeFollower {
  readonly #options: ChangeFollowerOptions;
  #lock: string;

  constructor(options: ChangeFollowerOptions) {
    this.#options = options;
    this.#lock = readLock(options.project.root);
  }

  /** Remembers the lock file, which a starting process may have written itself. */
  noteLock(): void {
    this.#lock = readLock(this.#options.project.root);
  }

  /** Handles one batch of changes. */
  async follow({ changes, sinceMs }: ChangeBatch): Promise<void> {
    const { runner } = this.#options;
    const causes = await this.#findCauses(changes);
    const islands = changes.filter(({ kind }) => kind === "island");
    if (causes.length > 0) {
      // The start bundles the islands that were saved along, before the application answers.
      const files = new Set([...causes, ...islands].map(pathOf));
      return runner.restart({ files: [...files], sinceMs });
    }
    // Writing the bundles changes the public folder, which reloads the pages.
    if (islands.length > 0) runner.bundle({ files: islands.map(pathOf), sinceMs });
    // A page that shows an error does not need these changes.
    if (runner.state.kind !== "serving") return;
    const shown = changes.filter(({ kind, path }) =>
      kind === "style" || kind === "asset" || templateFile.test(path)
    );
    if (shown.length > 0) this.#apply(shown, sinceMs);
  }

  #apply(shown: readonly FileChange[], sinceMs: number): void {
    const { events, onApplied } = this.#options;
    const isStyled = shown.every(({ kind, exists }) => kind === "style" && exists);
    if (isStyled) {
      for (const { path } of shown) events.swapStyle(path.slice(publicFolder.length));
    } else events.reload();
    onApplied({ files: shown.map(pathOf), sinceMs });
  }

  /** Returns the changes that require a restart. */
  async #findCauses(changes: readonly FileChange[]): Promise<FileChange[]> {
    const { project, runner } = this.#options;
    const data = changes.filter(({ kind, exists }) =>
      kind === "island" || (kind === "data" && exists)
    );
    const imported = data.length === 0 ? undefined : await project.imports();
    const causes: FileChange[] = [];
    for (const change of changes) {
      if (change.kind === "source") causes.push(change);
      const isImportable = change.kind === "data" || change.kind === "island";
      if (isImportable && imported?.has(change.path)) causes.push(change);
      if (change.kind === "lock" && this.#isLockForeign()) causes.push(change);
      if (change.kind === "generated" && await runner.isGeneratedFileForeign()) causes.push(change);
    }
    return causes;
  }

  #isLockForeign(): boolean {
    const { project: { root }, runner } = this.#options;
    return runner.state.kind !== "starting" && readLock(root) !== this.#lock;
  }
}

function pathOf({ path }: FileChange): string {
  return path;
}

function readLock(root: string): string {
  return textOfFile(join(root, "deno.lock"));
}
