/**
 * Plural forms by the rules of CLDR (supplemental/plurals, version 44 and later): the category of
 * counts in each kind of language, which selects the form of a message. The samples are written for
 * this test.
 */
import { assertEquals, assertThrows } from "@std/assert";
import { catalog, type PluralForms } from "@fw/fw/i18n";

type Category = keyof PluralForms;

const rules: readonly [tag: string, counts: Partial<Record<Category, readonly number[]>>][] = [
  ["ja", { other: [0, 1, 2, 5, 21, 1.5, 1_000_000] }],
  ["en", { one: [1, -1], other: [0, 2, 11, 1.5, 0.1, 1_000_000] }],
  ["da", { one: [1, 0.1, 1.6], other: [0, 2, 2.5, 11] }],
  ["fr", { one: [0, 1, 1.5], many: [1_000_000, 2_000_000], other: [2, 11, 1_000_001] }],
  ["pt", { one: [0, 1, 1.5], many: [1_000_000], other: [2, 11] }],
  ["pt-PT", { one: [1], many: [1_000_000], other: [0, 1.5, 2] }],
  ["es", { one: [1], many: [1_000_000], other: [0, 2, 1.5] }],
  ["lv", { zero: [0, 10, 11, 19, 20], one: [1, 21, 101, 0.1], other: [2, 9, 22, 1.2] }],
  ["he", { one: [1], two: [2], other: [0, 3, 10, 20] }],
  ["ro", { one: [1], few: [0, 2, 19, 101, 1.5], other: [20, 100] }],
  ["cs", { one: [1], few: [2, 4], many: [0.5, 1.5, 10.1], other: [0, 5, 12, 100] }],
  ["lt", { one: [1, 21, 101], few: [2, 9, 22], many: [0.1, 1.5], other: [0, 10, 11, 19] }],
  ["pl", { one: [1], few: [2, 4, 22, 104], many: [0, 5, 12, 14, 21, 100], other: [1.5] }],
  ["ru", { one: [1, 21, 101], few: [2, 4, 22], many: [0, 5, 11, 14, 111], other: [1.5] }],
  ["sl", { one: [1, 101], two: [2, 102], few: [3, 4, 103, 1.5], other: [0, 5, 100] }],
  ["ga", { one: [1], two: [2], few: [3, 6], many: [7, 10], other: [0, 11, 1.5] }],
  ["cy", { zero: [0], one: [1], two: [2], few: [3], many: [6], other: [4, 5, 7, 100] }],
  ["ar", {
    zero: [0],
    one: [1],
    two: [2],
    few: [3, 10, 103, 110],
    many: [11, 26, 99, 111],
    other: [100, 102, 200, 0.5],
  }],
];

for (const [tag, counts] of rules) {
  Deno.test(`plural forms of ${tag}: each count has the form of its category`, () => {
    const categories = Object.keys(counts) as Category[];
    const forms = Object.fromEntries(categories.map((each) => [each, each]));
    const words = catalog({ [tag]: { seats: { other: "other", ...forms } } });
    for (const category of categories) {
      for (const count of counts[category] ?? []) {
        assertEquals([count, words.text(tag, "seats", { count })], [count, category]);
      }
    }
  });

  // Forms of fractions and whole millions may be omitted, because `other` replaces them.
  const isSmall = (count: number): boolean => Number.isInteger(count) && count < 1_000;
  for (const [category, samples] of Object.entries(counts)) {
    if (category === "other") continue;
    Deno.test(`plural forms of ${tag}: "${category}" may be missing`, () => {
      const others = Object.keys(counts).filter((each) => each !== category);
      const forms = Object.fromEntries(others.map((each) => [each, each]));
      const create = () => catalog({ [tag]: { seats: { other: "other", ...forms } } });
      if (samples.some(isSmall)) {
        assertThrows(create, TypeError, `lacks the plural form "${category}"`);
      } else {
        for (const count of samples) assertEquals(create().text(tag, "seats", { count }), "other");
      }
    });
  }
}
