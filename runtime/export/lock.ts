/**
 * Locks a folder against concurrent exports, which would treat each other's files as changed by the user. The
 * system releases the lock when the process ends, however it ends.
 *
 * @param dir The folder, absolute; it is there.
 * @returns A handle that releases the lock, or `undefined` where another export is writing.
 */
export async function lockFolder(dir: string): Promise<Disposable | undefined> {
  let folder: Deno.FsFile;
  try {
    folder = await Deno.open(dir);
  } catch {
    // Windows opens no folder.
    return unlocked;
  }
  const isExclusive = true;
  try {
    if (await folder.tryLock(isExclusive)) return folder;
  } catch {
    // Some file systems lock nothing.
    folder.close();
    return unlocked;
  }
  folder.close();
  return undefined;
}

const unlocked: Disposable = { [Symbol.dispose]: () => {} };
