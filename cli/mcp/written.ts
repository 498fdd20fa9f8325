/**
 * Compares the texts of a project before and after a command.
 *
 * @module
 */
import { join } from "@std/path";
import { readTextIfThere, statIfThere } from "../project/files/look.ts";

/** The most files that are compared, and the most bytes of one. */
const maxFiles = 5_000;
const maxBytes = 262_144;

/** Folders whose files no generator writes. */
const skipped = new Set(["node_modules", "dist", "data", "vendor"]);

/** Reads the texts of a project by their paths; links, hidden, binary and large files are left out. */
export async function readTexts(root: string): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const { name, isFile, isDirectory } of Deno.readDir(join(root, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isDirectory && !skipped.has(name) && !name.startsWith(".")) folders.push(path);
      // A hidden file such as `.env` may hold secrets, which the diff would hand to the agent.
      if (!isFile || name.startsWith(".") || texts.size >= maxFiles) continue;
      const file = join(root, path);
      // A file may go meanwhile, as the journal of a database does.
      if (((await statIfThere(file))?.size ?? Infinity) > maxBytes) continue;
      const text = await readTextIfThere(file);
      if (text !== undefined && !text.includes("\0")) texts.set(path, text);
    }
  }
  return texts;
}

/** The lines that stand around a change. */
const around = 2;

/** The most lines of one file in a diff. */
const maxLines = 120;

/** Writes what changed, sorted by path: new files as they are, others from the first change to the last. */
export function diffTexts(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.filter((path) => before.get(path) !== after.get(path))
    .map((path) => diffOf(path, before.get(path), after.get(path))).join("\n");
}

function diffOf(path: string, old: string | undefined, now: string | undefined): string {
  const head = old === undefined ? "new file" : now === undefined ? "deleted" : "changed";
  const [gone, come] = [linesOf(old), linesOf(now)];
  let start = 0;
  while (start < Math.min(gone.length, come.length) && gone[start] === come[start]) start++;
  let same = 0;
  const most = Math.min(gone.length, come.length) - start;
  while (same < most && gone[gone.length - 1 - same] === come[come.length - 1 - same]) same++;
  const lines = [
    ...come.slice(Math.max(0, start - around), start).map((line) => `  ${line}`),
    ...gone.slice(start, gone.length - same).map((line) => `- ${line}`),
    ...come.slice(start, come.length - same).map((line) => `+ ${line}`),
    ...come.slice(come.length - same, come.length - same + around).map((line) => `  ${line}`),
  ];
  const left = lines.length - maxLines;
  const more = left > 0 ? [`… ${left} more lines`] : [];
  return [`### ${path} (${head})`, ...lines.slice(0, maxLines), ...more, ""].join("\n");
}

function linesOf(text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : text.replace(/\n$/, "").split("\n");
}
