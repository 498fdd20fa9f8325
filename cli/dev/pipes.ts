import { join } from "@std/path";
import { listSync, statIfThereSync } from "../project/files/look.ts";

const intervalMs = 1_000;

/**
 * Holds the named pipes in watched folders open. Deno opens each entry of a watched folder that
 * changes, and at a pipe without a writer that would block its watchers, and this process with them.
 */
export class HeldPipes {
  readonly #folders: () => readonly string[];
  readonly #held = new Map<number, Deno.FsFile>();
  readonly #lookedMs = new Map<string, number>();
  readonly #timer = setInterval(() => this.look(), intervalMs);

  constructor(folders: () => readonly string[]) {
    this.#folders = folders;
  }

  /** Opens the pipes that are new in the folders. */
  look(): void {
    for (const folder of this.#folders()) {
      const changedMs = statIfThereSync(folder)?.mtime?.getTime() ?? 0;
      if (this.#lookedMs.get(folder) === changedMs) continue;
      this.#lookedMs.set(folder, changedMs);
      for (const { name, isFile, isDirectory } of listSync(folder)) {
        if (!isFile && !isDirectory) this.#hold(join(folder, name));
      }
    }
  }

  #hold(path: string): void {
    const { isFifo, ino } = statIfThereSync(path) ?? {};
    if (!isFifo || typeof ino !== "number" || this.#held.has(ino)) return;
    try {
      // Opened for both, so that neither end waits.
      this.#held.set(ino, Deno.openSync(path, { read: true, write: true }));
    } catch {
      // It was removed, or its permissions forbid it.
    }
  }

  close(): void {
    clearInterval(this.#timer);
    for (const pipe of this.#held.values()) pipe.close();
  }
}
