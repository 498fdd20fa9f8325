import {
  assert,
  assertEquals,
  assertInstanceOf,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { type Ctx, httpError, notFound, redirect, statusOf } from "../../../mod.ts";
import { parseHttpDate } from "../../../runtime/addon.ts";
import { newSite, routeOf, throwing } from "../app/support.ts";

/** Changes to the default request, and the expected validators of the response. */
interface Case {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly etag?: string | null;
  readonly modified?: string | null;
}

const date = new Date("2026-03-04T05:06:07.890Z");
const dateText = "Wed, 04 Mar 2026 05:06:07 GMT";
const ifNone = (value: string): Record<string, string> => ({ "if-none-match": value });
const ifSince = (value: string): Record<string, string> => ({ "if-modified-since": value });
const both = (c: Ctx): boolean => c.etag("v2") || c.lastModified(date);
const bothTurned = (c: Ctx): boolean => c.lastModified(date) || c.etag("v2");
const v1 = (c: Ctx): boolean => c.etag("v1");
const dated = (c: Ctx): boolean => c.lastModified(date);
const tagged = (value: string, etag: string | null): Case => ({ headers: ifNone(value), etag });
const since = (value: string): Case => ({ headers: ifSince(value), modified: dateText });
const two = (tag: string, value: string): Record<string, string> => ({
  ...ifNone(tag),
  ...ifSince(value),
});
const old = "Mon, 02 Mar 2020 05:06:07 GMT";
const of2: Case = { etag: '"v2"', modified: dateText };

const rows: readonly [string, declare: (c: Ctx) => boolean, status: 200 | 304, given: Case][] = [
  ["a request without a validator gets the page", v1, 200, { etag: '"v1"' }],
  ["an equal tag gets 304", v1, 304, tagged('"v1"', '"v1"')],
  ["HEAD gets 304 as GET does", v1, 304, { ...tagged('"v1"', '"v1"'), method: "HEAD" }],
  ["POST gets the header and never 304", v1, 200, { ...tagged('"v1"', '"v1"'), method: "POST" }],
  ["POST gets the date and never 304", dated, 200, { ...since(dateText), method: "POST" }],
  ["a different tag gets the page", (c) => c.etag("v2"), 200, tagged('"v1"', '"v2"')],
  ["a weak tag of the client equals the strong one", v1, 304, tagged('W/"v1"', 'W/"v1"')],
  ["a weak tag of the page equals it", (c) => c.etag('W/"v1"'), 304, tagged('"v1"', 'W/"v1"')],
  ["a quoted tag is used unchanged", (c) => c.etag('"v1"'), 304, tagged('"v1"', '"v1"')],
  ["any of a list matches", (c) => c.etag("v3"), 304, tagged('"v1", W/"v2" ,"v3"', '"v3"')],
  ["the last of 64 tags matches", v1, 304, tagged(`${'"x",'.repeat(63)}"v1"`, '"v1"')],
  ["a tag after 64 others is not read", v1, 200, tagged(`${'"x",'.repeat(64)}"v1"`, '"v1"')],
  ["a comma inside a tag does not split it", (c) => c.etag("b"), 200, tagged('"a,b"', '"b"')],
  ["a star matches any tag", v1, 304, tagged("*", '"v1"')],
  ["a tag without quotes is malformed and matches nothing", v1, 200, tagged("v1", '"v1"')],
  ["tags after a malformed item match nothing", v1, 200, tagged('"x"junk, "v1"', '"v1"')],
  ["an empty tag sets no header", (c) => c.etag(""), 200, tagged("*", null)],
  ["an absent tag sets no header", (c) => c.etag(undefined), 200, tagged("*", null)],
  ["the same second gets 304", dated, 304, since(dateText)],
  ["a later date of the client gets 304", dated, 304, since("Thu, 05 Mar 2026 05:06:07 GMT")],
  ["an older date of the client gets the page", dated, 200, since("Wed, 04 Mar 2026 05:06:06 GMT")],
  ["an invalid date is ignored", dated, 200, since("tomorrow")],
  ["an ISO date is not an HTTP date", dated, 200, since("2030-01-01T00:00:00Z")],
  ["the date of 1970 sets no header", (c) => c.lastModified(new Date(0)), 200, {
    headers: ifSince(dateText),
    modified: null,
  }],
  ["an invalid date sets no header", (c) => c.lastModified(new Date(NaN)), 200, {
    headers: ifSince(dateText),
    modified: null,
  }],
  ["both: an equal tag beats an old date", both, 304, { headers: two('"v2"', old), etag: '"v2"' }],
  ["both: another tag beats an equal date", both, 200, { ...of2, headers: two('"v1"', dateText) }],
  ["with both, the tag decides even if the date is declared first", bothTurned, 200, {
    ...of2,
    headers: two('"v1"', dateText),
  }],
  ["with both, an equal tag gets 304 even if the date is declared first", bothTurned, 304, {
    ...of2,
    headers: two('"v2"', old),
  }],
  ["both: the date decides if no tag was sent", both, 304, { ...of2, headers: ifSince(dateText) }],
  ["a 422 is never 304", (c) => (c.status(422), c.etag("v1")), 200, tagged('"v1"', '"v1"')],
];

for (const [name, declare, status, want] of rows) {
  Deno.test(`c.etag, c.lastModified: ${name}`, async () => {
    const handler = (c: Ctx): Response | undefined => declare(c) ? undefined : c.text(200, "whole");
    const { app } = newSite([{ pattern: "/", methods: { GET: handler, POST: handler } }]);
    const { method = "GET", headers = {} } = want;
    const response = await app.fetch(new Request("http://localhost/", { method, headers }));
    assertEquals(response.status, status);
    // A cache replaces the headers of its stored response by those of a 304.
    if (status === 304) assertEquals(response.headers.get("vary"), "Accept-Encoding");
    assertEquals(await response.text(), status === 200 && method !== "HEAD" ? "whole" : "");
    if (want.etag !== undefined) assertEquals(response.headers.get("etag"), want.etag);
    if (want.modified !== undefined) {
      assertEquals(response.headers.get("last-modified"), want.modified);
    }
  });
}

Deno.test("c.etag: a 304 has the other staged headers, and a second validator returns true", async () => {
  const seen: boolean[] = [];
  const { app } = newSite([routeOf("GET", "/", (c) => {
    c.cacheControl("private, max-age=60");
    c.header("vary", "accept-language");
    seen.push(c.etag("v1"), c.written, c.lastModified(date));
  })]);
  const response = await app.fetch(new Request("http://localhost/", { headers: ifNone('"v1"') }));
  const found = [response.status, response.headers.get("cache-control")];
  assertEquals([found, response.headers.get("content-type")], [[304, "private, max-age=60"], null]);
  assertStringIncludes(response.headers.get("vary") ?? "", "accept-language");
  assertEquals(seen, [true, true, true]);
});

Deno.test("c.lastModified: replaces a future date with the current one", async () => {
  const { app } = newSite([routeOf("GET", "/", (c) => {
    c.lastModified(new Date(Date.now() + 3_600_000));
    return c.text(200, "");
  })]);
  const response = await app.fetch(new Request("http://localhost/"));
  const sent = Date.parse(response.headers.get("last-modified") ?? "");
  assert(sent <= Date.now() && sent > Date.now() - 5_000);
});

const errors: readonly [error: unknown, declared: string, kept: string | null][] = [
  [new Error("x"), "public, max-age=60", "no-store"],
  [httpError(503, "x"), "private, max-age=60", "no-store"],
  [httpError(403, "x"), "public, max-age=60", "no-store"],
  [httpError(403, "x"), 'no-cache="set-cookie", max-age=60', "no-store"],
  [httpError(403, "x"), "private, no-store", "private, no-store"],
  [httpError(408, "x"), "s-maxage=60", "no-store"],
  [httpError(422, "x"), "public, max-age=3600", null],
  [redirect("/login"), "public, max-age=3600", null],
  [redirect("/login", 308), "private, max-age=3600", null],
  [redirect("/login"), "no-store", "no-store"],
  [new Error("x"), "private, no-cache", "private, no-cache"],
  [notFound(), "public, max-age=60", "public, max-age=60"],
  [httpError(410, "x"), "public, max-age=60", "public, max-age=60"],
  [
    httpError(503, "x", { headers: { "cache-control": "public, max-age=5" } }),
    "public, max-age=60",
    "public, max-age=5",
  ],
];

for (const [error, declared, kept] of errors) {
  Deno.test(`an error drops validators and reduces ${declared} to ${kept}: ${statusOf(error)}`, async () => {
    const { app } = newSite([routeOf("GET", "/", (c) => {
      c.cacheControl(declared);
      c.etag("v1");
      c.lastModified(date);
      for (const name of ["expires", "age", "cdn-cache-control", "surrogate-control"]) {
        c.header(name, "60");
      }
      throw error;
    })]);
    for (const headers of [{}, ifNone('"v1"')]) {
      const answer = await app.fetch(new Request("http://localhost/", { headers }));
      assertEquals([answer.status, answer.headers.get("cache-control")], [statusOf(error), kept]);
      const names = ["etag", "last-modified"];
      if (answer.status !== 404 && answer.status !== 410) {
        names.push("expires", "age", "cdn-cache-control", "surrogate-control");
      }
      for (const name of names) assertEquals(answer.headers.get(name), null, name);
    }
  });
}

const unkept: readonly (readonly [status: number, kept: string | null])[] = [
  ...[400, 404, 405, 413, 422].map((status) => [status, null] as const),
  ...[401, 403, 408, 429, 500, 501, 503].map((status) => [status, "no-store"] as const),
];

for (const [status, kept] of unkept) {
  Deno.test(`an error of status ${status} sends ${kept}, for a page or a route`, async () => {
    const fail = throwing(httpError(status, "x"));
    const methods = { GET: fail };
    const { app } = newSite([{ pattern: "/", methods }, { pattern: "/page", page: fail }]);
    // The framework's own page contains a nonce.
    for (const [path, want] of [["/", kept], ["/page", kept ?? "private"]] as const) {
      const answer = await app.fetch(new Request(`http://localhost${path}`));
      assertEquals([answer.status, answer.headers.get("cache-control")], [status, want]);
    }
  });
}

Deno.test("the application's error page may set its own Cache-Control, staged or on its response", async () => {
  const cases = [
    (c: Ctx) => {
      c.cacheControl("public, max-age=5");
      return c.text(503, "soon");
    },
    () => new Response("soon", { status: 503, headers: { "cache-control": "public, max-age=5" } }),
  ];
  for (const page of cases) {
    const { app } = newSite([{
      pattern: "/",
      page: (c) => {
        c.cacheControl("public, max-age=3600");
        throw httpError(503, "x");
      },
    }], { parts: { error: page } });
    const answer = await app.fetch(new Request("http://localhost/"));
    assertEquals(await answer.text(), "soon");
    assertEquals(answer.headers.get("cache-control"), "public, max-age=5");
  }
});

Deno.test("an error whose page also fails drops the staged Cache-Control", async () => {
  const { app } = newSite([{
    pattern: "/",
    page: (c) => {
      c.cacheControl("public, max-age=3600");
      throw httpError(404, "x");
    },
  }], { parts: { notFound: throwing(new Error("the page of the error")) } });
  const answer = await app.fetch(new Request("http://localhost/"));
  assertEquals([answer.status, answer.headers.get("cache-control")], [404, "private"]);
});

for (const tag of ["a b", 'a"b', "a\nb", "é", '"open', '"a"b"']) {
  Deno.test(`c.etag refuses ${JSON.stringify(tag)}`, async () => {
    await assertRefused((c) => c.etag(tag), "Cannot set the ETag");
  });
}

for (const value of ["max-age: 60", "max-age=", "no-store\r\nx: y", "public;max-age=1", ",", " "]) {
  Deno.test(`c.cacheControl refuses ${JSON.stringify(value)}`, async () => {
    await assertRefused((c) => c.cacheControl(value), "Cannot set Cache-Control");
  });
}

const values = [
  "no-store",
  "public, max-age=31536000, immutable",
  'no-cache="set-cookie", private',
  'private, community="UCI"',
  "max-age=60, stale-while-revalidate=30",
  'ext="a, b; c", public',
  "public,\tmax-age=60",
  "public\t , max-age=60",
  "no-store,, no-transform,",
  'ext="a\tb", public',
  'ext="caf\xe9 \\" \\\\", public',
];
for (const value of values) {
  Deno.test(`c.cacheControl accepts ${value}`, async () => {
    const { app } = newSite([routeOf("GET", "/", (c) => {
      c.cacheControl(value);
      return c.noContent();
    })]);
    const { headers } = await app.fetch(new Request("http://localhost/"));
    assertEquals(headers.get("cache-control"), value);
  });
}

async function assertRefused(declare: (c: Ctx) => unknown, message: string): Promise<void> {
  let thrown: unknown;
  const { app } = newSite([routeOf("GET", "/", (c) => {
    thrown = assertThrows(() => declare(c), TypeError, message);
    return c.noContent();
  })]);
  await app.fetch(new Request("http://localhost/"));
  assertInstanceOf(thrown, TypeError);
}

const ofToday = (time: string): string => `Sun, 06 Nov 1994 ${time} GMT`;
const ofRfc850 = (time: string): string => `Sunday, 06-Nov-94 ${time} GMT`;
const ofC = (time: string): string => `Sun Nov  6 ${time} 1994`;
const inputs: readonly (readonly [text: string | null, ms: number | undefined])[] = [
  ...[ofToday, ofRfc850, ofC].flatMap((form) => [
    [form("08:49:37"), 784_111_777_000] as const,
    ...["08:49:61", "08:49:99", "08:60:00", "24:00:00", "25:00:00", "23:59:61"]
      .map((time) => [form(time), undefined] as const),
  ]),
  ["Thu, 31 Dec 2026 23:59:60 GMT", Date.UTC(2027, 0, 1)],
  ["Tue, 31 Feb 2026 00:00:00 GMT", undefined],
  ["Tue, 00 Jan 2999 00:00:00 GMT", undefined],
  ["Xyz, 06 Nov 1994 08:49:37 GMT", undefined],
  ["Sun, 06 Nov 1994 08:49:37 +0100", undefined],
  ["Sun, 06 Foo 1994 08:49:37 GMT", undefined],
  ["Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT", undefined],
  ...["2999-01-01T00:00:00Z", "1 Jan 2999", "784111777", "", null]
    .map((text) => [text, undefined] as const),
];
for (const [text, want] of inputs) {
  Deno.test(`parseHttpDate: ${text} is ${want}`, () => assertEquals(parseHttpDate(text), want));
}
