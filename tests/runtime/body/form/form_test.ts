import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { FieldErrors, HttpError, int, struct, text, texts } from "../../../../mod.ts";
import { type Case, inHandler } from "../case.ts";

const urlencoded = "application/x-www-form-urlencoded";

const forms: readonly [name: string, body: string, entries: [string, string][]][] = [
  ["nothing", "", []],
  ["one field", "a=1", [["a", "1"]]],
  ["fields of one name", "a=1&b=2&a=3", [["a", "1"], ["a", "3"], ["b", "2"]]],
  ["a field without a value", "a&b=", [["a", ""], ["b", ""]]],
  ["a value without a name", "=1", [["", "1"]]],
  ["more equals signs", "a=b=c", [["a", "b=c"]]],
  ["ampersands alone", "&&a=1&", [["a", "1"]]],
  ["plus signs and escapes", "a+b=c+%2B%26%3D%0D%0A", [["a b", "c +&=\r\n"]]],
  ["UTF-8, escaped and raw", "caf%C3%A9=日", [["café", "日"]]],
  ["a byte order mark in a value", "a=\ufeffx", [["a", "\ufeffx"]]],
  ["dots and brackets", "a.b=1&c[]=2", [["a.b", "1"], ["c[]", "2"]]],
];

for (const [name, body, entries] of forms) {
  Deno.test(`c.formData: ${name}`, async () => {
    const data = await inHandler({ body, type: urlencoded }, (c) => c.formData());
    assertEquals([...data], entries);
  });
}

const types: readonly string[] = [
  urlencoded,
  "Application/X-WWW-Form-URLEncoded",
  `${urlencoded};charset=UTF-8`,
  `${urlencoded} ; charset="utf-8" ; x`,
];

for (const type of types) {
  Deno.test(`c.form reads ${type}`, async () => {
    assertEquals(await inHandler({ body: "a=1", type }, (c) => c.form("a")), "1");
  });
}

Deno.test("c.form returns the first value, and undefined for an absent field", async () => {
  await inHandler({ body: "a=1&a=2", type: urlencoded }, async (c) => {
    assertEquals([await c.form("a"), await c.form("b")], ["1", undefined]);
  });
});

const latin1: readonly [body: string, want: string | number][] = [
  ["a=x+y", "x y"],
  ["a=caf%E9%20%80", "café €"],
  ["%61=%e9", "é"],
  ["a=%E9%", 400],
  ["a=%zz", 400],
  ["a=é", 400],
];

for (const [body, want] of latin1) {
  for (const charset of ["ISO-8859-1", "windows-1252"]) {
    Deno.test(`c.form of "${body}" in ${charset} is ${want}`, async () => {
      await inHandler({ body, type: `${urlencoded}; charset=${charset}` }, async (c) => {
        assertEquals((await c.formErr())?.status ?? await c.form("a"), want);
      });
    });
  }
}

Deno.test("c.form in ISO-8859-1 creates no decoder per escape", async () => {
  const Decoder = globalThis.TextDecoder;
  let made = 0;
  globalThis.TextDecoder = class extends Decoder {
    constructor(...options: ConstructorParameters<typeof Decoder>) {
      super(...options);
      made++;
    }
  };
  try {
    const given = { body: `a=${"%E9".repeat(100)}`, type: `${urlencoded}; charset=iso-8859-1` };
    assertEquals(await inHandler(given, (c) => c.form("a")), "é".repeat(100));
  } finally {
    globalThis.TextDecoder = Decoder;
  }
  assert(made < 10, `${made} decoders`);
});

Deno.test("c.form of a GET reads the query", async () => {
  const given: Case = { method: "GET", body: null, path: "/?q=a+b&q=c#d=e" };
  assertEquals(await inHandler(given, (c) => c.form("q")), "a b");
});

Deno.test("c.form of a request without a body returns undefined", async () => {
  assertEquals(await inHandler({ body: null }, (c) => c.form("a")), undefined);
});

const errors: readonly [name: string, given: Case, status: number, code: string][] = [
  ["a malformed form", { body: "a=%", type: urlencoded }, 400, "invalid_form"],
  ["another type", { body: "{}", type: "application/json" }, 415, "unsupported_media_type"],
  [
    "a form over the limit",
    { body: "a=123", type: urlencoded, settings: { maxBodyBytes: 4 } },
    413,
    "body_too_large",
  ],
];

for (const [name, given, status, code] of errors) {
  Deno.test(`c.formErr returns what c.form throws: ${name}`, async () => {
    await inHandler(given, async (c) => {
      const error = await c.formErr();
      assertEquals([error?.status, error?.code], [status, code]);
      assertEquals(await assertRejects(() => c.form("a"), HttpError), error);
    });
  });
}

Deno.test("c.formErr returns undefined for a valid form", async () => {
  assertEquals(await inHandler({ body: "a=1", type: urlencoded }, (c) => c.formErr()), undefined);
});

Deno.test("a 415 lists the accepted types", async () => {
  const error = await inHandler({ body: "x", type: "text/csv" }, (c) => c.formErr());
  assertEquals(error?.headers["accept"], `${urlencoded}, multipart/form-data`);
});

const Person = struct({ name: text("required"), age: int(), tags: texts() });

Deno.test("form, formData, bind, tryBind and file share one parse", async () => {
  const data = new FormData();
  data.append("name", "Ada");
  data.append("age", "36");
  data.append("f", new File(["x"], "x.txt"));
  await inHandler({ body: data }, async (c) => {
    assertEquals(await c.form("name"), "Ada");
    assertEquals(await c.bind(Person), { name: "Ada", age: 36, tags: [] });
    assert((await c.tryBind(Person)).ok);
    assertEquals((await c.file("f")).name, "x.txt");
    assertEquals([...(await c.formData()).keys()], ["name", "age", "f"]);
  });
});

for (const headers of [{}, { "content-length": "8" }]) {
  Deno.test(`c.request.formData and c.form share one parse, ${JSON.stringify(headers)}`, async () => {
    const given: Case = { body: "name=Ada", type: urlencoded, headers };
    await inHandler(given, async (c) => {
      assertEquals((await c.request.formData()).get("name"), "Ada");
      assertEquals(await c.form("name"), "Ada");
    });
    await inHandler(given, async (c) => {
      assertEquals(await c.form("name"), "Ada");
      assertEquals((await c.request.formData()).get("name"), "Ada");
    });
  });
}

Deno.test("c.formData returns a new object each time", async () => {
  await inHandler({ body: "a=1", type: urlencoded }, async (c) => {
    (await c.formData()).append("a", "2");
    assertEquals((await c.formData()).getAll("a"), ["1"]);
  });
});

const reads: readonly [name: string, first: string, second: string][] = [
  ["form", "c.form", "c.request.text()"],
  ["bindJson", "c.bindJson", "c.request.text()"],
];

for (const [name, first, second] of reads) {
  Deno.test(`a read after c.${name} throws and names it`, async () => {
    const isForm = name === "form";
    const given: Case = {
      body: isForm ? "name=a" : '{"name":"a"}',
      type: isForm ? urlencoded : "application/json",
      headers: { "content-length": isForm ? "6" : "12" },
    };
    await inHandler(given, async (c) => {
      if (isForm) await c.form("name");
      else await c.bindJson(Person);
      const error = await assertRejects(() => c.request.text(), TypeError);
      assertStringIncludes(error.message, `with ${second}: ${first} has read it already`);
    });
  });
}

for (const read of ["text", "bytes", "arrayBuffer", "blob"] as const) {
  Deno.test(`a read after c.request.${read} throws and names it`, async () => {
    const given: Case = { body: "a=1", type: urlencoded, headers: { "content-length": "3" } };
    await inHandler(given, async (c) => {
      await c.request[read]();
      const error = await assertRejects(() => c.form("a"), TypeError);
      assertStringIncludes(error.message, `c.request.${read}() has read it already`);
    });
  });
}

Deno.test("c.request reads the body for any method", async () => {
  const given = (body: string): Case => ({
    body,
    type: urlencoded,
    headers: { "content-length": String(body.length) },
  });
  assertEquals(await inHandler(given("a=1"), (c) => c.request.text()), "a=1");
  assertEquals(await inHandler(given("[1]"), (c) => c.request.json()), [1]);
  assertEquals([...await inHandler(given("a=1"), (c) => c.request.formData())], [["a", "1"]]);
  const blob = await inHandler(given("a=1"), (c) => c.request.blob());
  assertEquals([blob.type, await blob.text()], [urlencoded, "a=1"]);
  assertEquals((await inHandler(given("a=1"), (c) => c.request.arrayBuffer())).byteLength, 3);
  assertEquals(await inHandler({ body: "a=1" }, (c) => c.request.text()), "a=1");
});

const copied = [["text", "{", "{"], ["json", "[1]", [1]], ["formData", "a=1", "1"]] as const;
for (const [read, body, expected] of copied) {
  for (const isChunked of [false, true]) {
    const by = isChunked ? ", chunked" : "";
    Deno.test(`c.request.clone().${read}() leaves the original readable${by}`, async () => {
      const headers = isChunked ? {} : { "content-length": String(body.length) };
      await inHandler({ body, type: urlencoded, headers }, async (c) => {
        const copy = c.request.clone();
        for (const request of [copy.clone(), copy, c.request]) {
          const value = await request[read]();
          assertEquals(value instanceof FormData ? value.get("a") : value, expected);
        }
      });
    });
  }
}

type Faulty = Case & { readonly body: string };
const faults: readonly [name: string, given: Faulty, read: "json" | "formData", code: string][] = [
  ["malformed JSON", { body: "{", type: "application/json" }, "json", "invalid_json"],
  ["no JSON", { body: "", type: "application/json" }, "json", "invalid_json"],
  ["another type", { body: "{}", type: "application/json" }, "formData", "unsupported_media_type"],
  ["no form", { body: "", type: "text/plain" }, "formData", "unsupported_media_type"],
  ["cut off", { body: "--b", type: "multipart/form-data; boundary=b" }, "formData", "invalid_form"],
];
for (const [name, given, read, code] of faults) {
  for (const isChunked of [false, true]) {
    const by = isChunked ? ", chunked" : "";
    Deno.test(`c.request.${read} of ${name}${by} is a client error: ${code}`, async () => {
      const headers = isChunked ? {} : { "content-length": String(given.body.length) };
      await inHandler({ ...given, headers }, async (c) => {
        const copy = c.request.clone();
        for (const request of [copy.clone(), copy, c.request]) {
          const error = await assertRejects(() => request[read](), HttpError);
          assertEquals([error.code, error.status < 500], [code, true]);
        }
      });
    });
  }
}

Deno.test("c.request returns the same object on every access", async () => {
  for (const headers of [{}, { "content-length": "3" }]) {
    await inHandler({ body: "a=1", headers }, (c) => assertEquals(c.request, c.request));
  }
});

Deno.test("an assigned request replaces the first one, with the same limit", async () => {
  await inHandler({ body: "a=1", type: urlencoded }, async (c) => {
    assertEquals(await c.form("a"), "1");
    const body = new URLSearchParams({ a: "2" });
    const other = new Request("http://localhost/other?x=1", { method: "POST", body });
    c.request = other;
    assertEquals([c.request, c.url.pathname], [other, "/other"]);
    assertEquals(await c.form("a"), "2");
    const a = "a".repeat(2_000_000);
    c.request = new Request(other.url, { method: "POST", body: new URLSearchParams({ a }) });
    assertEquals((await c.formErr())?.status, 413);
  });
});

Deno.test("c.bind of a form throws messages keyed by field", async () => {
  await inHandler({ body: "age=x", type: urlencoded }, async (c) => {
    const error = await assertRejects(() => c.bind(Person), FieldErrors);
    const want = { ...error.fields, name: "is required", age: "must be a whole number" };
    assertEquals(error.fields, want);
  });
});

Deno.test("c.tryBind of a form returns the submitted values", async () => {
  await inHandler({ body: "name=Ada&age=x", type: urlencoded }, async (c) => {
    const { ok, value, errors, text } = await c.tryBind(Person);
    const found = [ok, value, errors.has("age"), text("age")];
    assertEquals(found, [false, { name: "Ada", tags: [] }, true, "x"]);
  });
});
