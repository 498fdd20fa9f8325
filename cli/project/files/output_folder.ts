/**
 * The default output folders of executables and sites.
 *
 * @module
 */
import { basename, dirname, join } from "@std/path";
import { statIfThere } from "./look.ts";

/** The default folder of executables. */
export const outputFolder = "dist";

/** The default folder of a site, inside {@linkcode outputFolder}. */
export const siteFolder = "site";

/**
 * Creates the folder of an executable. A new `dist/` gets a `.gitignore` of its own.
 *
 * @param path The executable, absolute.
 */
export async function makeOutputFolder(path: string): Promise<void> {
  const folder = dirname(path);
  if (await statIfThere(folder) !== undefined) return;
  await Deno.mkdir(folder, { recursive: true });
  if (basename(folder) === outputFolder) {
    await Deno.writeTextFile(join(folder, ".gitignore"), "*\n");
  }
}
