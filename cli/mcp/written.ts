import { join } from "@std/path";
import { readTextIfThere, statIfThere } from "../project/files/look.ts";

/** The most files and folders that are looked at, the most bytes of one file, and of all. */
const maxEntries = 50_000;
const maxFileBytes = 262_144;
const maxBytes = 67_108_864;

/** Folders whose files no generator writes. */
const skipped = new Set(["node_modules", "dist", "data", "vendor"]);

/** The texts of a project by path; `undefined` for one that is too large to compare. */
export type ProjectTexts = ReadonlyMap<string, string> | undefined;

/** Reads the texts of a project; links, hidden, binary and large files are left out. */
export async function readTexts(root: string, most = maxEntries): Promise<ProjectTexts> {
  const texts = new Map<string, string>();
  const folders = [""];
  let [entries, bytes] = [0, 0];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for await (const { name, isFile, isDirectory } of Deno.readDir(join(root, folder))) {
      if (++entries > most) return undefined;
      // A hidden file such as `.env` may hold secrets, which the diff would hand to the agent.
      if (name.startsWith(".")) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (isDirectory && !skipped.has(name)) folders.push(path);
      // A file may go meanwhile, as the journal of a database does.
      const size = isFile ? (await statIfThere(join(root, path)))?.size ?? Infinity : Infinity;
      if (size > maxFileBytes) continue;
      if ((bytes += size) > maxBytes) return undefined;
      const text = await readTextIfThere(join(root, path));
      if (text !== undefined && !text.includes("\0")) texts.set(path, text);
    }
  }
  return texts;
}

const around = 2;

const maxLines = 120;

const maxDiffChars = 1_000_000;

/** Writes what changed, sorted by path: new files as they are, others from the first change to the last. */
export function diffTexts(old: ProjectTexts, now: ProjectTexts): string {
  if (old === undefined || now === undefined) return "The project is too large to compare.\n";
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort()
    .filter((path) => old.get(path) !== now.get(path));
  let room = maxDiffChars;
  const parts = paths.map((path) => diffOf(path, old.get(path), now.get(path)))
    .filter(({ length }) => (room -= length) >= 0);
  const left = paths.length - parts.length;
  return [...parts, ...left > 0 ? [`… ${left} more files\n`] : []].join("\n");
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
