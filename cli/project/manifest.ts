/**
 * The project's folder and its `deno.json`.
 *
 * @module
 */
import { appFolder } from "@fw/fw/conventions";
import { dirname, join } from "@std/path";
import { statIfThereSync } from "./files/look.ts";

/** The names under which Deno looks for the settings of a project, in this order. */
export const manifestNames = ["deno.json", "deno.jsonc"] as const;

/** The members of a `deno.json`. */
export type Manifest = Readonly<Record<string, unknown>>;

/**
 * Finds the project: the nearest folder, upwards, that holds a `deno.json` beside an `app/` folder.
 *
 * @param from Where to start, absolute.
 * @returns The project's folder, or `undefined` where there is none.
 */
export function findProject(from: string): string | undefined {
  return findUpwards(
    from,
    (folder) => hasManifest(folder) && statIfThereSync(join(folder, appFolder)) !== undefined,
  );
}

/**
 * Where a command works: the project, or where none is found the nearest folder with a `deno.json`,
 * or the starting point; the generator then says that there is no `app/` folder.
 *
 * @param from Where to start, absolute.
 */
export function findRoot(from: string): string {
  return findProject(from) ?? findUpwards(from, hasManifest) ?? from;
}

function hasManifest(folder: string): boolean {
  return manifestNames.some((name) => statIfThereSync(join(folder, name)) !== undefined);
}

function findUpwards(from: string, matches: (folder: string) => boolean): string | undefined {
  for (let folder = from;; folder = dirname(folder)) {
    if (matches(folder)) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** A `deno.json` that is no JSON. */
export class ManifestError extends Error {
  /** The class name. */
  override readonly name: string = "ManifestError";
  /** The file's name. */
  readonly file: string;
  /** The line, from 1. */
  readonly line: number;
  /** The column, from 1. */
  readonly column: number;
  /** What the parser says, in English. */
  readonly detail: string;

  /** Takes the place out of what `JSON.parse` says. */
  constructor(file: string, cause: SyntaxError) {
    const [place = "", line = "1", column = "1"] =
      / (?:at position \d+ )?\(line (\d+) column (\d+)\)$/.exec(cause.message) ?? [];
    const detail = cause.message.slice(0, cause.message.length - place.length);
    super(`Cannot read "${file}": ${line}:${column} ${detail}; correct the JSON`, { cause });
    this.file = file;
    this.line = Number(line);
    this.column = Number(column);
    this.detail = detail;
  }
}

/**
 * Reads the project's `deno.json` or `deno.jsonc`.
 *
 * @param root The project's folder, absolute.
 * @returns Its members; none where the file is missing or is no object.
 * @throws {ManifestError} when the file is no JSON.
 */
export async function readManifest(root: string): Promise<Manifest> {
  for (const name of manifestNames) {
    if (statIfThereSync(join(root, name)) === undefined) continue;
    const value = parseManifest(name, await Deno.readTextFile(join(root, name)));
    return typeof value === "object" && value !== null ? { ...value } : {};
  }
  return {};
}

function parseManifest(name: string, text: string): unknown {
  try {
    return JSON.parse(stripComments(text.replace(/^\uFEFF/, "")));
  } catch (error) {
    if (error instanceof SyntaxError) throw new ManifestError(name, error);
    throw error;
  }
}

/** Blanks comments and trailing commas, as Deno allows them in both files; places stay the same. */
function stripComments(text: string): string {
  const blank = (part: string): string => part.replace(/[^\r\n]/g, " ");
  return text
    .replace(
      /("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g,
      (part, string) => string ?? blank(part),
    )
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, (part, string) => string ?? blank(part));
}
