/**
 * The style of the imports between generated files: `"@/lib/books.ts"` where the project maps `@/`, so
 * that a folder of pages can be moved, and relative paths elsewhere.
 */
import { posix } from "node:path";
import type { Project } from "../project/project.ts";

const { dirname, relative } = posix;

/** Returns the specifier of a file of the project, from another one; both relative to its root. */
export type ImportStyle = (file: string, from: string) => string;

/** Reads from the manifest how the files of a project import each other. */
export async function readImportStyle(project: Project): Promise<ImportStyle> {
  const { imports } = await project.manifest();
  const hasAlias = typeof imports === "object" && imports !== null && "@/" in imports &&
    imports["@/"] === "./";
  return (file, from) =>
    hasAlias && dirname(file) !== dirname(from) ? `@/${file}` : relativeTo(file, from);
}

function relativeTo(file: string, from: string): string {
  const path = relative(`/${dirname(from)}`, `/${file}`);
  return path.startsWith(".") ? path : `./${path}`;
}
