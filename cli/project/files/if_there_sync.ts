/**
 * Looks at files that may be missing, without waiting.
 *
 * @module
 */

const { NotFound, NotADirectory } = Deno.errors;

/** What the system says of a file or folder, links followed; `undefined` where there is none. */
export function statIfThereSync(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof NotFound || error instanceof NotADirectory) return undefined;
    throw error;
  }
}
