import { assertEquals } from "@std/assert";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Route } from "../../../mod.ts";
import { testRequest, withHeader } from "../../../runtime/testing/mod.ts";
import { newSite } from "../app/support.ts";
import { serveLocal } from "../../serve_local.ts";

const text = '{"name":"São Paulo"}'.repeat(100);
const coded = { gzip: gzipSync(text), br: brotliCompressSync(text), deflate: deflateSync(text) };
type Coding = keyof typeof coded;

/** Compresses its bodies, like most servers on the internet. */
function answerCoded(request: Request): Response {
  const coding = new URL(request.url).pathname.slice(1) as Coding;
  const headers = { "content-encoding": coding, "content-type": "application/json" };
  const status = request.headers.has("range") ? 206 : 200;
  return new Response(Uint8Array.from(coded[coding]), { status, headers });
}

const range = { range: "bytes=0-" };
const rows: readonly [
  name: string,
  coding: Coding,
  headers: Readonly<Record<"sent" | "forwarded", HeadersInit>>,
  isKept: boolean,
][] = [
  ["gzip", "gzip", { sent: {}, forwarded: {} }, false],
  ["br", "br", { sent: {}, forwarded: {} }, false],
  ["deflate, which fetch does not decode", "deflate", { sent: {}, forwarded: {} }, true],
  ["a range, which fetch does not decode", "gzip", { sent: range, forwarded: range }, true],
  ["a range set by the handler only", "gzip", { sent: {}, forwarded: range }, true],
  ["a range requested by the client only", "gzip", { sent: range, forwarded: {} }, false],
];

const copying: Pick<Route, "middleware"> = {
  middleware: [{
    Middleware: async (_c, next) => {
      const inner = await next();
      return new Response(inner.body, inner);
    },
  }],
};

for (const [name, coding, headers, isKept] of rows) {
  for (const more of [{}, copying]) {
    const by = more === copying ? ", copied by a middleware" : "";
    Deno.test(`a response of fetch is sent with the headers of its body: ${name}${by}`, async () => {
      await using upstream = serveLocal(answerCoded);
      const GET = (): Promise<Response> =>
        fetch(`${upstream.origin}/${coding}`, { headers: headers.forwarded });
      const options = Object.entries(headers.sent).map(([at, value]) => withHeader(at, value));
      const { app } = newSite([{ pattern: "/", methods: { GET }, ...more }]);
      const response = await testRequest(app, "GET", "/", ...options);
      assertEquals(response.bytes, isKept ? Uint8Array.from(coded[coding]) : bytesOf(text));
      response.wantHeader("x-content-type-options", "nosniff");
      const { length } = coded[coding];
      const described = ["content-encoding", "content-length"].map((at) => response.header(at));
      assertEquals(described, isKept ? [coding, String(length)] : [undefined, undefined]);
    });
  }
}

Deno.test("a response that the handler codes itself keeps its headers", async () => {
  const headers = { "content-encoding": "gzip" };
  const GET = (): Response => new Response(Uint8Array.from(coded.gzip), { headers });
  const response = await testRequest(newSite([{ pattern: "/", methods: { GET } }]).app, "GET", "/");
  assertEquals(response.header("content-encoding"), "gzip");
});

function bytesOf(given: string): Uint8Array {
  return new TextEncoder().encode(given);
}
