import { dirname, join } from "@std/path";
import type { Io } from "../../io.ts";
import type { Messages } from "../../messages/catalog.ts";
import { Stop } from "../../stop.ts";
import { groupArguments, runForeign } from "../process/foreign.ts";
import { runGit } from "../process/git.ts";
import { isInside, isThere, replaceFile } from "./write_inside.ts";

interface Target {
  readonly root: string;
  readonly messages: Messages;
}

/**
 * Writes files, formatted by `deno fmt` with the project's settings: all of them or none.
 *
 * @returns Removes what was written, and the folders that were created for it.
 * @throws {Stop} for a file that exists and is not replaced, or that a link leads out of the project.
 */
export async function writeFiles(
  { root, messages }: Target,
  files: readonly { readonly file: string; readonly text: string }[],
  { replaces = "none", io }: {
    /**
     * Which files to replace: those whose content is that of the last commit, so that nothing is lost, or
     * any, for a copy of the project. @default "none"
     */
    readonly replaces?: "none" | "committed" | "any";
    readonly io?: Io;
  } = {},
): Promise<() => Promise<void>> {
  for (const { file } of files) {
    const cause = await findRefusal(root, file, replaces);
    if (cause !== undefined) throw new Stop(messages.generateRefused[cause](file));
  }
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

async function findRefusal(
  root: string,
  file: string,
  replaces: "none" | "committed" | "any",
): Promise<"exists" | "outside" | "uncommitted" | undefined> {
  const path = join(root, file);
  if (!await isInside(root, dirname(path))) return "outside";
  if (!await isThere(path)) return undefined;
  if (replaces === "none" || !(await Deno.lstat(path)).isFile) return "exists";
  return replaces === "any" || await isCommitted(root, file) ? undefined : "uncommitted";
}

/** Compares hashes, since `git status` trusts marks such as `assume-unchanged`. */
async function isCommitted(root: string, file: string): Promise<boolean> {
  const committed = await runGit(root, ["rev-parse", "--verify", "--quiet", `HEAD:./${file}`]);
  const present = await runGit(root, ["hash-object", "--", file]);
  return committed?.code === 0 && present?.code === 0 && committed.stdout.trim() !== "" &&
    committed.stdout === present.stdout;
}
