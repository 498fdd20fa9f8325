import { generatedFile, islandsFolder, publicFolder } from "@fw/fw/conventions";

/**
 * The effect of a change: `source` restarts the application, `data` does so if a module imports the
 * file, `style` swaps a stylesheet, `asset` reloads the page, `island` bundles the islands.
 */
export type ChangeKind = "source" | "data" | "style" | "asset" | "island";

const codeFile = /\.(?:[cm]?[jt]sx?|wasm|(?:go)?html?|tmpl|css|sql|md|svg|ya?ml|toml|graphql)$/i;
const testFile = /[._]test\.[cm]?[jt]sx?$/;
const settingsFile = /^(?:deno\.jsonc?|package\.json|import_map\.json|\.npmrc|\.env(?:\..+)?)$/;
// Temporary files of editors and programs.
const transientFile =
  /(?:~|\.sw[a-z]|\.tmp|\.temp|\.bak|\.orig|\.part|\.crdownload|\.log|\.pid|\.lock|-journal|-wal|-shm|\.sqlite3?|\.db3?)$|^#.*#$|^4913$|___jb_(?:tmp|old)___$|\.tmp[.-][\w.-]+$/i;

export function isIgnoredFolder(name: string): boolean {
  if (name === ".well-known") return false;
  return name.startsWith(".") || name === "node_modules" || name === "vendor" ||
    name === "coverage";
}

/** Returns the effect of a changed file. @returns The kind, or `undefined` if the change has no effect. */
export function changeKindOf(path: string): ChangeKind | undefined {
  const folders = path.split("/");
  const name = folders.pop() ?? "";
  if (folders.some(isIgnoredFolder)) return undefined;
  if (folders.length === 0) {
    // The development server writes the generated file, and each start may write the lock file.
    if (name === generatedFile || name === "deno.lock") return undefined;
    if (settingsFile.test(name)) return "source";
  }
  if (name.startsWith(".") || transientFile.test(name)) return undefined;
  if (folders[0] === publicFolder) return /\.css$/i.test(name) ? "style" : "asset";
  if (testFile.test(name)) return undefined;
  if (folders[0] === islandsFolder) return "island";
  return codeFile.test(name) ? "source" : "data";
}
