import { assertEquals, assertObjectMatch, assertRejects } from "@std/assert";
import { bool, FieldErrors, int, struct, text, texts } from "../../../mod.ts";
import type { AnySchema, Ctx, HttpError } from "../../../mod.ts";
import { type Case, inHandler } from "./case.ts";

const Search = struct({
  q: text("max=5"),
  page: int("min=1,max=100"),
  tags: texts("max=2"),
  open: bool(),
});

const at = (search: string, method = "GET"): Case => ({ method, path: `/${search}`, body: null });

const values: readonly [search: string, want: unknown][] = [
  ["", { q: "", page: 0, tags: [], open: false }],
  ["?q=a+b&page=2&tags=x&tags=y&open=on", { q: "a b", page: 2, tags: ["x", "y"], open: true }],
  ["?utm=1&__proto__=2&page=&page=7", { q: "", page: 0, tags: [], open: false }],
  ["?q=caf%C3%A9", { q: "café", page: 0, tags: [], open: false }],
  // URL Standard, 5.1: tracking parameters of newsletters and advertisements.
  ...[
    "utm_content=50%_off",
    "fbclid=%E9",
    "x=%",
    "%zz=%zz",
    `${"x".repeat(600)}=1`,
    `${"a.".repeat(40)}=1`,
  ].map((
    foreign,
  ) => [`?${foreign}&page=3`, { q: "", page: 3, tags: [], open: false }] as [string, unknown]),
  ["?q=%zz", { q: "%zz", page: 0, tags: [], open: false }],
  ["?q=5%+%C3%A9", { q: "5% é", page: 0, tags: [], open: false }],
  ["?q=%FF%41%e2%82", { q: "\ufffdA\ufffd", page: 0, tags: [], open: false }],
];

for (const [search, want] of values) {
  Deno.test(`bindQuery converts ${search || "an empty query"} and ignores unknown names`, async () => {
    for (const method of ["GET", "POST"]) {
      assertEquals(await inHandler(at(search, method), (c) => c.bindQuery(Search)), want);
    }
  });
}

const faults: readonly [search: string, status: number, code: string][] = [
  ["?page=x", 400, "validation_failed"],
  ["?page=0.5", 400, "validation_failed"],
  ["?page=101", 400, "validation_failed"],
  ["?q=toolong", 400, "validation_failed"],
  [`?${"a=1&".repeat(1_001)}`, 413, "form_too_large"],
];

for (const [search, status, code] of faults) {
  Deno.test(`bindQuery refuses ${search.slice(0, 20)} with ${status}`, async () => {
    const error = await assertRejects(() => inHandler(at(search), (c) => c.bindQuery(Search)));
    assertObjectMatch(error as HttpError, { status, code });
  });
}

Deno.test("bindQuery and tryBindQuery name the fields, with the submitted values", async () => {
  await inHandler(at("?page=x&q=toolong&tags=a"), async (c) => {
    const error = await assertRejects(() => c.bindQuery(Search), FieldErrors);
    assertEquals(Object.keys(error.fields), ["q", "page"]);
    const { ok, value, errors, text } = await c.tryBindQuery(Search);
    assertEquals([ok, value, text("q")], [false, { tags: ["a"], open: false }, "toolong"]);
    assertEquals(errors.fields, error.fields);
  });
});

Deno.test("bindQuery accepts a schema of another library", async () => {
  const schema: AnySchema = {
    "~standard": { version: 1, vendor: "test", validate: (value) => Promise.resolve({ value }) },
  };
  const read = (c: Ctx): Promise<unknown> => c.bindQuery(schema, { lists: ["b"] });
  const value = await inHandler(at("?a.x=1&b=2"), read);
  assertEquals(JSON.stringify(value), '{"a":{"x":"1"},"b":["2"]}');
});

Deno.test("bindQuery reads the query of an assigned request", async () => {
  const { page } = await inHandler(at("?page=1"), (c) => {
    c.request = new Request("http://localhost/?page=9");
    return c.bindQuery(Search);
  });
  assertEquals(page, 9);
});
