import { assertEquals } from "@std/assert";
import { parseEffects } from "../../../cli/facts/created_effects.ts";

const rows: readonly [name: string, comment: string, want: string][] = [
  ["two kinds of tags", "/** A. @throws {HttpError} 409. @returns {Response} 303. */", "409 →303"],
  ["a tag behind another", "/** A. @param x The x. @throws {Problem} 503 if y. */", "503"],
  [
    "a text that wraps",
    "/**\n * @throws {HttpError} 409 for a,\n * and 503 for b.\n */",
    "409,503",
  ],
  ["an error with a custom status", "/** Finds x. @throws {NotFoundError} if not. */", "404"],
  ["lines that end with CR LF", "/**\r\n * @throws {HttpError} 409,\r\n * 503.\r\n */", "409,503"],
  ["another error", "/** Reads x. @throws {TypeError} for 503 lines. */", ""],
  ["the name of a package", "/** @throws {HttpError} 409 as @std/http, and 503. */", "409,503"],
];
for (const [name, comment, want] of rows) {
  Deno.test(`parseEffects: ${name}`, () => {
    const found = parseEffects(comment).map((effect) => {
      if (effect.kind === "error") return effect.statuses.join();
      if (effect.kind === "redirect") return `→${effect.statuses.join()}`;
      return effect.kind === "empty" ? String(effect.status) : effect.kind;
    });
    assertEquals(found.join(" "), want);
  });
}
