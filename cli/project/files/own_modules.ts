import { dirname, fromFileUrl, join } from "@std/path";
import { statIfThereSync, walkFiles } from "./look.ts";

/**
 * Lists the files of this command line, each with its size and time.
 *
 * @returns Nothing where it runs from a registry, whose files never change.
 */
export function ownModules(): string[] {
  if (!import.meta.url.startsWith("file:")) return [];
  const root = dirname(dirname(dirname(fromFileUrl(import.meta.url))));
  const paths = [...walkFiles(root)].map((path) => join(root, path));
  return paths.map((path) => `${path} ${fileState(path)}`);
}

/** Returns a string that changes with the file: its size and time. */
export function fileState(path: string): string {
  const info = statIfThereSync(path);
  return `${info?.size} ${info?.mtime?.getTime()}`;
}
