/**
 * Where executables and sites are written.
 *
 * @module
 */
import { basename, dirname, join } from "@std/path";
import { statIfThere } from "./look.ts";

/** The folder in which executables are written unless a path is given. */
export const outputFolder = "dist";

/** The folder in it to which a site is exported unless a path is given. */
export const siteFolder = "site";

/**
 * Makes the folder of an executable. A folder that is made for executables alone is kept out of
 * version control by a file in itself.
 *
 * @param path Where the executable goes, absolute.
 */
export async function makeOutputFolder(path: string): Promise<void> {
  const folder = dirname(path);
  if (await statIfThere(folder) !== undefined) return;
  await Deno.mkdir(folder, { recursive: true });
  if (basename(folder) === outputFolder) {
    await Deno.writeTextFile(join(folder, ".gitignore"), "*\n");
  }
}
