/** Compression over a real socket: `config.compress`. */
import { App, type Ctx, type Settings } from "../../../mod.ts";
import { assertEquals, assertMatch } from "@std/assert";
import { get, type IncomingHttpHeaders } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import * as h from "../../../html/mod.ts";
import { listen, type Listening, listenSettings } from "../../security/raw_client.ts";
import { routeOf } from "../../routes.ts";
import { newFolder } from "../../new_folder.ts";

const text = "<p>The swifts are back over the roofs.</p>".repeat(100);

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
}

/** Sends a request and does not decompress the response. */
function ask(
  server: Listening,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { hostname, port } = server;
  const request = get({ hostname, port, path, headers, method, agent: false }, (response) => {
    const pieces: Uint8Array[] = [];
    response.on("data", (piece) => pieces.push(piece));
    response.on("error", reject);
    response.on("end", () => {
      const body = new Uint8Array(pieces.flatMap((piece) => [...piece]));
      resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
    });
  });
  request.on("error", reject);
  return promise;
}

function compressApp(settings: Settings): App {
  const app = new App(settings);
  const tagged = (c: Ctx): Response | undefined => {
    const tag = c.query("tag") || "v1";
    return c.etag(tag) ? undefined : c.text(200, text);
  };
  app.route({ pattern: "/page", page: () => h.main(h.p(text)) });
  app.route({ pattern: "/json", methods: { GET: (c) => c.json(200, { text }) } });
  app.route({ pattern: "/small", methods: { GET: (c) => c.text(200, "small") } });
  app.route({ pattern: "/tagged", methods: { GET: tagged } });
  app.route(routeOf("GET", "/kept", (c) => {
    c.cacheControl("public, max-age=60, no-transform");
    return c.text(200, text);
  }));
  app.route(routeOf("GET", "/events", (c) => c.stream(async (s) => void await s.send(text, "1"))));
  return app;
}

async function withServer(
  settings: Settings,
  test: (server: Listening) => Promise<void>,
): Promise<void> {
  const lines: string[] = [];
  await using folder = await newFolder();
  await Deno.writeTextFile(`${folder.path}/big.css`, "p { color: #123 }\n".repeat(200));
  await Deno.writeTextFile(`${folder.path}/some.css`, "p { color: #123 }\n".repeat(20));
  const app = compressApp({ ...listenSettings(lines), public: folder.path, ...settings });
  await using server = await listen(app, lines);
  await test(server);
}

const both = { "accept-encoding": "gzip, deflate, br" };

Deno.test("compress: sends text with brotli or gzip if the client accepts it", () =>
  withServer({}, async (server) => {
    const rows: readonly [path: string, accepted: string, coding: string | undefined][] = [
      ["/page", "gzip, deflate, br", "br"],
      ["/json", "gzip, deflate, br", "br"],
      ["/page", "gzip", "gzip"],
      ["/page", "gzip;q=0", undefined],
      ["/page", "identity", undefined],
      ["/small", "gzip, deflate, br", undefined],
      ["/kept", "gzip, deflate, br", undefined],
      ["/events", "gzip, deflate, br", undefined],
      ["/none", "gzip, deflate, br", "br"],
    ];
    for (const [path, accepted, coding] of rows) {
      const { headers, body } = await ask(server, path, { "accept-encoding": accepted });
      assertEquals(headers["content-encoding"], coding, `${path} ${accepted}`);
      if (coding === undefined) continue;
      assertMatch(String(headers.vary), /accept-encoding/i, path);
      const plain = coding === "br" ? brotliDecompressSync(body) : gunzipSync(body);
      const { body: uncoded } = await ask(server, path);
      const nonce = /nonce-[^']+|nonce="[^"]+"|[a-z0-9-]{36}/g;
      const decode = (bytes: Uint8Array): string =>
        new TextDecoder().decode(bytes).replace(nonce, "");
      assertEquals(decode(plain), decode(uncoded), path);
    }
    const bare = await ask(server, "/page");
    assertEquals(bare.headers["content-encoding"], undefined);
  }));

Deno.test("compress: does nothing if it is off, and under node:http", async () => {
  for (const settings of [{ compress: false }, { listener: "node" }] as const) {
    await withServer(settings, async (server) => {
      for (const path of ["/page", "/json", "/tagged"] as const) {
        const { headers } = await ask(server, path, both);
        assertEquals([headers["content-encoding"], headers.vary], [
          undefined,
          // A proxy may compress a response that a cache behind it stores.
          { "/page": "FW-Fragment", "/json": undefined, "/tagged": "Accept-Encoding" }[path],
        ], path);
      }
    });
  }
});

Deno.test("compress: a 304 has the tag and the Vary of the client's 200", () =>
  withServer({}, async (server) => {
    for (const path of ["/tagged", "/tagged?tag=W/%22w%22", "/some.css", "/big.css"]) {
      for (const accepted of ["gzip", "br", "identity"]) {
        const asked = { "accept-encoding": accepted };
        const whole = await ask(server, path, asked);
        const { etag = "", vary } = whole.headers;
        assertEquals(whole.status, 200);
        const again = await ask(server, path, { ...asked, "if-none-match": etag });
        assertEquals(again.status, 304, `${path} ${accepted} ${etag}`);
        assertEquals(again.headers.etag, etag, `${path} ${accepted}`);
        const isCoded = whole.headers["content-encoding"] !== undefined;
        if (isCoded) assertEquals(again.headers.vary, vary, `${path} ${accepted}`);
        const other = await ask(server, path, { ...asked, "if-none-match": '"other"' });
        assertEquals(other.status, 200);
      }
    }
  }));
