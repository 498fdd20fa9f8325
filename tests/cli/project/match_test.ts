import { assert, assertEquals } from "@std/assert";
import { anySegment, createMatcher } from "../../../cli/project/routes/match.ts";
import { cpuMs } from "../../cpu_time.ts";

const patterns = ["/", "/books", "/books/new", "/books/{id}", "/books/{id}/x", "/files/{path...}"];
const match = createMatcher(patterns.map((pattern) => ({ pattern })));

const rows: readonly (readonly [path: string, pattern: string | undefined])[] = [
  ["/", "/"],
  ["/books/", "/books"],
  ["/books/new", "/books/new"],
  ["/books/7", "/books/{id}"],
  ["/books/new/x", "/books/{id}/x"],
  ["/files/a/b", "/files/{path...}"],
  ["/files", undefined],
  [`/b${anySegment}s`, "/books"],
  [`/boo${anySegment}oks`, undefined],
];
for (const [path, pattern] of rows) {
  Deno.test(`createMatcher: matches ${JSON.stringify(path)} with ${pattern}`, () => {
    assertEquals(match(path)?.pattern, pattern);
  });
}

Deno.test("createMatcher: takes linear time for many holes in a long segment", () => {
  const long = createMatcher([{ pattern: `/${"x".repeat(250)}` }]);
  const startMs = cpuMs();
  assertEquals(long(`/${`${anySegment}x`.repeat(50)}${anySegment}y`), undefined);
  assert(cpuMs() - startMs < 500);
});
