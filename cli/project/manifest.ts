/**
 * The project's folder and its `deno.json`.
 *
 * @module
 */
import { appFolder } from "@fw/fw/conventions";
import { dirname, join } from "@std/path";

const manifestNames = ["deno.json", "deno.jsonc"];

/**
 * Finds the project: the nearest folder, upwards, that holds a `deno.json` beside an `app/` folder.
 *
 * @param from Where to start, absolute.
 * @returns The project's folder, or `undefined` where there is none.
 */
export function findProject(from: string): string | undefined {
  for (let folder = from;; folder = dirname(folder)) {
    const hasManifest = manifestNames.some((name) => isThere(join(folder, name)));
    if (hasManifest && isThere(join(folder, appFolder))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/**
 * Reads the project's `deno.json` or `deno.jsonc`.
 *
 * @param root The project's folder, absolute.
 * @returns Its members; none where the file is missing or is no object.
 * @throws {SyntaxError} when the file is no JSON.
 */
export async function readManifest(root: string): Promise<Readonly<Record<string, unknown>>> {
  for (const name of manifestNames) {
    if (!isThere(join(root, name))) continue;
    const value: unknown = JSON.parse(stripComments(await Deno.readTextFile(join(root, name))));
    return typeof value === "object" && value !== null ? { ...value } : {};
  }
  return {};
}

/** Takes comments and trailing commas out of JSON, as Deno allows them in both file names. */
export function stripComments(text: string): string {
  return text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string = "") => string)
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, string = "") => string);
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return false;
    }
    throw error;
  }
}
