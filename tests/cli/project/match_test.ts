import { assertEquals } from "@std/assert";
import { createMatcher } from "../../../cli/project/routes/match.ts";

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
];
for (const [path, pattern] of rows) {
  Deno.test(`createMatcher: matches ${JSON.stringify(path)} with ${pattern}`, () => {
    assertEquals(match(path)?.pattern, pattern);
  });
}
