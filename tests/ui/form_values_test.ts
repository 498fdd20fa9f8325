import { assertEquals } from "@std/assert";
import { date, money, struct } from "../../mod.ts";
import { readFormFields } from "../../runtime/addon.ts";
import { parseFormInput } from "../../runtime/schema/input.ts";
import { sentTexts } from "../../ui/form/values.ts";

const values: readonly [name: string, value: unknown, text: string][] = [
  ["when", new Date("2026-03-01T19:30:00Z"), "2026-03-01T19:30"],
  ["when", new Date("2026-03-01T19:30:05Z"), "2026-03-01T19:30:05"],
  ["when", new Date("2026-03-01T19:30:00.120Z"), "2026-03-01T19:30:00.120"],
  ["when", new Date("2026-03-01T00:00:00Z"), "2026-03-01T00:00"],
  ["price", 123_450, "1234.50"],
  ["price", -5, "-0.05"],
];

const Stored = struct({ when: date(), price: money("EUR") });

for (const [name, value, text] of values) {
  Deno.test(`ui.form shows ${text} for a stored ${name}, which is read back unchanged`, () => {
    const facts = readFormFields(Stored).find((field) => field.name === name);
    assertEquals(facts && sentTexts({ [name]: value }, facts), [text]);
    const result = parseFormInput(Stored, new URLSearchParams({ [name]: text }));
    const read: Readonly<Record<string, unknown>> = result.kind === "ok" ? result.value : {};
    assertEquals(read[name], value);
  });
}
