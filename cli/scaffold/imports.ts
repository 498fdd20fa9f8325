/** Changes of files that generators wrote, and their imports. */
import { join } from "@std/path";
import { posix } from "node:path";
import type { Io } from "../io.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { isInside, replaceFile } from "../project/files/write_inside.ts";
import { formatFiles } from "../project/files/write_files.ts";
import { memberOf } from "../project/json.ts";
import type { Project } from "../project/project.ts";
import { type NewFile, restyleImports } from "./sample.ts";

const { dirname, relative } = posix;

/** Returns the specifier of a file of the project, from another one; both relative to its root. */
export type ImportStyle = (file: string, from: string) => string;

/**
 * Reads from the manifest how the files of a project import each other: `"@/lib/books.ts"` where the project maps `@/`,
 * so that a folder of pages can be moved, and relative paths elsewhere.
 */
export async function readImportStyle(project: Project): Promise<ImportStyle> {
  const { imports } = await project.manifest();
  const hasAlias = memberOf(imports, "@/") === "./";
  return (file, from) =>
    hasAlias && dirname(file) !== dirname(from) ? `@/${file}` : relativeTo(file, from);
}

function relativeTo(file: string, from: string): string {
  const path = relative(`/${dirname(from)}`, `/${file}`);
  return path.startsWith(".") ? path : `./${path}`;
}

export function addTypeImport(text: string, name: string): string {
  const [head] = /^import type \{(?= [^}\n]*\} from "@fw\/fw";$)/m.exec(text) ?? [];
  return head === undefined
    ? `import type { ${name} } from "@fw/fw";\n${text}`
    : text.replace(head, () => `${head} ${name},`);
}

export function addImport(text: string, name: string, module: string): string {
  const end = endOfImports(text);
  return `${text.slice(0, end)}import { ${name} } from "${module}";\n${text.slice(end)}`;
}

export function endOfImports(text: string): number {
  const last = [...text.matchAll(/^import [^;]*;\n/gm)].at(-1);
  return last === undefined ? 0 : last.index + last[0].length;
}

export async function restyleFiles(
  project: Project,
  files: readonly NewFile[],
): Promise<readonly NewFile[]> {
  const style = await readImportStyle(project);
  return files.map((each) => ({ ...each, text: restyleImports(each, style) }));
}

export async function missingFiles(
  { root }: Project,
  files: readonly NewFile[],
): Promise<readonly NewFile[]> {
  const present = await Promise.all(files.map(({ file }) => readTextIfThere(join(root, file))));
  return files.filter((_, index) => present[index] === undefined);
}

/** Changes a file that a generator wrote before. @returns `false` where it has another form. */
export async function changeFile(
  project: Project,
  { file, change, io }: {
    readonly file: string;
    readonly change: (text: string) => string | undefined;
    readonly io: Io;
  },
): Promise<boolean> {
  const changed = change(await readTextIfThere(join(project.root, file)) ?? "");
  return changed !== undefined && await changeFiles(project, new Map([[file, changed]]), io);
}

/** Replaces the texts of files, and prints which. @returns `false` where a link leads one out of the project. */
export async function changeFiles(
  project: Project,
  texts: ReadonlyMap<string, string>,
  io: Io,
): Promise<boolean> {
  const { root } = project;
  const changed: string[] = [];
  let isWhole = true;
  for (const [file, text] of texts) {
    const path = join(root, file);
    if (text === await readTextIfThere(path)) continue;
    if (await isInside(root, path)) {
      await replaceFile(path, text);
      changed.push(file);
    } else isWhole = false;
  }
  await formatFiles(root, changed.filter((file) => /\.tsx?$/.test(file)));
  project.refresh(changed);
  for (const file of changed) io.stdout(`${project.messages.files.changed(file)}\n`);
  return isWhole;
}
