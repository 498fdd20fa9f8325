/**
 * Folders for applications whose types are checked. Their paths are the same in every run, because
 * Deno caches its compiler's results by path and content: checking an unchanged application costs
 * nothing, and a changed one a third. A run on a machine without that cache checks everything.
 */
import { tmpdir } from "node:os";
import { join } from "@std/path";
import { root } from "../tools/workspace.ts";

/** A folder that one test uses alone. */
export interface KeptFolder {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Creates an empty folder.
 *
 * @param name Names the folder among those of this checkout. While another run has it the path is random.
 */
export async function makeKeptFolder(name: string): Promise<KeptFolder> {
  const above = join(tmpdir(), `fw-tests-${await digest(root)}`);
  await Deno.mkdir(above, { recursive: true, mode: 0o700 });
  if (!await isOwn(above)) return await makeRandomFolder(name);
  const base = await Deno.realPath(above);
  const lock = await Deno.open(join(base, `${name}.lock`), { write: true, create: true });
  const isExclusive = true;
  if (!await lock.tryLock(isExclusive)) {
    lock.close();
    return await makeRandomFolder(name);
  }
  const path = join(base, name);
  await removeTree(path);
  await Deno.mkdir(path);
  return {
    path,
    release: async () => {
      await removeTree(path);
      // The lock ends with the process, however it ends.
      lock.close();
    },
  };
}

/** Creates an empty folder with a unique path. @param name The start of its name. */
export async function makeRandomFolder(name: string): Promise<KeptFolder> {
  // The real path, because a temporary folder may be behind a link.
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: `${name}-` }));
  return { path, release: () => Deno.remove(path, { recursive: true }) };
}

/** Whether no other user can write to the folder, whose path can be guessed and whose files run. */
async function isOwn(folder: string): Promise<boolean> {
  const { isDirectory, uid, mode } = await Deno.lstat(folder);
  return isDirectory && uid === Deno.uid() && ((mode ?? 0) & 0o077) === 0;
}

/** A killed run leaves its folder behind. */
async function removeTree(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Each checkout has its own folders. */
async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(bytes).toHex().slice(0, 16);
}
