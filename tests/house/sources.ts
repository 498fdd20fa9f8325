/** House rules that one file shows by itself: its name, its length, its comments. */

/** A file is reported, not refused, from this many lines on. */
export const maxLines = 350;

/** A command is thin: it reads its flags, calls the folder that does the work, and prints. */
export const maxCommandLines = 80;

/** Whether the path's last part is a snake_case noun with a TypeScript ending. */
export function isSnakeCase(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return /^[a-z][a-z0-9]*(_[a-z0-9]+)*(\.d)?\.tsx?$/.test(name);
}

/** Counts lines; a last line break ends a line and starts none. */
export function countLines(source: string): number {
  return source.split("\n").length - (source.endsWith("\n") ? 1 : 0);
}

/** Lists the `deno-lint-ignore` comments that give no reason after ` -- `, by line number. */
export function findBareIgnores(source: string): number[] {
  return linesThat(
    source,
    (line) => /^\s*(\/\/|\/\*|\{\/\*)\s*deno-lint-ignore/.test(line) && !/ -- \S/.test(line),
  );
}

// Written apart, so that this line is not its own first finding.
const putOff = ["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"].join("|");
const putOffComment = new RegExp(`(//|/?\\*|#|<!--).*\\b(${putOff})\\b`);

/** Lists the lines with a comment that puts work off. */
export function findPutOffWork(source: string): number[] {
  return linesThat(source, (line) => putOffComment.test(line));
}

function linesThat(source: string, isFound: (line: string) => boolean): number[] {
  return source.split("\n").flatMap((line, index) => isFound(line) ? [index + 1] : []);
}

/** Whether a changelog has the section for what is not released yet. */
export function hasUnreleased(changelog: string): boolean {
  return /^## \[?Unreleased\]?\s*$/m.test(changelog);
}
