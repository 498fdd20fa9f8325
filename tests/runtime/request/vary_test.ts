import { assertEquals } from "@std/assert";
import type { Ctx } from "../../../mod.ts";
import * as h from "../../../html/mod.ts";
import { newSite, routeOf } from "../app/support.ts";

const rows: readonly (readonly [path: string, status: number, vary: string | null])[] = [
  ["/kept", 303, "FW-Fragment"],
  ["/own", 302, "FW-Fragment"],
  ["/moved", 301, "FW-Fragment"],
  ["/moved/", 301, "FW-Fragment"],
  ["/passing", 303, null],
  ["/unkept", 303, null],
];

for (const [path, status, want] of rows) {
  Deno.test(`the redirect ${status} of a route ${path} varies by ${want}`, async () => {
    const { app } = newSite([
      routeOf("GET", "/kept", (c) => {
        c.cacheControl("public, max-age=60");
        return c.redirect("/");
      }),
      routeOf("GET", "/unkept", (c) => {
        c.cacheControl("no-store");
        return c.redirect("/");
      }),
      routeOf("GET", "/own", () =>
        new Response(null, {
          status: 302,
          headers: { location: "/", "cache-control": "max-age=60" },
        })),
      { pattern: "/moved", methods: { GET: (c) => c.redirect("/", 301) } },
      { pattern: "/passing", methods: { GET: (c) => c.redirect("/") } },
    ]);
    const response = await app.fetch(new Request(`http://localhost${path}`));
    assertEquals([response.status, response.headers.get("vary")], [status, want]);
  });
}

const text = { "content-type": "text/css" };
const kept = { "cache-control": "public, max-age=60" };
const coded: readonly (readonly [name: string, headers: Record<string, string>, vary: boolean])[] =
  [
    ["without a policy", text, false],
    ["public", { ...text, ...kept }, true],
    ["with a tag", { ...text, etag: '"1"' }, true],
    ["with a date", { ...text, "last-modified": new Date(0).toUTCString() }, true],
    ["JSON of a vendor", { ...kept, "content-type": "application/vnd.a2+json" }, true],
    ["WebAssembly", { ...kept, "content-type": "application/wasm" }, true],
    ["a font", { ...kept, "content-type": "Font/TTF" }, true],
    ["a form", { ...kept, "content-type": "application/x-www-form-urlencoded; a=b" }, true],
    ["a font that is compressed", { ...kept, "content-type": "font/woff2" }, false],
    ["no-store in a quoted string", { ...text, "cache-control": 'max-age=1, a="no-store"' }, true],
    ["public in a quoted string", { ...text, "cache-control": 'a="public, b"' }, false],
    ["an image", { ...kept, "content-type": "image/png" }, false],
    ["no-store", { ...text, etag: '"1"', "cache-control": "no-store" }, false],
    ["no-transform", { ...text, "cache-control": "public, no-transform" }, false],
    ["compressed", { ...text, ...kept, "content-encoding": "br" }, false],
  ];

for (const [name, headers, vary] of coded) {
  Deno.test(`a response ${vary ? "varies" : "does not vary"} by Accept-Encoding: ${name}`, async () => {
    const pairs = Object.entries(headers);
    const { app } = newSite([
      { pattern: "/foreign", methods: { GET: () => new Response("a", { headers }) } },
      routeOf("GET", "/own", (c) => {
        for (const [key, value] of pairs) c.header(key, value);
        return c.text(200, "a");
      }),
      routeOf("GET", "/changed", (c) => {
        const response = c.text(200, "a");
        for (const [key, value] of pairs) response.headers.set(key, value);
        return response;
      }),
    ]);
    for (const path of ["/foreign", "/own", "/changed"]) {
      const response = await app.fetch(new Request(`http://localhost${path}`));
      assertEquals(response.headers.get("vary"), vary ? "Accept-Encoding" : null, path);
    }
  });
}

const readers: readonly (readonly [control: string, read: (c: Ctx) => unknown, vary: boolean])[] = [
  ["public, max-age=60", (c) => c.cookie("seen"), true],
  ["private, max-age=60", (c) => c.cookie("seen"), true],
  ["public, max-age=60", (c) => c.query("seen"), false],
  // No cache keeps these, so no header is spent on them.
  ["no-store", (c) => c.cookie("seen"), false],
  ["", (c) => c.cookie("seen"), false],
];

for (const [control, read, vary] of readers) {
  Deno.test(`a response with "${control}" ${vary ? "varies" : "does not vary"} by cookies: ${read}`, async () => {
    const { app } = newSite([
      routeOf("GET", "/own", (c) => (read(c), c.cacheControl(control), c.text(200, "a"))),
      routeOf("GET", "/foreign", (c) => {
        read(c);
        return new Response(null, { headers: { "cache-control": control } });
      }),
      { pattern: "/page", page: (c) => (c.cacheControl(control), read(c), h.p("a")) },
      routeOf("GET", "/changed", (c) => {
        read(c);
        const response = c.text(200, "a");
        response.headers.set("cache-control", control);
        return response;
      }),
    ]);
    for (const cookie of ["", "seen=1"]) {
      for (const path of ["/own", "/foreign", "/page", "/changed"]) {
        const request = new Request(`http://localhost${path}`, { headers: { cookie } });
        const { headers } = await app.fetch(request);
        assertEquals(/\bCookie\b/.test(headers.get("vary") ?? ""), vary, path);
      }
    }
  });
}
