/** Changes of files that generators wrote, and their imports. */
import { join } from "@std/path";
import { posix } from "node:path";
import type { Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { isInside, replaceFile } from "../project/files/write_inside.ts";
import { formatFiles } from "../project/files/write_files.ts";
import { memberOf } from "../project/json.ts";
import type { Project } from "../project/project.ts";

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

/** Changes a file that a generator wrote before. @returns `false` where it has another form. */
export async function changeFile(
  { root }: Project,
  { file, change, io }: {
    readonly file: string;
    readonly change: (text: string) => string | undefined;
    readonly io: Io;
  },
): Promise<boolean> {
  const path = join(root, file);
  const changed = change(await readTextIfThere(path) ?? "");
  if (changed === undefined || !await isInside(root, path)) return false;
  await replaceFile(path, changed);
  await formatFiles(root, [file]);
  io.stdout(`${messagesOf(io).generateChanged(file)}\n`);
  return true;
}
