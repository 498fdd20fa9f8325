import { join } from "@std/path";

/** The prefix of the names of spooled files. */
export const spoolPrefix = "fw-upload-";

/** The time without a write after which no running request can own the file. */
const maxAgeMs = 86_400_000;

/** The maximum number of folder entries to check. */
const maxEntries = 10_000;

const swept = new Set<string>();

/**
 * Removes the uploads that earlier processes left in a spool folder: one that is killed cannot. Each
 * folder is looked through once in a process, before its first upload there.
 */
export function removeLeftovers(dir: string): void {
  if (swept.has(dir)) return;
  swept.add(dir);
  try {
    let left = maxEntries;
    for (const entry of Deno.readDirSync(dir)) {
      if (left-- === 0) return;
      if (entry.isFile && entry.name.startsWith(spoolPrefix)) removeOld(join(dir, entry.name));
    }
  } catch {
    // What cannot be read or removed does no harm: the upload itself checks whether the folder is usable.
  }
}

function removeOld(path: string): void {
  const { mtime } = Deno.lstatSync(path);
  if (mtime !== null && Date.now() - mtime.getTime() > maxAgeMs) Deno.removeSync(path);
}
