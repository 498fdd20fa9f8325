import type { IconName } from "@fw/fw/ui";
import type { Edits } from "./edits.ts";
import { addImport, awaken } from "./imports.ts";
import { renderRegion } from "./sample.ts";

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
  const { path, catalog, key, file, icon, guard, role, count } = entry;
  // The error page of a failed session store has this navigation too, so no entry may throw.
  const user = "await sessions.user(c).catch(() => undefined)";
  const region = renderRegion(`kit/${navFile}`, guard === undefined ? "entry" : "held", {
    names: {
      "/book-loans": path,
      // Every visitor sees the unguarded entry of the sample, so it must not lead to the book loans.
      "/reset": path,
      bookLoanMessages: catalog,
      '"title"': JSON.stringify(key),
      "../lib/book_loan_messages.ts": `../${file}`,
      '"book"': JSON.stringify(icon),
      ...count && { "../lib/book_loans.ts": `../${count.file}`, BookLoans: count.key },
      ...guard && { sessions: guard },
      ...role
        ? { clerk: role }
        : { [`(${user})?.roles.includes("clerk")`]: user.replace("sessions", guard ?? "") },
    },
    parts: { count: count !== undefined },
  });
  // Counts and the user need a layout that awaits the navigation.
  const isAwaited = (await edits.read(layoutFile))?.includes("await nav(c)") === true;
  const left = await edits.insert(navFile, region, (text, code) => {
    if (text.includes(`${catalog}, "${key}"`)) return text;
    const listed = text.replace(/\n {2}\];\n\}\s*$/, (rest) => `\n    ${code}${rest}`);
    return listed === text || !isAwaited ? undefined : awaken(listed, "nav");
  });
  if (left === undefined) return;
  const { navEntry, navLink } = edits.project.messages;
  const link =
    `ui.navLink(c.href("${path}"), c.t(${catalog}, "${key}"), c.pattern.startsWith("${path}"))`;
  const hasNav = await edits.read(navFile) !== undefined;
  edits.tell(hasNav ? navEntry(left.replaceAll(/\s+/g, " ")) : navLink(path, link));
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
