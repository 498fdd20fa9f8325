import { fail } from "@std/assert";
import { join } from "@std/path";
import { readApi, snapshotPath } from "../../../../tools/api_snapshot.ts";
import { root } from "../../../../tools/workspace.ts";

Deno.test("api: the exported surface equals the recorded one", async () => {
  const recorded = await Deno.readTextFile(join(root, snapshotPath));
  const actual = await readApi();
  if (recorded === actual) return;
  const [before, after] = [recorded, actual].map((text) => new Set(text.split("\n")));
  const changes = [...before?.symmetricDifference(after ?? new Set()) ?? []].slice(0, 10);
  fail(`${snapshotPath} differs: run "deno task api" and read its diff.\n${changes.join("\n")}`);
});
