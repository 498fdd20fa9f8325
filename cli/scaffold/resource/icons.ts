/** The icon of a resource in the navigation, by the last word of its name. */
import type { IconName } from "@fw/fw/ui";

const words: readonly (readonly [icon: IconName, names: string])[] = [
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
  return words.find(([, names]) => names.split(" ").includes(last))?.[0] ?? "box";
}
