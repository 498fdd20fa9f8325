import { assertEquals } from "@std/assert";
import { findCauses } from "../../../cli/dev/app.ts";
import { changeKindOf } from "../../../cli/dev/watch.ts";
import { shuffled } from "./project.ts";

/** The files saved together, their importers, and the causes of the restart. */
const rows: [saved: string, imported: string, restartsFor: string][] = [
  ["app/page.ts lib/used.ts", "", "app/page.ts lib/used.ts"],
  ["islands/a.ts islands/b.ts", "", ""],
  ["islands/a.ts islands/b.ts", "islands/a.ts", "islands/a.ts islands/b.ts"],
  ["islands/a.ts public/style.css app/page.ts", "", "islands/a.ts app/page.ts"],
  ["public/style.css public/logo.svg", "", ""],
  ["data/notes.txt views/b.gohtml", "", "views/b.gohtml"],
  ["data/notes.txt", "data/notes.txt", "data/notes.txt"],
];

for (const [saved, imported, restartsFor] of rows) {
  Deno.test(`findCauses: ${saved}, importing ${imported || "none"}: ${restartsFor || "none"}`, () => {
    const changes = shuffled(saved.split(" ")).map((path) => {
      const kind = changeKindOf(path);
      if (kind === undefined) throw new Error(`${path} is not watched`);
      return { path, kind, exists: true };
    });
    const causes = findCauses(changes, new Set(imported.split(" ")));
    assertEquals(causes.toSorted(), restartsFor.split(" ").filter((path) => path !== "").sort());
  });
}
