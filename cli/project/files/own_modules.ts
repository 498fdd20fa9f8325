import { dirname, fromFileUrl, join } from "@std/path";
import { listIfThere, statIfThereSync } from "./look.ts";

/**
 * Lists the files of this command line, each with its size and time.
 *
 * @returns Nothing where it runs from a registry, whose files never change.
 */
export async function ownModules(): Promise<string[]> {
  if (!import.meta.url.startsWith("file:")) return [];
  const folders = [dirname(dirname(dirname(fromFileUrl(import.meta.url))))];
  const found: string[] = [];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const { name, isDirectory } of await listIfThere(next)) {
      if (isDirectory) folders.push(join(next, name));
      else found.push(join(next, name));
    }
  }
  return found.sort().map((path) => `${path} ${fileState(path)}`);
}

/** Returns a text that changes with the file: its size and time. */
export function fileState(path: string): string {
  const info = statIfThereSync(path);
  return `${info?.size} ${info?.mtime?.getTime()}`;
}
