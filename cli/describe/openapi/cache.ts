/**
 * Keeps the description of an API until one of the files behind it changes.
 *
 * @module
 */
import { version } from "@fw/fw/conventions";
import { dirname, isAbsolute, join } from "@std/path";
import { createHash } from "node:crypto";
import type ts from "typescript";
import { listIfThere, readTextIfThere, statIfThereSync } from "../../project/files/look.ts";
import { isInside, replaceFile } from "../../project/files/write_inside.ts";
import { manifestNames } from "../../project/manifest.ts";
import type { Project } from "../../project/project.ts";
import type { ApiDescription } from "./document.ts";

/** The file below the project, in the folder that a new project's `.gitignore` names. */
const cacheFile = ".fw/openapi.cache";

interface Kept {
  /** What the description depends on besides the files. */
  readonly key: string;
  /** Each file with its time and size. */
  readonly files: readonly (readonly [path: string, mtimeMs: number, size: number])[];
  readonly description: ApiDescription;
}

/** Returns the kept description, if nothing has changed since. */
export async function readCache(project: Project): Promise<ApiDescription | undefined> {
  try {
    const text = await readTextIfThere(join(project.root, cacheFile));
    if (text === undefined) return undefined;
    const kept: Kept = JSON.parse(text);
    if (kept.key !== await keyOf(project)) return undefined;
    const isSame = kept.files.every(([path, mtimeMs, size]) => {
      const info = statIfThereSync(absolute(project, path));
      return info?.mtime?.getTime() === mtimeMs && info.size === size;
    });
    return isSame ? kept.description : undefined;
  } catch {
    // A cache that cannot be read is none.
    return undefined;
  }
}

/** Keeps a description. A folder that cannot be written costs time, nothing else. */
export async function writeCache(
  project: Project,
  { description, program }: {
    readonly description: ApiDescription;
    readonly program: ts.Program;
  },
): Promise<void> {
  const target = join(project.root, cacheFile);
  try {
    if (!await isInside(project.root, dirname(target))) return;
    await Deno.mkdir(dirname(target), { recursive: true });
    const files = program.getSourceFiles().flatMap(({ fileName }) => {
      const info = statIfThereSync(absolute(project, fileName));
      return !info?.mtime ? [] : [[fileName, info.mtime.getTime(), info.size] as const];
    });
    const kept: Kept = { key: await keyOf(project), files, description };
    await replaceFile(target, JSON.stringify(kept));
  } catch {
    // As where the project is read-only.
  }
}

/** What decides besides the contents of the program's files: which files there are, and settings. */
async function keyOf(project: Project): Promise<string> {
  const [sources, settings] = await Promise.all([project.sources(), project.settings()]);
  const hash = createHash("sha256");
  hash.update(JSON.stringify([
    version,
    Deno.version.deno,
    import.meta.url,
    await ownFiles(),
    project.messages.printed.fix,
    sources.list(),
    ["basePath", "csrfForApi", "rateLimit"].map((path) => settings.possible(path)),
  ]));
  for (const name of [...manifestNames, "deno.lock"]) {
    hash.update(`\0${await readTextIfThere(join(project.root, name)) ?? ""}`);
  }
  return hash.digest("hex");
}

/** The files of this command line, which change without a new version in a checkout. */
async function ownFiles(): Promise<readonly string[]> {
  const folder = import.meta.dirname;
  if (folder === undefined) return [];
  const names = (await listIfThere(folder)).map(({ name }) => name).sort();
  return names.map((name) => {
    const info = statIfThereSync(join(folder, name));
    return `${name} ${info?.mtime?.getTime()} ${info?.size}`;
  });
}

function absolute(project: Project, path: string): string {
  return isAbsolute(path) ? path : join(project.root, path);
}
