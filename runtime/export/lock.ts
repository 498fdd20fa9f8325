/**
 * Keeps other exports out of a folder while one writes there: each would take the other's files for
 * files that somebody has changed. The system gives the folder free when the process ends, however it
 * ends.
 *
 * @param dir The folder, absolute; it is there.
 * @returns What gives it free, or `undefined` where another export is writing.
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
