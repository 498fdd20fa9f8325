import { join } from "@std/path";
import type { Io } from "../io.ts";
import { readTextIfThere } from "../project/files/look.ts";
import type { Project } from "../project/project.ts";
import { addImport, changeFile, readImportStyle } from "./imports.ts";

const navFile = "app/nav.ts";

const layoutFile = "app/layout.ts";

export interface NavEntry {
  readonly path: string;
  readonly catalog: string;
  readonly key: string;
  readonly file: string;
  readonly icon: string;
  /** Counts its rows. @default none are counted */
  readonly count?: NavCount;
}

/** The store that counts the rows of an entry, and the guard of those who see them. */
interface NavCount {
  readonly key: string;
  readonly file: string;
  readonly guard?: "sessions" | "auth" | undefined;
  /** Shows the entry to users with the role alone. @default to all users */
  readonly role?: string | undefined;
}

/** Adds an entry to the navigation. @returns `false` without `app/nav.ts`, or for one of another form. */
export async function addNavEntry(project: Project, entry: NavEntry, io: Io): Promise<boolean> {
  const layout = await readTextIfThere(join(project.root, layoutFile)) ?? "";
  const isAwaited = layout.includes("await nav(c)");
  // What asks for the user cannot stand in a navigation that the layout does not wait for.
  if (!isAwaited && entry.count?.role !== undefined) return false;
  // Such a layout has the navigation without numbers.
  const count = isAwaited ? entry.count : undefined;
  const style = await readImportStyle(project);
  const change = (text: string): string | undefined => {
    if (text.includes(`${entry.catalog}, "${entry.key}"`)) return text;
    const end = /\n {2}\];\n\}\s*$/;
    if (!end.test(text)) return undefined;
    const listed = text.replace(end, (rest) => `\n    ${navEntryCode(entry, count)}${rest}`);
    const added = addImport(listed, entry.catalog, style(entry.file, navFile));
    return count === undefined ? added : addCount(added, count, style);
  };
  return await changeFile(project, { file: navFile, change, io });
}

/** Returns the code of an entry for `app/nav.ts` in another form; `undefined` without that file. */
export async function navHint({ root }: Project, entry: NavEntry): Promise<string | undefined> {
  if (await readTextIfThere(join(root, navFile)) === undefined) return undefined;
  return navEntryCode(entry, entry.count?.role === undefined ? undefined : entry.count);
}

/** Puts the user menu into the side bar. @returns `false` for a layout that has changed since. */
export async function addUserMenu(project: Project, file: string, io: Io): Promise<boolean> {
  const head = "export async function Layout(c: Ctx, children: Node)";
  const side = /(ui\.shell\(\s*c,\s*\{[^}]*\bnav: await nav\(c\),)/;
  const module = (await readImportStyle(project))(file, layoutFile);
  const change = (text: string): string | undefined => {
    if (!text.includes(head) || !side.test(text)) return undefined;
    return addImport(text.replace(side, "$1 user: await userMenu(c),"), "userMenu", module);
  };
  return await changeFile(project, { file: layoutFile, change, io });
}

function navEntryCode({ path, catalog, key, icon }: NavEntry, count: NavCount | undefined): string {
  const counted = count === undefined ? "" : `, count: ${countCode(count)}`;
  const item = (icon: string): string =>
    `{ label: c.t(${catalog}, "${key}"), href: c.href("${path}"), icon: ${icon}${counted} }`;
  if (count?.role === undefined) return `${item(`"${icon}"`)},`;
  const { guard, role } = count;
  // The page that reports the failure of the sessions has this navigation too.
  const user = `(await ${guard}.user(c).catch(() => undefined))`;
  return `...!c.isExport && ${user}?.roles.includes(${JSON.stringify(role)}) ? [${
    item(`"${icon}" as const`)
  }] : [],`;
}

function countCode({ key, guard, role }: NavCount): string {
  const rows = `use(c, ${key}).cappedCount()`;
  return guard === undefined || role !== undefined
    ? `await navCount(c, () => ${rows})`
    : `await navCount(c, async () => await ${guard}.user(c) ? ${rows} : undefined)`;
}

function addCount(
  text: string,
  { key, file, guard }: NavCount,
  style: (file: string, from: string) => string,
): string {
  const counted = text
    .replace(
      "export function nav(c: Ctx): NavItem[] {",
      "export async function nav(c: Ctx): Promise<NavItem[]> {",
    )
    .replace('import type { Ctx } from "@fw/fw";', 'import { type Ctx, use } from "@fw/fw";')
    .replace(
      'import type { NavItem } from "@fw/fw/ui";',
      'import { navCount, type NavItem } from "@fw/fw/ui";',
    );
  const imported = addImport(counted, key, style(file, navFile));
  return guard === undefined || imported.includes(`{ ${guard} }`)
    ? imported
    : addImport(imported, guard, style(`lib/${guard}.ts`, navFile));
}
