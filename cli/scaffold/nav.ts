import { join } from "@std/path";
import type { Io } from "../io.ts";
import { messagesOf } from "../messages/catalog.ts";
import { readTextIfThere } from "../project/files/look.ts";
import { isInside, replaceFile } from "../project/files/write_inside.ts";
import { formatFiles } from "../project/files/write_files.ts";
import type { Project } from "../project/project.ts";
import { addImport, changeFile, readImportStyle } from "./imports.ts";

/** The navigation of an app, as data. */
const navFile = "app/nav.ts";

const layoutFile = "app/layout.ts";

/** An entry of the navigation on its way into `app/nav.ts`. */
export interface NavEntry {
  readonly path: string;
  /** The name of the catalog that has its label. */
  readonly catalog: string;
  readonly key: string;
  readonly file: string;
  readonly icon: string;
}

/**
 * Adds an entry to the navigation of an app.
 *
 * @returns Whether it is there now; `false` for an app without `app/nav.ts` or with one of another form.
 */
export async function addNavEntry(project: Project, entry: NavEntry, io: Io): Promise<boolean> {
  const { root } = project;
  const path = join(root, navFile);
  const text = await readTextIfThere(path);
  if (text === undefined || !await isInside(root, path)) return false;
  const code = navEntryCode(entry);
  if (text.includes(code)) return true;
  const end = /\n {2}\];\n\}\s*$/;
  if (!end.test(text)) return false;
  const module = (await readImportStyle(project))(entry.file, navFile);
  const added = text.replace(end, (rest) => `\n    ${code}${rest}`);
  await replaceFile(path, addImport(added, entry.catalog, module));
  await formatFiles(root, [navFile]);
  io.stdout(`${messagesOf(io).generateChanged(navFile)}\n`);
  return true;
}

/**
 * Puts the user menu into the foot of the side bar.
 *
 * @param file The module that exports `userMenu`.
 * @returns Whether it is there now; `false` for a layout that has changed since.
 */
export async function addUserMenu(project: Project, file: string, io: Io): Promise<boolean> {
  const head = "export function Layout(c: Ctx, children: Node): Node {";
  const side = /(ui\.shell\(\s*c,\s*\{[^}]*\bnav: nav\(c\),)/;
  const module = (await readImportStyle(project))(file, layoutFile);
  const change = (text: string): string | undefined => {
    if (!text.includes(head) || !side.test(text)) return undefined;
    const placed = text
      .replace(head, "export async function Layout(c: Ctx, children: Node): Promise<Node> {")
      .replace(side, "$1 user: await userMenu(c),");
    return addImport(placed, "userMenu", module);
  };
  return await changeFile(project, { file: layoutFile, change, io });
}

function navEntryCode({ path, catalog, key, icon }: NavEntry): string {
  return `{ label: c.t(${catalog}, "${key}"), href: c.href("${path}"), icon: "${icon}" },`;
}
