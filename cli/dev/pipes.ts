import { join } from "@std/path";
import { listSync, statIfThereSync } from "../project/files/look.ts";

const intervalMs = 1_000;

/**
 * Holds the named pipes in watched folders open. Deno opens each entry of a watched folder that
 * changes, and at a pipe without a writer that would block its watchers, and this process with them.
 */
export function holdPipes(
  folders: () => readonly string[],
): { readonly look: () => void; readonly close: () => void } {
  const held = new Map<number, Deno.FsFile>();
  const lookedMs = new Map<string, number>();
  const timer = setInterval(look, intervalMs);
  return {
    look,
    close: () => {
      clearInterval(timer);
      for (const pipe of held.values()) pipe.close();
    },
  };

  function look(): void {
    for (const folder of folders()) {
      const changedMs = statIfThereSync(folder)?.mtime?.getTime() ?? 0;
      if (lookedMs.get(folder) === changedMs) continue;
      lookedMs.set(folder, changedMs);
      for (const { name, isFile, isDirectory } of listSync(folder)) {
        if (!isFile && !isDirectory) hold(join(folder, name));
      }
    }
  }

  function hold(path: string): void {
    const { isFifo, ino } = statIfThereSync(path) ?? {};
    if (!isFifo || typeof ino !== "number" || held.has(ino)) return;
    try {
      // Opened for both, so that neither end waits.
      held.set(ino, Deno.openSync(path, { read: true, write: true }));
    } catch {
      // It was removed, or its permissions forbid it.
    }
  }
}
