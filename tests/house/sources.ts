/** House rules about a single file: its name, its length, its comments. */

/** Files of at least this many lines are reported, not refused. */
export const maxLines = 350;

/** A command is thin: it reads its flags, calls the folder that does the work, and prints. */
export const maxCommandLines = 80;

/** Whether the path's last part is in snake_case with a TypeScript extension. */
export function isSnakeCase(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /^[a-z][a-z0-9]*(_[a-z0-9]+)*(\.d)?\.tsx?$/.test(name);
}

/** Counts lines; a final line break does not start another line. */
export function countLines(source: string): number {
  return source.split("\n").length - (source.endsWith("\n") ? 1 : 0);
}

/** Lists the `deno-lint-ignore` comments without a reason after ` -- `, by line number. */
export function findBareIgnores(source: string): number[] {
  return linesThat(
    source,
    (line) => /^\s*(\/\/|\/\*|\{\/\*)\s*deno-lint-ignore/.test(line) && !/ -- \S/.test(line),
  );
}

// Split, so this line does not match itself.
const putOff = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"].join("|");
const putOffComment = new RegExp(`(//|/?\\*|#|<!--).*\\b(${putOff})\\b`);

/** Lists the lines with a comment that postpones work. */
export function findPutOffWork(source: string): number[] {
  return linesThat(source, (line) => putOffComment.test(line));
}

function linesThat(source: string, isFound: (line: string) => boolean): number[] {
  return source.split("\n").flatMap((line, index) => isFound(line) ? [index + 1] : []);
}

/** Whether a changelog has the section for unreleased changes. */
export function hasUnreleased(changelog: string): boolean {
  return /^## \[?Unreleased\]?\s*$/m.test(changelog);
}
