/**
 * Folders for applications whose types are checked. Their path is the same in every run: Deno keeps what
 * its compiler found by path and content, so that a check of what has not changed costs nothing, and one
 * of a changed application a third. A run on a machine that keeps nothing checks everything.
 */
import { tmpdir } from "node:os";
import { join } from "@std/path";
import { root } from "../tools/workspace.ts";

/** A folder that a test has for itself. */
export interface KeptFolder {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * Makes an empty folder.
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
      // The end of the process, however it ends, gives the lock back as well.
      lock.close();
    },
  };
}

/** Makes an empty folder with a path that no other run has. @param name What its name starts with. */
export async function makeRandomFolder(name: string): Promise<KeptFolder> {
  // The real path: a temporary folder may lie behind a link.
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: `${name}-` }));
  return { path, release: () => Deno.remove(path, { recursive: true }) };
}

/** Whether nobody else can write there: the path can be guessed, and what is in it runs. */
async function isOwn(folder: string): Promise<boolean> {
  const { isDirectory, uid, mode } = await Deno.lstat(folder);
  return isDirectory && uid === Deno.uid() && ((mode ?? 0) & 0o077) === 0;
}

/** A run that was killed leaves its folder behind. */
async function removeTree(path: string): Promise<void> {
  try {
    await Deno.remove(path, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** Each checkout has folders of its own. */
async function digest(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(bytes).toHex().slice(0, 16);
}
