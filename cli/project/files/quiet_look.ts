/**
 * Looks at files of a project that people edit meanwhile: what cannot be read counts as missing, and
 * whoever needs it says why.
 *
 * @module
 */

/** What the system says of a file or folder, links followed; `undefined` where it says nothing. */
export function statQuietly(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

/** The text of a file; `""` where it cannot be read. */
export function readTextQuietly(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
