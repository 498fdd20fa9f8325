import { join } from "@std/path";
import { readTextIfThere, statIfThere } from "../project/files/look.ts";

/** The most files and folders that are looked at, the most bytes of one file, and of all. */
const limits = { entries: 50_000, files: 5_000, fileBytes: 262_144, totalBytes: 67_108_864 };

/** Folders whose files no generator writes. */
const skipped = new Set(["node_modules", "dist", "data", "vendor"]);

export interface ProjectTexts {
  readonly texts: ReadonlyMap<string, string>;
  /** No text was left out because the project is too large. */
  readonly isWhole: boolean;
}

/** Reads the texts of a project; links, hidden, binary and large files are left out. */
export async function readTexts(
  root: string,
  options: Partial<typeof limits> = {},
): Promise<ProjectTexts> {
  const most = { ...limits, ...options };
  const texts = new Map<string, string>();
  const folders = [""];
  let [entries, bytes] = [0, 0];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const { name, isFile, isDirectory } of Deno.readDir(join(root, folder))) {
      if (++entries > most.entries) return { texts, isWhole: false };
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isDirectory && !skipped.has(name) && !name.startsWith(".")) folders.push(path);
      // A hidden file such as `.env` may hold secrets, which the diff would hand to the agent.
      if (!isFile || name.startsWith(".")) continue;
      const file = join(root, path);
      // A file may go meanwhile, as the journal of a database does.
      const size = (await statIfThere(file))?.size ?? Infinity;
      if (size > most.fileBytes) continue;
      bytes += size;
      if (texts.size >= most.files || bytes > most.totalBytes) return { texts, isWhole: false };
      const text = await readTextIfThere(file);
      if (text !== undefined && !text.includes("\0")) texts.set(path, text);
    }
  }
  return { texts, isWhole: true };
}

/** The lines that stand around a change. */
const around = 2;

/** The most lines of one file in a diff. */
const maxLines = 120;

const maxDiffChars = 1_000_000;

/**
 * Writes what changed, sorted by path: new files as they are, others from the first change to the last. Of a
 * project that is too large, only files that were read both times are compared.
 */
export function diffTexts(before: ProjectTexts, after: ProjectTexts): string {
  const isWhole = before.isWhole && after.isWhole;
  const [old, now] = [before.texts, after.texts];
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort()
    .filter((path) => old.get(path) !== now.get(path))
    .filter((path) => isWhole || (old.has(path) && now.has(path)));
  const parts: string[] = [];
  let room = maxDiffChars;
  for (const [index, path] of paths.entries()) {
    const part = diffOf(path, old.get(path), now.get(path));
    room -= part.length;
    if (room < 0) {
      parts.push(`… ${paths.length - index} more files\n`);
      break;
    }
    parts.push(part);
  }
  if (!isWhole) parts.push("… The project is too large to compare every file.\n");
  return parts.join("\n");
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
