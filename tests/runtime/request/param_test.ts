import { assertEquals } from "@std/assert";
import { bool, date, float, int, int64, list, struct, text, texts } from "../../../mod.ts";
import type { AnyField, Ctx } from "../../../mod.ts";
import { testRequest, type TestResponse } from "../../../runtime/testing/mod.ts";
import { newSite, routeOf } from "../app/support.ts";

async function ask(path: string, field: () => AnyField<unknown>): Promise<TestResponse> {
  const route = routeOf("GET", "/p/{id}", (c: Ctx) => {
    const value = c.param("id", field());
    return c.json(200, value);
  });
  return await testRequest(newSite([route], { config: { env: "dev" } }).app, "GET", path);
}

const fits: readonly [name: string, path: string, field: () => AnyField<unknown>, want: unknown][] =
  [
    ["int", "/p/7", () => int(), 7],
    ["int of 0", "/p/0", () => int(), 0],
    ["int with rules", "/p/7", () => int("min=1,max=7"), 7],
    ["optional int", "/p/7", () => int().optional(), 7],
    ["int64", "/p/9007199254740993", () => int64(), 9007199254740992],
    ["float", "/p/1.5", () => float(), 1.5],
    ["bool", "/p/true", () => bool(), true],
    ["date", "/p/2026-01-31", () => date(), "2026-01-31T00:00:00.000Z"],
    ["text with rules", "/p/caf%C3%A9", () => text("max=4"), "café"],
    ["text of blanks", "/p/%20", () => text(), " "],
    ["texts", "/p/a", () => texts(), ["a"]],
    ["a check", "/p/4", () => int().check((n) => n % 2 === 0 ? undefined : "odd"), 4],
    ["a field with names", "/p/4", () => int("", { form: "other" }), 4],
  ];

for (const [name, path, field, want] of fits) {
  Deno.test(`param converts a value with its field: ${name}`, async () => {
    const response = await ask(path, field);
    response.wantStatus(200);
    assertEquals(JSON.parse(response.body), want);
  });
}

const misfits: readonly [name: string, path: string, field: () => AnyField<unknown>][] = [
  ["letters for int", "/p/abc", () => int()],
  ["a fraction for int", "/p/1.5", () => int()],
  ["an exponent for int", "/p/1e3", () => int()],
  ["a huge number", `/p/${"9".repeat(400)}`, () => int()],
  ["blanks for int", "/p/%20", () => int()],
  ["spaces for an optional int", "/p/%20", () => int().optional()],
  ["below a minimum", "/p/0", () => int("min=1")],
  ["none of a list", "/p/c", () => text("oneof=a b")],
  ["no such day", "/p/2026-02-30", () => date()],
  ["a failed check", "/p/3", () => int().check((n) => n % 2 === 0 ? undefined : "odd")],
  ["escaped text", "/p/%2E%2E%2Fetc%00", () => int()],
];

for (const [name, path, field] of misfits) {
  Deno.test(`param sends 404 for an invalid value: ${name}`, async () => {
    const response = await ask(path, field);
    // A control character is refused before the route.
    response.wantStatus(path.includes("%00") ? 400 : 404);
  });
}

const mistakes: readonly [name: string, field: () => AnyField<unknown>, message: string][] = [
  ["list", () => list(text()), "a list"],
  ["struct", () => struct({}), "a struct"],
  ["not a field", () => ({ def: {} }), "a value that is not a field"],
];

for (const [name, field, message] of mistakes) {
  Deno.test(`param fails with 500 for a developer's mistake: ${name}`, async () => {
    const response = await ask("/p/a", field);
    response.wantStatus(500).wantContains(`Cannot read one text with`).wantContains(message);
  });
}
