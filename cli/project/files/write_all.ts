/**
 * Writes several source files that must not exist yet: all of them or none.
 *
 * @module
 */
import { formatFiles, writeNew, type WrittenFile } from "./write_new.ts";

/** Files that were written. */
export interface WrittenFiles {
  readonly ok: true;
  /** Removes the files, and the folders that were created for them. */
  undo(): Promise<void>;
}

/** A file that is in the way, or whose path leads out of the project. */
export interface RefusedFile {
  readonly ok: false;
  readonly file: string;
  readonly cause: "exists" | "outside";
}

/**
 * Writes new files, formatted by `deno fmt` with the project's settings.
 *
 * @param root The project's folder, absolute.
 * @param files The paths relative to the project, and the texts.
 */
export async function writeAll(
  root: string,
  files: readonly { readonly file: string; readonly text: string }[],
): Promise<WrittenFiles | RefusedFile> {
  const done: WrittenFile[] = [];
  const undo = async (): Promise<void> => {
    for (const each of done.reverse()) await each.undo();
  };
  for (const { file, text } of files) {
    const written = await writeNew(root, { file, text, isFormatted: true });
    if (typeof written === "string") {
      await undo();
      return { ok: false, file, cause: written };
    }
    done.push(written);
  }
  const sources = files.map(({ file }) => file).filter((file) => /\.tsx?$/.test(file));
  if (sources.length > 0) await formatFiles(root, sources);
  return { ok: true, undo };
}
