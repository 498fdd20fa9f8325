import { dirname, join } from "@std/path";
import { runGit } from "../process/git.ts";
import { isInside, replaceFile } from "./write_inside.ts";
import { formatFiles, writeNew, type WrittenFile } from "./write_new.ts";
import { type RefusedFile, writeEach, type WrittenFiles } from "./write_all.ts";

/** Why a file was not written. */
export type WriteRefusal = "exists" | "outside" | "uncommitted";

/**
 * Writes a file. With `force` it replaces an existing one, but only a regular file inside the project whose
 * content is that of the last commit: nothing is lost then.
 */
export async function writeOver(
  root: string,
  options: { readonly file: string; readonly text: string; readonly force: boolean },
): Promise<WrittenFile | WriteRefusal> {
  const { file, text, force } = options;
  const refusal = force ? await refuseOver(root, file) : "absent";
  if (refusal === "absent") return await writeNew(root, { file, text });
  if (refusal !== undefined) return refusal;
  const path = join(root, file);
  const before = await Deno.readTextFile(path);
  await replaceFile(path, text);
  await formatFiles(root, [path]);
  return { undo: () => replaceFile(path, before) };
}

/** Writes several files as {@linkcode writeOver} does: all of them or none. */
export async function writeAllOver(
  root: string,
  files: readonly { readonly file: string; readonly text: string }[],
  { force }: { readonly force: boolean },
): Promise<WrittenFiles | RefusedFile<WriteRefusal>> {
  return await writeEach(files, (file) => writeOver(root, { ...file, force }));
}

/** Finds the first of some files that may not be replaced, before any of them is written. */
export async function findRefusedOver(
  root: string,
  files: readonly string[],
): Promise<RefusedFile<WriteRefusal> | undefined> {
  for (const file of files) {
    const cause = await refuseOver(root, file);
    if (cause !== undefined && cause !== "absent") return { ok: false, file, cause };
  }
  return undefined;
}

/**
 * Checks whether a file may be replaced.
 *
 * @returns `undefined` where it may, `absent` where there is none.
 */
async function refuseOver(
  root: string,
  file: string,
): Promise<WriteRefusal | "absent" | undefined> {
  const path = join(root, file);
  if (!await isInside(root, dirname(path))) return "outside";
  let info: Deno.FileInfo;
  try {
    info = await Deno.lstat(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "absent";
    throw error;
  }
  if (!info.isFile) return "exists";
  return await isCommitted(root, file) ? undefined : "uncommitted";
}

/**
 * Reports whether the last commit has the file as it is. Hashes are compared, since `git status`
 * trusts marks such as `assume-unchanged`.
 */
async function isCommitted(root: string, file: string): Promise<boolean> {
  const committed = await runGit(root, ["rev-parse", "--verify", "--quiet", `HEAD:./${file}`]);
  const present = await runGit(root, ["hash-object", "--", file]);
  return committed?.code === 0 && present?.code === 0 && committed.stdout.trim() !== "" &&
    committed.stdout === present.stdout;
}
