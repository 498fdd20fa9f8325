import { assertEquals } from "@std/assert";
import { isInitialism, labelOf } from "../../../cli/scaffold/resource/names.ts";

const labels: readonly (readonly [name: string, label: string])[] = [
  ["title", "Title"],
  ["firstName", "First name"],
  ["first_name", "First name"],
  ["isbn", "ISBN"],
  ["isbn13", "ISBN13"],
  ["homeUrl", "Home URL"],
  ["vat_number", "VAT number"],
  ["idea", "Idea"],
  ["ship", "Ship"],
];

for (const [name, label] of labels) {
  Deno.test(`labelOf: ${name} is ${label}`, () => assertEquals(labelOf(name), label));
}

for (
  const [label, isOne] of [["ISBN", true], ["isbn", true], ["Title", false], ["", false]] as const
) {
  Deno.test(`isInitialism: ${JSON.stringify(label)}, ${isOne}`, () => {
    assertEquals(isInitialism(label), isOne);
  });
}
