import { assertEquals } from "@std/assert";
import { type FolderKind, parseFolder } from "../../../runtime/base/conventions.ts";

const rows: readonly [string, FolderKind][] = [
  ["events", { kind: "literal", text: "events" }],
  ["Café", { kind: "literal", text: "Café" }],
  ["robots.txt", { kind: "literal", text: "robots.txt" }],
  ["a-b_c", { kind: "literal", text: "a-b_c" }],
  ["@ada", { kind: "literal", text: "@ada" }],
  ["us$", { kind: "literal", text: "us$" }],
  ["a(b)", { kind: "literal", text: "a(b)" }],
  [".well-known", { kind: "literal", text: ".well-known" }],
  ["slug_", { kind: "param", name: "slug" }],
  ["post_id_", { kind: "param", name: "post_id" }],
  ["path__", { kind: "rest", name: "path" }],
  ["organizer-", { kind: "group", name: "organizer" }],
  ["_x", { kind: "ignored" }],
  ["_x_", { kind: "ignored" }],
  ["testdata", { kind: "ignored" }],
  [".x", { kind: "hidden" }],
];
for (const [name, want] of rows) {
  Deno.test(`parseFolder ${name} is ${want.kind}`, () => assertEquals(parseFolder(name), want));
}

const bad: readonly [string, string, string][] = [
  ["a___", "parameter", "a_"],
  ["1_", "parameter", "1"],
  ["a.b_", "parameter", "a.b"],
  ["a-b__", "parameter", "a-b"],
  ["a_-", "dynamic-group", "a"],
  ["a-_", "dynamic-group", "a"],
  ["a-__", "dynamic-group", "a"],
  ["-", "empty-group", "-"],
  ["a b", "character", " "],
  ["a#b-", "character", "#"],
  ["50%", "character", "%"],
  ["a?b", "character", "?"],
  ["a\u0000b", "character", "\u0000"],
  ["a\u001b[2Jb", "character", "\u001b"],
  ["a\u009bb_", "character", "\u009b"],
  ["gnp\u202esj", "character", "\u202e"],
  ["a\u200bb", "character", "\u200b"],
  ["\ufeffa", "character", "\ufeff"],
  ["a\u2028b", "character", "\u2028"],
  ["a[0]", "character", "["],
  ["[slug]", "character", "["],
  ["{slug}", "character", "{"],
  [":slug", "character", ":"],
  ["(shop)", "character", "("],
  ["$id", "character", "$"],
  ["*", "character", "*"],
];
for (const [name, cause, part] of bad) {
  Deno.test(`parseFolder ${JSON.stringify(name)} is refused: ${cause}`, () => {
    const kind = parseFolder(name);
    assertEquals(kind.kind === "bad" ? [kind.cause, kind.part] : kind, [cause, part]);
  });
}
