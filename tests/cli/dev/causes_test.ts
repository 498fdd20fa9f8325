import { assertEquals } from "@std/assert";
import { findCauses } from "../../../cli/dev/app.ts";
import { changeKindOf } from "../../../cli/dev/files.ts";
import { shuffled } from "./project.ts";

const foreign = { isLockForeign: true, isGeneratedForeign: true };
const own = { isLockForeign: false, isGeneratedForeign: false };

/** What was saved together, what is known of it, and what the application restarts for. */
const rows: [saved: string, imported: string, facts: typeof own, restartsFor: string][] = [
  ["app/page.ts lib/used.ts", "", own, "app/page.ts lib/used.ts"],
  ["islands/a.ts islands/b.ts", "", own, ""],
  ["islands/a.ts islands/b.ts", "islands/a.ts", own, "islands/a.ts islands/b.ts"],
  ["islands/a.ts public/style.css app/page.ts", "", own, "islands/a.ts app/page.ts"],
  ["public/style.css public/logo.svg", "", own, ""],
  ["data/notes.txt views/b.gohtml", "", own, "views/b.gohtml"],
  ["data/notes.txt", "data/notes.txt", own, "data/notes.txt"],
  ["deno.lock fw_gen.ts", "", own, ""],
  ["deno.lock fw_gen.ts", "", foreign, "deno.lock fw_gen.ts"],
];

for (const [saved, imported, facts, restartsFor] of rows) {
  Deno.test(`findCauses: ${saved}, importing ${imported || "none"}: ${restartsFor || "none"}`, () => {
    const changes = shuffled(saved.split(" ")).map((path) => {
      const kind = changeKindOf(path);
      if (kind === undefined) throw new Error(`${path} is not watched`);
      return { path, kind, exists: true };
    });
    const causes = findCauses(changes, { ...facts, imported: new Set(imported.split(" ")) });
    assertEquals(causes.toSorted(), restartsFor.split(" ").filter((path) => path !== "").sort());
  });
}
