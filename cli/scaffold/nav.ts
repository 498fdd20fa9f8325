import type { Edits, ImportStyle } from "./edits.ts";
import { addImport } from "./imports.ts";

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
export async function addNavEntry(edits: Edits, entry: NavEntry): Promise<boolean> {
  const layout = await edits.read(layoutFile) ?? "";
  const isAwaited = layout.includes("await nav(c)");
  // What asks for the user cannot stand in a navigation that the layout does not wait for.
  if (!isAwaited && entry.count?.role !== undefined) return false;
  // Such a layout has the navigation without numbers.
  const count = isAwaited ? entry.count : undefined;
  const { style } = edits;
  return await edits.change(navFile, (text) => {
    if (text.includes(`${entry.catalog}, "${entry.key}"`)) return text;
    const end = /\n {2}\];\n\}\s*$/;
    if (!end.test(text)) return undefined;
    const listed = text.replace(end, (rest) => `\n    ${navEntryCode(entry, count)}${rest}`);
    const added = addImport(listed, entry.catalog, style(entry.file, navFile));
    return count === undefined ? added : addCount(added, count, style);
  });
}

/** Returns the code of an entry for `app/nav.ts` in another form; `undefined` without that file. */
export async function navHint(edits: Edits, entry: NavEntry): Promise<string | undefined> {
  if (await edits.read(navFile) === undefined) return undefined;
  return navEntryCode(entry, entry.count?.role === undefined ? undefined : entry.count);
}

/** Puts the user menu into the side bar. @returns `false` for a layout that has changed since. */
export async function addUserMenu(edits: Edits, file: string): Promise<boolean> {
  const head = "export async function Layout(c: Ctx, children: Node)";
  const side = /(ui\.shell\(\s*c,\s*\{[^}]*\bnav: await nav\(c\),)/;
  return await edits.change(layoutFile, (text) => {
    if (!text.includes(head) || !side.test(text)) return undefined;
    const placed = text.replace(side, "$1 user: await userMenu(c),");
    return addImport(placed, "userMenu", edits.style(file, layoutFile));
  });
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
  style: ImportStyle,
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
