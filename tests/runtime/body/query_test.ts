import { assertEquals } from "@std/assert";
import { bool, type Ctx, int, type Result, struct, text, texts } from "../../../mod.ts";
import { testRequest, type TestResponse } from "../../../runtime/testing/mod.ts";
import { newSite } from "../app/support.ts";

const Search = struct({
  q: text("max=5"),
  page: int("min=1,max=100"),
  tags: texts("max=2"),
  open: bool(),
});

async function answer(
  path: string,
  read: (c: Ctx) => Promise<Result>,
  method = "GET",
): Promise<TestResponse> {
  const { app } = newSite([{ pattern: "/s", methods: { GET: read, POST: read } }]);
  return await testRequest(app, method, path);
}

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
      const read = async (c: Ctx) => c.json(200, await c.bindQuery(Search));
      const { body } = await answer(`/s${search}`, read, method);
      assertEquals(JSON.parse(body), want);
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
    const response = await answer(`/s${search}`, async (c) => {
      await c.bindQuery(Search);
      return c.noContent();
    });
    response.wantStatus(status);
    assertEquals(JSON.parse(response.body).code, code);
  });
}

Deno.test("bindQuery names the fields in its 400", async () => {
  const response = await answer("/s?page=x&q=toolong", async (c) => {
    await c.bindQuery(Search);
    return null;
  });
  assertEquals(Object.keys(JSON.parse(response.body).fields), ["q", "page"]);
});

Deno.test("tryBindQuery returns the messages with the submitted values", async () => {
  const response = await answer("/s?q=toolong&page=3", async (c) => {
    const bound = await c.tryBindQuery(Search);
    const failed = Object.keys(bound.errors.fields);
    return c.json(200, { ok: bound.ok, value: bound.value, sent: bound.text("q"), failed });
  });
  const value = { page: 3, tags: [], open: false };
  assertEquals(JSON.parse(response.body), { ok: false, value, sent: "toolong", failed: ["q"] });
});

Deno.test("bindQuery accepts a schema of another library", async () => {
  const schema = {
    "~standard": {
      version: 1 as const,
      vendor: "test",
      validate: (value: unknown) => Promise.resolve({ value }),
    },
  };
  const read = async (c: Ctx) => c.json(200, await c.bindQuery(schema, { lists: ["b"] }));
  assertEquals(JSON.parse((await answer("/s?a.x=1&b=2", read)).body), { a: { x: "1" }, b: ["2"] });
});

Deno.test("bindQuery reads the query of an assigned request", async () => {
  const { body } = await answer("/s?page=1", async (c) => {
    c.request = new Request("http://localhost/s?page=9");
    return c.json(200, (await c.bindQuery(Search)).page);
  });
  assertEquals(body, "9");
});
