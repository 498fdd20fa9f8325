import { assertEquals, assertStringIncludes, fail } from "@std/assert";
import { join } from "@std/path";
import { describeDifference, readApi, snapshotPath } from "../../../../tools/api_snapshot.ts";
import { root } from "../../../../tools/workspace.ts";

Deno.test("api: the exported surface equals the recorded one", async () => {
  const recorded = await Deno.readTextFile(join(root, snapshotPath));
  const difference = describeDifference(recorded, await readApi());
  if (difference !== undefined) {
    fail(`${snapshotPath} differs: run "deno task api" and read its diff.\n${difference}`);
  }
});

Deno.test("describeDifference: reports removals, additions and a different order", () => {
  assertEquals(describeDifference("a\nb\n", "a\nb\n"), undefined);
  assertEquals(
    describeDifference("a\nb\n", "a\nc\nd\n", { maxLines: 2 }),
    "- b\n+ c\n… and 1 more",
  );
  assertStringIncludes(describeDifference("a\nb\n", "b\na\n") ?? "", "order");
});
