import { version } from "@fw/fw/conventions";
import { isAbsolute, join } from "@std/path";
import { createHash } from "node:crypto";
import type ts from "npm:typescript@6.0.3";
import { readKept, writeKept } from "../../project/files/kept_file.ts";
import { readTextIfThere } from "../../project/files/look.ts";
import { fileState, ownModules } from "../../project/files/own_modules.ts";
import { manifestNames } from "../../project/manifest.ts";
import type { Project } from "../../project/project.ts";
import type { ApiDescription } from "./document.ts";
import { fallbackTitle } from "./info.ts";

const cacheFile = "openapi.cache";

interface Kept {
  /** Names all that the description depends on besides the files. */
  readonly key: string;
  readonly files: readonly { readonly path: string; readonly state: string }[];
  readonly description: ApiDescription;
}

/** Returns the kept description, if nothing has changed since. */
export async function readCache(project: Project): Promise<ApiDescription | undefined> {
  const kept = await readKept(project.root, cacheFile);
  if (!isKept(kept) || kept.key !== await keyOf(project)) return undefined;
  const isSame = kept.files.every((file) => fileState(absolute(project, file.path)) === file.state);
  return isSame ? kept.description : undefined;
}

function isKept(value: unknown): value is Kept {
  const { key, files, description }: Partial<Kept> = Object(value);
  return typeof key === "string" && Array.isArray(files) && typeof description === "object";
}

/** Keeps a description. A folder that cannot be written costs time, nothing else. */
export async function writeCache(
  project: Project,
  { description, program }: {
    readonly description: ApiDescription;
    readonly program: ts.Program;
  },
): Promise<void> {
  // What Deno provides has no file, and a state that never changes.
  const files = program.getSourceFiles().map(({ fileName: path }) => ({
    path,
    state: fileState(absolute(project, path)),
  }));
  const kept: Kept = { key: await keyOf(project), files, description };
  await writeKept(project.root, cacheFile, kept);
}

/** Returns what decides besides the contents of the program's files: which files there are, and settings. */
async function keyOf(project: Project): Promise<string> {
  const [sources, settings] = await Promise.all([project.sources(), project.settings()]);
  const hash = createHash("sha256");
  hash.update(JSON.stringify([
    version,
    Deno.version.deno,
    import.meta.url,
    ownModules(),
    project.messages.printed.fix,
    sources.list(),
    await fallbackTitle(project.root),
    ["basePath", "csrfForApi", "rateLimit"].map((path) => settings.possible(path)),
  ]));
  for (const name of [...manifestNames, "deno.lock"]) {
    hash.update(`\0${await readTextIfThere(join(project.root, name)) ?? ""}`);
  }
  return hash.digest("hex");
}

function absolute(project: Project, path: string): string {
  return isAbsolute(path) ? path : join(project.root, path);
}
