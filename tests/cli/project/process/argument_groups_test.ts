import { assert, assertEquals } from "@std/assert";
import { groupArguments } from "../../../../cli/project/process/foreign.ts";

Deno.test("groupArguments keeps each command line below the limit of Windows", () => {
  assertEquals(groupArguments([]), [[]]);
  assertEquals(groupArguments(["a.ts", "b.ts"]), [["a.ts", "b.ts"]]);
  const files = Array.from({ length: 5_000 }, (_, at) => `app/api/group/route_${at}/route.ts`);
  const groups = groupArguments(files);
  assertEquals(groups.flat(), files);
  for (const group of groups) assert(group.join(" ").length < 30_000);
  assertEquals(groupArguments(["x".repeat(40_000), "y"]).length, 2);
});
