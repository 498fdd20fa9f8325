/**
 * Chooses a static file for the test of an executable.
 *
 * @module
 */
import { publicFolder } from "@fw/fw/conventions";
import { join } from "@std/path";
import { compareText } from "../problem.ts";
import { listIfThere } from "../project/files/look.ts";
import type { Route } from "../project/routes/table.ts";

export interface SampleFile {
  /** The URL path, below the base path. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const maxBytes = 1_048_576;
const plainName = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/**
 * Chooses the first file of `public/` by name that is small and not overridden by a route.
 *
 * @param root The project's folder, absolute.
 * @param routes The routes of the application.
 * @returns The file, or `undefined` if there is none.
 */
export async function chooseSampleFile(
  root: string,
  routes: readonly Pick<Route, "pattern">[],
): Promise<SampleFile | undefined> {
  const taken = new Set(routes.map(({ pattern }) => pattern));
  for await (const name of filesBelow(join(root, publicFolder), "")) {
    const path = `/${name}`;
    if (taken.has(path)) continue;
    const file = join(root, publicFolder, name);
    if ((await Deno.stat(file)).size > maxBytes) continue;
    return { path, bytes: await Deno.readFile(file) };
  }
  return undefined;
}

async function* filesBelow(root: string, folder: string): AsyncGenerator<string> {
  for (const { name, isDirectory, isFile } of await listFolder(join(root, folder))) {
    if (!plainName.test(name)) continue;
    const path = folder === "" ? name : `${folder}/${name}`;
    if (isFile) yield path;
    else if (isDirectory) yield* filesBelow(root, path);
  }
}

/** Lists a folder, files first. A missing folder is empty. */
async function listFolder(folder: string): Promise<Deno.DirEntry[]> {
  return (await listIfThere(folder)).sort((a, b) =>
    Number(a.isDirectory) - Number(b.isDirectory) || compareText(a.name, b.name)
  );
}
