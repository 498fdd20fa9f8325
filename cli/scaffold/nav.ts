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
  /** Counts the rows of the entry. @default no count */
  readonly count?: NavCount;
}

/** The store that counts the rows of an entry, and the guard of the users who see the count. */
interface NavCount {
  readonly key: string;
  readonly file: string;
  readonly guard?: "sessions" | "auth" | undefined;
  /** The role of the users who see the entry. @default all users */
  readonly role?: string | undefined;
}

/** Adds an entry to the navigation. @returns `false` if `app/nav.ts` is missing or changed. */
export async function addNavEntry(edits: Edits, entry: NavEntry): Promise<boolean> {
  const layout = await edits.read(layoutFile) ?? "";
  const isAwaited = layout.includes("await nav(c)");
  // Reading the user needs a layout that awaits the navigation.
  if (!isAwaited && entry.count?.role !== undefined) return false;
  // A layout that does not await the navigation shows no counts.
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

/** Returns the code of an entry to add by hand; `undefined` without `app/nav.ts`. */
export async function navHint(edits: Edits, entry: NavEntry): Promise<string | undefined> {
  if (await edits.read(navFile) === undefined) return undefined;
  return navEntryCode(entry, entry.count?.role === undefined ? undefined : entry.count);
}

/** Adds the user menu to the side bar. @returns `false` for a changed layout. */
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
  // The error page of a failed session store has this navigation too, so it must not throw.
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
