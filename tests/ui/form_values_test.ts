import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import * as h from "../../html/mod.ts";
import { type Ctx, date, money, struct, text } from "../../mod.ts";
import { setDefaults } from "../../runtime/schema/messages.ts";
import { parseFormInput } from "../runtime/schema/case.ts";
import { rowNumbers } from "../../ui/form/values.ts";
import * as ui from "../../ui/mod.ts";

const Stored = struct({ when: date(), price: money("EUR") });

function render(zone: string, name: "when" | "price", values: object): string {
  const c = { zone, app: { config: { csrf: {} } }, csrfToken: () => "token" } as unknown as Ctx;
  const fields = { when: { type: "datetime-local" } } as const;
  return h.render(ui.form(c, Stored, { values, fields, only: [name] }));
}

const values: readonly [zone: string, value: Date | number, type: string, text: string][] = [
  ["UTC", new Date("2026-03-01T19:30:00Z"), "datetime-local", "2026-03-01T19:30"],
  ["UTC", new Date("2026-03-01T19:30:05Z"), "datetime-local", "2026-03-01T19:30:05"],
  ["UTC", new Date("2026-03-01T19:30:00.120Z"), "datetime-local", "2026-03-01T19:30:00.120"],
  ["UTC", new Date("2026-03-01T00:00:00Z"), "datetime-local", "2026-03-01T00:00"],
  ["Asia/Kolkata", new Date("2026-03-01T19:30:00Z"), "datetime-local", "2026-03-02T01:00"],
  ["America/New_York", new Date("1934-12-01T09:30Z"), "datetime-local", "1934-12-01T04:30"],
  // The days on which the clocks change.
  ["Europe/Lisbon", new Date("2026-03-29T00:59:00Z"), "datetime-local", "2026-03-29T00:59"],
  ["Europe/Lisbon", new Date("2026-03-29T01:00:00Z"), "datetime-local", "2026-03-29T02:00"],
  ["Europe/Lisbon", new Date("2026-10-25T00:30:00Z"), "text", "2026-10-25T01:30+01:00"],
  ["Europe/Lisbon", new Date("2026-10-25T01:30:00Z"), "text", "2026-10-25T01:30+00:00"],
  ["Europe/Lisbon", new Date("2026-10-25T02:00:00Z"), "datetime-local", "2026-10-25T02:00"],
  ["UTC", 123_450, "text", "1234.50"],
  ["UTC", -5, "text", "-0.05"],
];
for (const [zone, value, type, text] of values) {
  const shown = value instanceof Date ? `${value.toISOString()} in ${zone}` : `${value}`;
  Deno.test(`ui.form shows ${shown} as ${text} and reads it back unchanged`, () => {
    const name = value instanceof Date ? "when" : "price";
    const html = render(zone, name, { [name]: value });
    assertStringIncludes(html, `type="${type}" name="${name}"`);
    assertStringIncludes(html, `value="${text}"`);
    const sent = new Map([[name, [text]]]);
    const result = parseFormInput(Stored, sent, { zone: () => zone });
    const read: Readonly<Record<string, unknown>> = result.kind === "ok" ? result.value : {};
    assertEquals(read[name], value);
  });
}

Deno.test("ui.form shows no inherited member of a record", () => {
  const c = { zone: "UTC", app: { config: { csrf: {} } }, csrfToken: () => "" } as unknown as Ctx;
  const html = h.render(ui.form(c, struct({ constructor: text() }), { values: {} }));
  assertStringIncludes(html, 'name="constructor"');
  assert(!html.includes("function"), html);
});

Deno.test("rowNumbers: only canonical numbers that a double holds exactly", () => {
  const numbers = [
    "3",
    "0",
    "012",
    "-1",
    "1e3",
    "123456789012345",
    "1234567890123456",
    "__proto__",
  ];
  const names = () => numbers.map((number) => `lines.${number}.id`);
  const sent = { names, text: () => "", texts: () => [] };
  const lines = { path: "lines", name: "lines" };
  assertEquals(rowNumbers(sent, lines), [0, 3, 123_456_789_012_345]);
});

const refused: readonly [text: string, message: string, type: string, shown: string][] = [
  [
    "2026-03-29T01:30",
    "does not exist on this day, as the clocks go forward: choose 2026-03-29 00:30 / 2026-03-29 02:30",
    "datetime-local",
    "2026-03-29T01:30",
  ],
  [
    "2026-10-25T01:30",
    "occurs twice on this day, as the clocks go back: " +
    "choose 2026-10-25 01:30+01:00 / 2026-10-25 01:30+00:00",
    "text",
    "2026-10-25T01:30+01:00",
  ],
  ["2026-02-30T01:30", "must be a date", "datetime-local", "2026-02-30T01:30"],
  ["yesterday", "must be a date", "datetime-local", "yesterday"],
];
for (const [text, message, type, shown] of refused) {
  Deno.test(`a form field refuses ${text} in Lisbon and shows the choices`, () => {
    setDefaults();
    const sent = new Map([["when", [text]]]);
    const result = parseFormInput(Stored, sent, { zone: () => "Europe/Lisbon" });
    assertEquals(result.kind === "invalid" && result.errors.get("when"), message);
    const html = render("Europe/Lisbon", "when", { when: text });
    assertStringIncludes(html, `type="${type}" name="when"`);
    assertStringIncludes(html, `value="${shown}"`);
  });
}
