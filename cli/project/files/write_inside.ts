import { basename, dirname, join, SEPARATOR } from "@std/path";
import { Stop } from "../../stop.ts";
import type { Messages } from "../../messages/catalog.ts";
import { statIfThere } from "./look.ts";

/** Replaces a file atomically; a link at the path is replaced, not followed. */
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

/** Creates a file. If the write fails, for example on a full disk, no partial file remains. */
export async function createFile(path: string, text: string): Promise<void> {
  await Deno.writeTextFile(path, "", { createNew: true });
  try {
    await Deno.writeTextFile(path, text);
  } catch (error) {
    await Deno.remove(path).catch(() => {});
    throw error;
  }
}

/** Reports whether a folder, once created, lies in the project after all links are resolved. */
export async function isInside(root: string, folder: string): Promise<boolean> {
  let at = folder;
  try {
    while (!await isThere(at)) at = dirname(at);
    const [inner, outer] = await Promise.all([Deno.realPath(at), Deno.realPath(root)]);
    return inner === outer || inner.startsWith(outer.replace(/[\\/]$/, "") + SEPARATOR);
  } catch (error) {
    // A dangling or circular link.
    if (error instanceof Deno.errors.NotFound) return false;
    if (error instanceof Deno.errors.FilesystemLoop) return false;
    throw error;
  }
}

/** Reports whether something exists at a path, including a dangling link. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

export const outputFolder = "dist";

export const siteFolder = "site";

/** Refuses a default folder outside the project, to which a link in a clone may lead. */
export async function refuseOutputLink(
  { root, messages }: { readonly root: string; readonly messages: Messages },
  { folder, flag }: { readonly folder: string; readonly flag: string },
): Promise<void> {
  if (await isInside(root, join(root, folder))) return;
  const text = messages.build.outputLeaves(folder.replaceAll("\\", "/"), flag);
  throw new Stop([{ code: "E_OUTPUT_LINK", severity: "error", ...text }]);
}

export async function makeOutputFolder(path: string): Promise<void> {
  const folder = dirname(path);
  if (await statIfThere(folder) !== undefined) return;
  await Deno.mkdir(folder, { recursive: true });
  if (basename(folder) === outputFolder) {
    await Deno.writeTextFile(join(folder, ".gitignore"), "*\n");
  }
}
