import { assertEquals } from "@std/assert";
import { buildTexts, type Built } from "../../../cli/messages/texts.ts";

const english = {
  plain: "Nothing to do.",
  made: "Wrote {file} ({routes}).",
  twice: "{name} and {name}",
  braces: "a URL, such as /blog/{{slug}}",
  long: `Two lines
    are one.`,
  fixed: `no {file}
    Fix: Write {file} for {who}.`,
  inner: { call: (count: number): string => `${count}`, list: ["{a}"] },
} as const;

Deno.test("buildTexts: holes are values in the order of the English text", () => {
  const texts = buildTexts(english, english);
  assertEquals(texts.plain, "Nothing to do.");
  assertEquals(texts.made("a.ts", 2), "Wrote a.ts (2).");
  assertEquals(texts.twice("x"), "x and x");
  assertEquals(texts.braces, "a URL, such as /blog/{slug}");
  assertEquals(texts.long, "Two lines are one.");
  assertEquals(texts.fixed("a", "b"), { message: "no a", fix: "Write a for b." });
  assertEquals([texts.inner.call(7), ...texts.inner.list], ["7", "{a}"]);
  const other = buildTexts({ made: "{routes} em {file}" }, english);
  assertEquals(other.made("a.ts", 2), "2 em a.ts");
});

Deno.test("buildTexts: chooses singular or plural, and drops parts whose value is absent", () => {
  const table = {
    count: "{count} {count:page|pages}",
    near: 'no {name}[[, did you mean "{near?}"?]]',
    fixed: `no {name}
      Fix: [[rename {near?}, or ]]write it.`,
  } as const;
  const { count, near, fixed } = buildTexts(table, table);
  assertEquals([count(1), count(0)], ["1 page", "0 pages"]);
  assertEquals([near("a", undefined), near("a", "b")], ["no a", 'no a, did you mean "b"?']);
  assertEquals([near("[[", "]]")], ['no [[, did you mean "]]"?']);
  assertEquals([fixed("a", undefined).fix, fixed("a", "b").fix], [
    "Write it.",
    "Rename b, or write it.",
  ]);
});

Deno.test("buildTexts: a value with braces is unchanged", () => {
  assertEquals(buildTexts(english, english).made("{routes}", "{{"), "Wrote {routes} ({{).");
});

Deno.test("the compiler refuses a wrong number of values", () => {
  const texts: Built<typeof english> = buildTexts(english, english);
  // @ts-expect-error a value is missing
  assertEquals(texts.made("a.ts"), "Wrote a.ts (undefined).");
});
