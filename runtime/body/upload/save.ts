import { join } from "@std/path";
import type { UploadFile } from "./file.ts";
import { removeQuietly } from "./file.ts";
import { splitName } from "./name.ts";

/** The maximum number of names to try; more files of one name need another naming scheme. */
const maxTries = 1_000;

/**
 * Writes a file into a folder under a name that is free.
 *
 * @param file The file.
 * @param target An existing folder, and a name without separators.
 * @returns The path of the new file.
 * @throws {Error} when the folder does not exist or cannot be written.
 */
export async function saveUpload(
  file: UploadFile,
  target: { readonly dir: string; readonly name: string },
): Promise<string> {
  const { path, out } = await createFree(target);
  try {
    await file.copyTo(out);
    return path;
  } catch (error) {
    await removeQuietly(path);
    throw error;
  } finally {
    out.close();
  }
}

async function createFree(
  target: { readonly dir: string; readonly name: string },
): Promise<{ readonly path: string; readonly out: Deno.FsFile }> {
  const { stem, ext } = splitName(target.name);
  for (let number = 0; number < maxTries; number++) {
    const path = join(target.dir, number === 0 ? target.name : `${stem}-${number}${ext}`);
    try {
      // O_EXCL: of two saves at once one gets the name, and a link of that name is never followed.
      const out = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
      return { path, out };
    } catch (error) {
      if (error instanceof Deno.errors.AlreadyExists) continue;
      throw explainSaveError(error, target.dir);
    }
  }
  throw new Error(
    `Cannot save "${target.name}" in "${target.dir}": ${maxTries} files have that name; ` +
      "save into a folder of its own.",
  );
}

function explainSaveError(error: unknown, dir: string): unknown {
  if (error instanceof Deno.errors.NotFound) {
    return new Error(`Cannot save an upload in "${dir}": there is no such folder; make it first.`, {
      cause: error,
    });
  }
  if (error instanceof Deno.errors.NotCapable) {
    return new Error(
      `Cannot save an upload in "${dir}": Deno was not allowed to. Add --allow-write=${dir}.`,
      { cause: error },
    );
  }
  return error;
}
