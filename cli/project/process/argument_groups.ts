/**
 * The most characters of file names on one command line. Windows allows 32,767 for all of it, Linux 131,072 for
 * one argument.
 */
const maxChars = 24_000;

/**
 * Splits a list of files so that each group fits on a command line.
 *
 * @returns One empty group for no files, which tools take for the whole project.
 */
export function groupArguments(files: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = [[]];
  let chars = 0;
  for (const file of files) {
    chars += file.length + 3;
    if (chars > maxChars && groups.at(-1)?.length !== 0) {
      groups.push([]);
      chars = file.length + 3;
    }
    groups.at(-1)?.push(file);
  }
  return groups;
}
