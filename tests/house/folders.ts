/** How many files a folder holds: past a screenful, subfolders name the subjects. */

/** The most files that a folder may hold beside its subfolders. */
export const maxFiles = 26;

/** Folders that may hold more, each with the reason. */
export const flatFolders: Readonly<Record<string, string>> = {
  // Readers, the package's entry `docs/mod.ts` and other sites link to a guide by this path.
  "docs": "a guide's path is its published address",
};

/** Lists the folders that hold too many files, as `folder: count`. */
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
