import { assertEquals, assertMatch, assertNotEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { findDataFolder, makeFolders, readOrMakeKey } from "@/lib/data_folder.ts";
import { makeTempFolder } from "./app.ts";

const places: [database: string | undefined, folder: string | undefined, paths: string[]][] = [
  [join("x", "e.db"), undefined, [
    join("x", "e.db"),
    join("x", "uploads"),
    join("x", "secret.key"),
  ]],
  [undefined, "y", [join("y", "events.sqlite"), join("y", "uploads"), join("y", "secret.key")]],
  [":memory:", "y", [":memory:", join("y", "uploads"), join("y", "secret.key")]],
  [join("x", "e.db"), "y", [join("x", "e.db"), join("y", "uploads"), join("y", "secret.key")]],
];

for (const [database, folder, paths] of places) {
  Deno.test(`findDataFolder: EVENTS_DB=${database ?? ""} EVENTS_DATA=${folder ?? ""}`, () => {
    const found = findDataFolder({ database, folder });
    assertEquals([found.database, found.photos, found.key], paths);
  });
}

Deno.test("readOrMakeKey: makes a key once, for its owner alone", () => {
  const home = makeTempFolder();
  try {
    const folder = findDataFolder({ database: ":memory:", folder: join(home, "new") });
    assertThrows(() => readOrMakeKey(folder.key), Deno.errors.NotFound);
    makeFolders(folder);
    const key = readOrMakeKey(folder.key);
    assertMatch(key, /^[\w-]{64}$/);
    assertEquals(readOrMakeKey(folder.key), key);
    const { mode } = Deno.statSync(folder.key);
    if (Deno.build.os !== "windows") assertEquals((mode ?? 0) & 0o777, 0o600);
    assertNotEquals(readOrMakeKey(join(home, "other.key")), key);
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
});
