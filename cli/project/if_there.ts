/**
 * Looks at files that may be missing.
 *
 * @module
 */

/** What the system says of a file or folder, links followed; `undefined` where there is none. */
export async function statIfThere(path: string): Promise<Deno.FileInfo | undefined> {
  return await unlessMissing(() => Deno.stat(path));
}

/** The text of a file; `undefined` where there is none. */
export async function readTextIfThere(path: string): Promise<string | undefined> {
  return await unlessMissing(() => Deno.readTextFile(path));
}

async function unlessMissing<T>(look: () => Promise<T>): Promise<T | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    throw error;
  }
}
