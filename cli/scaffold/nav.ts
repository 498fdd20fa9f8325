import type { IconName } from "@fw/fw/ui";
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
  /** The guard of the users who see the entry. @default all clients */
  readonly guard?: "sessions" | "auth" | undefined;
  readonly role?: string | undefined;
  readonly count?: { readonly key: string; readonly file: string };
}

export async function joinNav(edits: Edits, entry: NavEntry): Promise<void> {
  const { path, catalog, key } = entry;
  const code = navEntryCode(entry);
  const end = /\n {2}\];\n\}\s*$/;
  const add = (text: string): string | undefined => {
    if (text.includes(`${catalog}, "${key}"`)) return text;
    const listed = text.replace(end, (rest) => `\n    ${code}${rest}`);
    return listed === text ? undefined : addReads(listed, entry, edits.style);
  };
  // Counts and the user need a layout that awaits the navigation.
  const isAwaited = (await edits.read(layoutFile))?.includes("await nav(c)") === true;
  if (isAwaited && await edits.change(navFile, add)) return;
  const { navEntry, navLink } = edits.project.messages;
  const hasNav = await edits.read(navFile) !== undefined;
  const link =
    `ui.navLink(c.href("${path}"), c.t(${catalog}, "${key}"), c.pattern.startsWith("${path}"))`;
  edits.tell(hasNav ? navEntry(code) : navLink(path, link));
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

function navEntryCode({ path, catalog, key, icon, guard, role, count }: NavEntry): string {
  const counted = count === undefined
    ? ""
    : `, count: await navCount(c, () => use(c, ${count.key}).cappedCount())`;
  const item = (icon: string): string =>
    `{ label: c.t(${catalog}, "${key}"), href: c.href("${path}"), icon: ${icon}${counted} }`;
  if (guard === undefined) return `${item(`"${icon}"`)},`;
  // The error page of a failed session store has this navigation too, so it must not throw.
  const user = `await ${guard}.user(c).catch(() => undefined)`;
  const test = role === undefined ? user : `(${user})?.roles.includes(${JSON.stringify(role)})`;
  return `...!c.isExport && ${test} ? [${item(`"${icon}" as const`)}] : [],`;
}

/** Adds the imports that an entry needs; one with a count or a guard is awaited. */
function addReads(
  text: string,
  { catalog, file, count, guard }: NavEntry,
  style: ImportStyle,
): string {
  let added = addImport(text, catalog, style(file, navFile));
  if (count !== undefined || guard !== undefined) {
    added = added.replace(
      "export function nav(c: Ctx): NavItem[] {",
      "export async function nav(c: Ctx): Promise<NavItem[]> {",
    );
  }
  if (count !== undefined) {
    added = added.replace("import type { Ctx } from", "import { type Ctx, use } from")
      .replace("import type { NavItem } from", "import { navCount, type NavItem } from");
    added = addImport(added, count.key, style(count.file, navFile));
  }
  return guard === undefined || added.includes(`{ ${guard} }`)
    ? added
    : addImport(added, guard, style(`lib/${guard}.ts`, navFile));
}

const icons: readonly (readonly [icon: IconName, names: string])[] = [
  ["users", "authors clients contacts customers employees guests makers members owners patients"],
  ["users", "people players readers staff students suppliers teachers teams users vendors"],
  ["calendar", "appointments bookings events meetings reservations shifts visits"],
  ["file", "articles contracts documents invoices notes orders pages posts reports"],
  ["inbox", "comments emails issues messages requests tickets"],
  ["tag", "brands categories labels tags topics"],
  ["book", "books courses loans recipes"],
  ["image", "images photos pictures"],
  ["check", "goals tasks todos"],
  ["globe", "cities countries places venues websites"],
  ["star", "ratings reviews"],
];

/** Returns the icon for a name such as `book-loans`; a box for unknown words. */
export function iconOf(url: string): IconName {
  const last = url.split("-").at(-1) ?? "";
  return icons.find(([, names]) => names.split(" ").includes(last))?.[0] ?? "box";
}
