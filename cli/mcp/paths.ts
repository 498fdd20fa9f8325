import { dirname, isAbsolute, join, relative } from "@std/path";
import { isInside, isThere } from "../project/files/write_inside.ts";

/** The longest path of a request, in characters. */
const maxPathChars = 4_096;

/** Reports whether a string is a path of a request: one line of visible ASCII that starts with one slash. */
export function isRequestPath(path: string): boolean {
  return path.length <= maxPathChars && /^\/(?!\/)[\x21-\x7e]*$/.test(path);
}

/**
 * Returns a test file of the project as a path relative to it.
 *
 * @returns `undefined` for a file that is missing, is not a test, or lies outside, also behind a link.
 */
export async function testFileIn(root: string, file: string): Promise<string | undefined> {
  if (isAbsolute(file) || !/^[\w.][\w./@+-]*[._]test\.tsx?$/.test(file)) return undefined;
  const path = join(root, file);
  const inside = relative(root, path).replaceAll("\\", "/");
  if (inside.startsWith("..") || !await isThere(path)) return undefined;
  return await isInside(root, dirname(path)) && await isInside(root, path) ? inside : undefined;
}
