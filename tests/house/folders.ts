/** A limit on the files of a folder: past a screenful, subfolders name the subjects. */

/** The maximum number of files in a folder, without its subfolders. */
export const maxFiles = 26;

/** Folders that may contain more, each with the reason. */
export const flatFolders: Readonly<Record<string, string>> = {
  // Readers, the package's entry `docs/mod.ts` and other sites link to a guide by this path.
  "docs": "a guide's path is its published address",
};

/** Lists the folders with too many files, as `folder: count`. */
export function findFullFolders(paths: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const folder = path.slice(0, Math.max(path.lastIndexOf("/"), 0));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([folder, count]) => count > maxFiles && flatFolders[folder] === undefined)
    .map(([folder, count]) => `${folder}: ${count} files`);
}
