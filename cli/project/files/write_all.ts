/**
 * Writes several source files that must not exist yet: all of them or none.
 */
import { formatFiles, writeNew, type WrittenFile } from "./write_new.ts";

/** Files that were written. */
export interface WrittenFiles {
  readonly ok: true;
  /** Removes the files, and the folders that were created for them. */
  undo(): Promise<void>;
}

/** The file that was not written, and why: then none was. */
export interface RefusedFile<Cause> {
  readonly ok: false;
  readonly file: string;
  readonly cause: Cause;
}

interface TextFile {
  /** The path relative to the project. */
  readonly file: string;
  readonly text: string;
}

/** Writes new files, formatted by `deno fmt` with the project's settings. */
export async function writeAll(
  root: string,
  files: readonly TextFile[],
): Promise<WrittenFiles | RefusedFile<"exists" | "outside">> {
  const written = await writeEach(
    files,
    ({ file, text }) => writeNew(root, { file, text, isFormatted: true }),
  );
  const sources = files.map(({ file }) => file).filter((file) => /\.tsx?$/.test(file));
  if (written.ok && sources.length > 0) await formatFiles(root, sources);
  return written;
}

/** Writes files one after another, and removes them again when one of them is refused. */
export async function writeEach<Cause extends string>(
  files: readonly TextFile[],
  write: (file: TextFile) => Promise<WrittenFile | Cause>,
): Promise<WrittenFiles | RefusedFile<Cause>> {
  const done: WrittenFile[] = [];
  const undo = async (): Promise<void> => {
    for (const each of done.reverse()) await each.undo();
  };
  for (const each of files) {
    const written = await write(each);
    if (typeof written === "string") {
      await undo();
      return { ok: false, file: each.file, cause: written };
    }
    done.push(written);
  }
  return { ok: true, undo };
}
