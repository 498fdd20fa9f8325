import { dirname, join } from "@std/path";
import type { Io } from "../../io.ts";
import type { Messages } from "../../messages/catalog.ts";
import { Stop } from "../../stop.ts";
import { groupArguments, runForeign } from "../process/foreign.ts";
import { runGit } from "../process/git.ts";
import { isInside, isThere, replaceFile } from "./write_inside.ts";

interface Target {
  readonly root: string;
  /** The folder of which the root is a copy, where the commits are. */
  readonly original?: string | undefined;
  readonly messages: Messages;
}

/**
 * Writes files, formatted by `deno fmt` with the project's settings: all of them or none.
 *
 * @returns Removes what was written, and the folders that were created for it.
 * @throws {Stop} for a file that exists and is not replaced, or that a link leads out of the project.
 */
export async function writeFiles(
  { root, original, messages }: Target,
  files: readonly { readonly file: string; readonly text: string }[],
  { force = false, isCopy = false, io }: {
    /** Whether to replace files whose content is that of the last commit: nothing is lost then. @default false */
    readonly force?: boolean;
    /** Whether the files are those of a copy of the project, which may be replaced whatever they hold. @default false */
    readonly isCopy?: boolean;
    readonly io?: Io;
  } = {},
): Promise<() => Promise<void>> {
  await refuseFiles({ root, original, messages }, files.map(({ file }) => file), { force, isCopy });
  const steps: (() => Promise<void>)[] = [];
  const undo = async (): Promise<void> => {
    for (const step of steps.reverse()) await step();
  };
  for (const { file, text } of files) {
    const path = join(root, file);
    if (await isThere(path)) {
      const before = await Deno.readTextFile(path);
      await replaceFile(path, text);
      steps.push(() => replaceFile(path, before));
      continue;
    }
    for (const folder of await makeFolders(dirname(path))) steps.push(() => Deno.remove(folder));
    try {
      await Deno.writeTextFile(path, text, { createNew: true });
    } catch (error) {
      await undo();
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
      throw new Stop(messages.generateRefused.exists(file));
    }
    steps.push(() => Deno.remove(path));
  }
  await formatFiles(root, files.map(({ file }) => file).filter((file) => /\.tsx?$/.test(file)));
  for (const { file } of files) io?.stdout(`${messages.files.made(file)}\n`);
  return undo;
}

/** Creates a folder and its parents; returns the created ones, outermost first. */
async function makeFolders(folder: string): Promise<string[]> {
  const made: string[] = [];
  for (let at = folder; !await isThere(at); at = dirname(at)) made.unshift(at);
  await Deno.mkdir(folder, { recursive: true });
  return made;
}

export async function formatFiles(root: string, paths: readonly string[]): Promise<void> {
  // The text is valid without formatting, if the formatter cannot run.
  for (const group of paths.length === 0 ? [] : groupArguments(paths)) {
    await runForeign(["fmt", "--quiet", ...group], { cwd: root });
  }
}

/** Checks files before any of them is written. @throws {Stop} for one that may not be written. */
export async function refuseFiles(
  target: Target,
  files: readonly string[],
  { force, isCopy = false }: { readonly force: boolean; readonly isCopy?: boolean },
): Promise<void> {
  for (const file of files) {
    const cause = await findRefusal(target, file, force);
    if (cause === "uncommitted" && isCopy) continue;
    if (cause !== undefined) throw new Stop(target.messages.generateRefused[cause](file));
  }
}

async function findRefusal(
  { root, original = root }: Target,
  file: string,
  force: boolean,
): Promise<"exists" | "outside" | "uncommitted" | undefined> {
  const path = join(root, file);
  if (!await isInside(root, dirname(path))) return "outside";
  if (!await isThere(path)) return undefined;
  if (!force || !(await Deno.lstat(path)).isFile) return "exists";
  return await isCommitted(original, file) ? undefined : "uncommitted";
}

/** Compares hashes, since `git status` trusts marks such as `assume-unchanged`. */
async function isCommitted(root: string, file: string): Promise<boolean> {
  const committed = await runGit(root, ["rev-parse", "--verify", "--quiet", `HEAD:./${file}`]);
  const present = await runGit(root, ["hash-object", "--", file]);
  return committed?.code === 0 && present?.code === 0 && committed.stdout.trim() !== "" &&
    committed.stdout === present.stdout;
}
