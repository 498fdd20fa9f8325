import { dirname, join } from "@std/path";
import type { Io } from "../io.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { isInside } from "../project/files/write_inside.ts";
import type { Project } from "../project/project.ts";
import { Names } from "../project/sources/names.ts";
import { listTests } from "../project/sources/sources.ts";
import type { Change, Edits } from "./edits.ts";
import { dropIdleAsync, type NewFile, pruneImports } from "./sample.ts";

/** Removes the unchanged files of a generator, and prints which of them stay. */
export async function removeFiles(
  edits: Edits,
  { files, stays }: {
    readonly files: readonly NewFile[];
    /** Whether a file must stay, because another one depends on it. */
    readonly stays: (file: string) => boolean;
  },
  io: Io,
): Promise<void> {
  const { root, messages: { resource: texts } } = edits.project;
  const removed = new Set<string>();
  for (const each of files) {
    const { file, text } = await edits.localize(edits.restyle(each));
    const present = await readTextIfThere(join(root, file));
    if (present === undefined || !await isInside(root, dirname(join(root, file)))) continue;
    const isKept = !isSameText(present, text) || stays(file);
    if (!isKept) {
      await removeFile(root, file);
      // The list of migrations is generated again.
      if (!file.endsWith(".sql")) removed.add(file);
    }
    const kept = file.endsWith(".sql") ? texts.keptMigration : texts.kept;
    io.stdout(`${isKept ? kept(file) : texts.removed(file)}\n`);
  }
  // After the changes of shared files, which drop their own imports.
  edits.follow(async () => (await findImporters(edits.project, removed)).map(texts.left));
}

/** Lists the files that import removed ones, such as pages that were moved into a group. */
async function findImporters(project: Project, removed: ReadonlySet<string>): Promise<string[]> {
  project.refresh();
  const sources = await project.sources();
  const { imports } = await project.manifest();
  const names = new Names(sources, imports);
  return [...sources.list(), ...listTests(project.root)].filter((file) => {
    const text = sources.read(file)?.tree.text ?? "";
    return [...text.matchAll(/\b(?:from|import)[\s(]*"([^"\n]+)"/g)]
      .some(([, specifier = ""]) => removed.has(names.fileOf(file, specifier) ?? ""));
  });
}

/** Compares texts without the characters that the formatter may change. */
export function isSameText(one: string, other: string): boolean {
  return squeezed(one) === squeezed(other);
}

/** Removes the characters that the formatter may change. */
function squeezed(text: string): string {
  return text
    .replaceAll(/^import \{([^}]*)\}/gm, (_, names: string) => names.split(/[\s,]+/).sort().join())
    .replaceAll(/[\s,(){};"'\\]/g, "");
}

/** Removes a file and the folders that become empty. */
async function removeFile(root: string, file: string): Promise<void> {
  await Deno.remove(join(root, file));
  try {
    for (let at = dirname(file); at !== "."; at = dirname(at)) await Deno.remove(join(root, at));
  } catch {
    // The folder is not empty.
  }
}

const navEntry = /^ {4}(?:\{(?: .*\},?\n|\n(?: {5,}.*\n)* {4}\},?\n)|\.{3}.*\n(?: {5,}.*\n)*)/gm;

/** Returns the change that removes the entry with a label from the navigation. */
export function withoutNavEntry(label: string): readonly [file: string, change: Change] {
  return ["app/nav.ts", (text) => without(text, navEntry, label)];
}

/** Removes the parts that contain a text, and their imports; `undefined` if none exist. */
export function without(text: string, parts: RegExp, wanted: string): string | undefined {
  const left = text.replaceAll(parts, (part) => part.includes(wanted) ? "" : part);
  return left === text ? undefined : pruneImports(dropIdleAsync(left));
}
