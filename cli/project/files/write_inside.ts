/**
 * Writing that stays inside of a project, whatever links lie in it.
 *
 * @module
 */
import { basename, dirname, join, SEPARATOR } from "@std/path";

/**
 * Writes a file as a whole: whoever reads meanwhile gets the old or the new one. A link at its path is
 * replaced, not followed.
 *
 * @param path The file, absolute, in a folder that is there.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.tmp`);
  try {
    await Deno.writeTextFile(temporary, text, { createNew: true });
    await Deno.rename(temporary, path);
  } catch (error) {
    await Deno.remove(temporary).catch(() => {});
    throw error;
  }
}

/** Whether a folder, once it is made, lies in the project when every link is followed. */
export async function isInside(root: string, folder: string): Promise<boolean> {
  let at = folder;
  try {
    while (!await isThere(at)) at = dirname(at);
    const [inner, outer] = await Promise.all([Deno.realPath(at), Deno.realPath(root)]);
    return inner === outer || inner.startsWith(outer.replace(/[\\/]$/, "") + SEPARATOR);
  } catch (error) {
    // A link to nowhere, or a circle of links.
    if (error instanceof Deno.errors.NotFound) return false;
    if (error instanceof Deno.errors.FilesystemLoop) return false;
    throw error;
  }
}

/** Whether something is at a path, be it a link that leads nowhere. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
