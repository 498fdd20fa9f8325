import { appFolder } from "@fw/fw/conventions";
import { dirname, join } from "@std/path";
import { readTextIfThere, statIfThereSync } from "./files/look.ts";
import { memberOf, textOf } from "./json.ts";

export const manifestNames = ["deno.json", "deno.jsonc"] as const;

export type Manifest = Readonly<Record<string, unknown>>;

/** Finds the project: the nearest folder upwards that contains a `deno.json` and an `app/` folder. */
export function findProject(from: string): string | undefined {
  return findUpwards(
    from,
    (folder) => hasManifest(folder) && statIfThereSync(join(folder, appFolder)) !== undefined,
  );
}

/** Returns the project, else the nearest folder with a `deno.json`, else the starting point. */
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

export class ManifestError extends Error {
  override readonly name: string = "ManifestError";
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The parser's message, in English. */
  readonly detail: string;

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

/** @throws {ManifestError} if the file is not valid JSON, or is a device, which may never end. */
export async function readManifest(root: string): Promise<Manifest> {
  for (const name of manifestNames) {
    if (statIfThereSync(join(root, name)) === undefined) continue;
    const text = await readTextIfThere(join(root, name));
    if (text === undefined) throw new ManifestError(name, new SyntaxError("not a regular file"));
    const value = parseManifest(name, text);
    return typeof value === "object" && value !== null ? { ...value } : {};
  }
  return {};
}

export function lockFileOf({ lock }: Manifest): string {
  return textOf(lock) ?? textOf(memberOf(lock, "path")) ?? "deno.lock";
}

function parseManifest(name: string, text: string): unknown {
  if (text.startsWith("\uFEFF")) {
    throw new ManifestError(name, new SyntaxError("Deno refuses the byte order mark here"));
  }
  try {
    return JSON.parse(stripComments(text));
  } catch (error) {
    if (error instanceof SyntaxError) throw new ManifestError(name, error);
    throw error;
  }
}

/**
 * Replaces comments and trailing commas, which Deno allows, with blanks, so that places stay the
 * same. An unterminated comment is matched as a whole: retrying at each character takes quadratic
 * time.
 */
function stripComments(text: string): string {
  const blank = (part: string): string => {
    const isOpen = part.startsWith("/*") && (part.length < 4 || !part.endsWith("*/"));
    return isOpen ? part : part.replace(/[^\r\n]/g, " ");
  };
  return text
    .replace(
      /("(?:[^"\\\n]|\\.)*"?)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g,
      (part, string) => string ?? blank(part),
    )
    .replace(/("(?:[^"\\\n]|\\.)*"?)|,(?=\s*[}\]])/g, (part, string) => string ?? blank(part));
}
