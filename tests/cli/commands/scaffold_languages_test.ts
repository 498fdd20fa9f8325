import { assertEquals } from "@std/assert";
import { labelOf, portugueseLabel } from "../../../cli/scaffold/languages.ts";

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
  const [label, portuguese] of [
    ["Title", "Título"],
    ["ISBN", "ISBN"],
    ["VAT", "IVA"],
    ["Shelf", undefined],
    ["", undefined],
  ] as const
) {
  Deno.test(`portugueseLabel: ${JSON.stringify(label)} is ${portuguese}`, () => {
    assertEquals(portugueseLabel(label), portuguese);
  });
}
