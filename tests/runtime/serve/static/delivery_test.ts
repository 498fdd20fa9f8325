import { assert, assertEquals, assertRejects } from "@std/assert";
import { join, toFileUrl } from "@std/path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import type { Ctx, Env, FileSource, Settings } from "../../../../mod.ts";
import { until } from "../../../until.ts";
import { longText, openSite, writeFile } from "./site.ts";
import { peer } from "../../peer.ts";
import { serveLocal } from "../../../serve_local.ts";

const both: readonly Env[] = ["prod", "dev"];
const revalidated = "public, max-age=0, must-revalidate";
const year = "public, max-age=31536000, immutable";

for (const env of both) {
  Deno.test(`a file has validators, type, length and nosniff, and HEAD the same (${env})`, async () => {
    await using site = await openSite({ "a.css": longText }, { env });
    const get = await site.ask("/a.css");
    const head = await site.ask("/a.css", {}, "HEAD");
    assertEquals([get.status, get.text, head.status, head.text], [200, longText, 200, ""]);
    assertEquals([...head.headers], [...get.headers]);
    assertEquals(get.headers.get("content-length"), String(longText.length));
    assertEquals(get.headers.get("content-type"), "text/css; charset=utf-8");
    assertEquals(get.headers.get("x-content-type-options"), "nosniff");
    assertEquals(get.headers.get("cache-control"), env === "dev" ? "no-cache" : revalidated);
    assert(/^"[\w-]{12}"$/.test(get.headers.get("etag") ?? ""));
    assert(Date.parse(get.headers.get("last-modified") ?? "") > 0);
  });

  Deno.test(`the type of a file by its extension (${env})`, async () => {
    const types = {
      "a.js": "text/javascript; charset=utf-8",
      "a.html": "text/html; charset=utf-8",
      "a.txt": "text/plain; charset=utf-8",
      a: "application/octet-stream",
      ".well-known/apple-app-site-association": "application/json",
    };
    await using site = await openSite(types, { env });
    for (const [path, type] of Object.entries(types)) {
      assertEquals((await site.ask(`/${path}`)).headers.get("content-type"), type);
    }
  });

  Deno.test(`asset: uses the ETag as the fingerprint and makes production responses immutable (${env})`, async () => {
    await using site = await openSite({ "img/a b%#?.css": longText }, { env });
    const { text: url } = await site.ask("/asset/img/a%20b%25%23%3F.css");
    const [path, fingerprint] = url.split("?v=");
    assertEquals(path, "/img/a%20b%25%23%3F.css");
    const { status, headers } = await site.ask(url);
    assertEquals([status, headers.get("etag")], [200, `"${fingerprint}"`]);
    assertEquals(headers.get("cache-control"), env === "dev" ? "no-cache" : year);
    const more = await site.ask(`${url.replace("?", "?x=1&")}&y=2`);
    assertEquals(more.headers.get("cache-control"), env === "dev" ? "no-cache" : year);
    for (const none of ["/.env", "/no"]) assertEquals((await site.ask(`/asset${none}`)).text, none);
  });

  Deno.test(`a change is noticed in development, and in production after a restart (${env})`, async () => {
    const files = { "a.txt": "one", "big.txt": "x".repeat(200_000) };
    await using site = await openSite(files, { env });
    assertEquals((await site.ask("/a.txt")).text, "one");
    await writeFile(join(site.folder, "a.txt"), "other");
    await writeFile(join(site.folder, "b.txt"), "new");
    assertEquals((await site.ask("/a.txt")).text, env === "dev" ? "other" : "one");
    assertEquals((await site.ask("/b.txt")).status, env === "dev" ? 200 : 404);
    await Deno.remove(join(site.folder, "big.txt"));
    assertEquals((await site.ask("/big.txt")).status, 404);
    assert(!site.lines.join("").includes("handler failed"));
  });

  Deno.test(`links inside the folder are followed, and loops end (${env})`, async () => {
    await using site = await openSite({ "a/x.txt": "x" }, { env });
    await Deno.symlink("a", join(site.folder, "b"));
    await Deno.symlink("../a", join(site.folder, "a/loop"));
    await Deno.symlink("a/x.txt", join(site.folder, "y.txt"));
    for (const path of ["/a/x.txt", "/b/x.txt", "/y.txt"]) {
      assertEquals((await site.ask(path)).text, "x", path);
    }
  });
}

/** A condition and its status for a file of 1 January 2020 with the tag `{tag}`. */
const conditions: readonly [headers: Record<string, string>, status: number][] = [
  [{ "if-none-match": "{tag}" }, 304],
  [{ "if-none-match": "W/{tag}" }, 304],
  [{ "if-modified-since": "Wed, 01 Jan 2020 00:00:00 GMT" }, 304],
  [{ "if-match": '"a"' }, 412],
  [{ range: "bytes=0-1", "if-none-match": "{tag}" }, 304],
  [{ range: "bytes=0-1", "if-range": "{tag}" }, 206],
  [{ range: "bytes=0-1", "if-range": "Wed, 01 Jan 2020 00:00:00 GMT" }, 206],
  [{ range: "bytes=0-1", "if-range": '"a"' }, 200],
];

for (const [sent, status] of conditions) {
  Deno.test(`conditions: ${JSON.stringify(sent)} is ${status}`, async () => {
    await using site = await openSite({ "a.txt": "hello" }, { env: "dev" });
    const date = new Date("2020-01-01T00:00:00.500Z");
    await Deno.utime(join(site.folder, "a.txt"), date, date);
    const tag = (await site.ask("/a.txt")).headers.get("etag") ?? "";
    const headers = Object.fromEntries(
      Object.entries(sent).map(([name, value]) => [name, value.replace("{tag}", tag)]),
    );
    for (const method of sent["range"] === undefined ? ["GET", "HEAD"] : ["GET"]) {
      const answer = await site.ask("/a.txt", headers, method);
      assertEquals(answer.status, status);
      if (status !== 304) continue;
      const held = sent["if-none-match"]?.startsWith("W/") ? `W/${tag}` : tag;
      assertEquals([answer.text, answer.headers.get("etag")], ["", held]);
      assertEquals(answer.headers.get("content-length"), null);
      assertEquals(answer.headers.get("cache-control"), "no-cache");
    }
  });
}

/** A range of 1,000 bytes, and of 300,000 uncached ones: first and last byte, or the status. */
const ranges: [range: string, of: (size: number) => readonly [number, number] | 200 | 416][] = [
  ["bytes=0-0", () => [0, 0]],
  ["bytes=10-19", () => [10, 19]],
  ["bytes=-10", (size) => [size - 10, size - 1]],
  ["bytes=0-1,5-6", () => 200],
  ["bytes=999999-", () => 416],
];

for (const [range, of] of ranges) {
  Deno.test(`Range: ${range}, cached and read from the disk, in both environments`, async () => {
    for (const env of both) {
      for (const size of [1_000, 300_000]) {
        const content = Uint8Array.from({ length: size }, (_, index) => index * 7 + (index >> 8));
        await using site = await openSite({ "a.bin": content }, { env });
        const { status, headers, bytes } = await site.ask("/a.bin", { range });
        const want = of(size);
        if (typeof want === "number") {
          assertEquals(status, want);
          const refused = want === 416 ? `bytes */${size}` : null;
          assertEquals(headers.get("content-range"), refused);
          assertEquals(bytes.length, want === 416 ? 0 : size);
          continue;
        }
        const [first, last] = want;
        assertEquals(status, 206);
        assertEquals(headers.get("content-range"), `bytes ${first}-${last}/${size}`);
        assertEquals(headers.get("content-length"), String(last - first + 1));
        assertEquals(bytes, content.slice(first, last + 1));
      }
    }
  });
}

const codings: readonly [accept: string | undefined, coding: string | null][] = [
  [undefined, null],
  ["gzip", "gzip"],
  ["gzip, deflate, br, zstd", "br"],
  ["br;q=0.5, gzip", "gzip"],
  ["*", "br"],
  ["br;q=0, *", "gzip"],
  ["identity", null],
  ["identity, gzip;q=0.5", null],
  ["x-gzip", "gzip"],
  ["deflate", null],
  ["brx, gzipped", null],
  ["br;q=x", null],
  [",,;,", null],
];

for (const [accept, coding] of codings) {
  Deno.test(`Accept-Encoding: ${accept} results in ${coding ?? "the file as it is"}`, async () => {
    await using site = await openSite({ "a.css": longText, "b.png": longText, "c.css": "short" });
    const headers = accept === undefined ? {} : { "accept-encoding": accept };
    for (const _ of ["first", "again"]) {
      const answer = await site.ask("/a.css", headers);
      assertEquals(answer.headers.get("content-encoding"), coding);
      assertEquals(answer.headers.get("vary"), "Accept-Encoding");
      const decoded = coding === "br"
        ? brotliDecompressSync(answer.bytes)
        : coding === "gzip"
        ? gunzipSync(answer.bytes)
        : answer.bytes;
      assertEquals(new TextDecoder().decode(decoded), longText);
      const tag = answer.headers.get("etag") ?? "";
      assertEquals((await site.ask("/a.css", { ...headers, "if-none-match": tag })).status, 304);
      const own = (await site.ask("/a.css")).headers.get("etag");
      assertEquals(tag === own, coding === null, "each coding has a tag of its own");
      const head = await site.ask("/a.css", headers, "HEAD");
      assertEquals([...head.headers], [...answer.headers]);
    }
    for (const path of ["/b.png", "/c.css"]) {
      const plain = await site.ask(path, headers);
      assertEquals(plain.headers.get("content-encoding"), null);
      assertEquals(plain.headers.get("vary"), null);
    }
  });
}

Deno.test("a file that the listener compresses varies by Accept-Encoding", async () => {
  const names = ["a.wasm", "a.ttf", "a.otf", "a.bmp", "a.glb", "a.tar", "a.rtf", "short.css"];
  const files = Object.fromEntries([...names, "a.woff2"].map((name) => [name, "a".repeat(100)]));
  await using site = await openSite({ ...files, "big.css": "a".repeat(2_000_000) });
  for (const name of [...names, "big.css"]) {
    assertEquals((await site.ask(`/${name}`)).headers.get("vary"), "Accept-Encoding", name);
  }
  assertEquals((await site.ask("/a.woff2")).headers.get("vary"), null);
});

Deno.test("mounts: the longest prefix matches first, then shorter ones and public", async () => {
  await using site = await openSite(
    {
      "public/up/c.txt": "public",
      "public/up/a.txt": "hidden",
      "up/a.txt": "up",
      "up/deep/a.txt": "hidden",
      "up/deep/b.txt": "up deep",
      "deep/a.txt": "deep",
      "root/r.txt": "root",
    },
    (folder) => ({
      public: join(folder, "public"),
      mounts: {
        "/up": toFileUrl(join(folder, "up")),
        "/up/deep/": join(folder, "deep"),
        "/": join(folder, "root"),
      },
    }),
  );
  const cases = [
    ["/up/a.txt", "up"],
    ["/up/deep/a.txt", "deep"],
    ["/up/deep/b.txt", "up deep"],
    ["/up/c.txt", "public"],
    ["/r.txt", "root"],
  ] as const;
  for (const [path, text] of cases) assertEquals((await site.ask(path)).text, text, path);
  // Even in production, a mount is read for every request.
  await writeFile(join(site.folder, "up/new.txt"), "new");
  await writeFile(join(site.folder, "up/a.txt"), "changed");
  assertEquals((await site.ask("/up/new.txt")).text, "new");
  assertEquals((await site.ask("/up/a.txt")).text, "changed");
  await Deno.remove(join(site.folder, "up/a.txt"));
  assertEquals((await site.ask("/up/a.txt")).text, "hidden");
});

for (const env of both) {
  for (const pattern of ["/{name}", "/{path...}"]) {
    Deno.test(`a file wins over ${pattern}, never over a literal route, and is not logged (${env})`, async () => {
      await using site = await openSite({ "a.txt": "file", "b.txt": "file" }, { env });
      site.app.route({ pattern: "/a.txt", methods: { GET: (c) => c.text(200, "route") } });
      const answer = (c: Ctx): Response => c.text(200, "parameter");
      site.app.route({ pattern, methods: { GET: answer, POST: answer } });
      assertEquals([(await site.ask("/b.txt")).text, site.lines], ["file", []]);
      assertEquals((await site.ask("/a.txt")).text, "route");
      assertEquals((await site.ask("/c.txt")).text, "parameter");
      assertEquals((await site.ask("/b.txt", {}, "POST")).text, "parameter");
    });
  }
}

Deno.test("another method on a file gets 405, also from an asynchronous source", async () => {
  const source: FileSource = { get: (path) => Promise.resolve(fileOf(path)) };
  for (const from of [undefined, source]) {
    const settings: Settings = from === undefined ? {} : { public: from };
    await using site = await openSite({ "a.txt": "a" }, settings);
    const refused = await site.ask("/a.txt", {}, "DELETE");
    assertEquals([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"]);
    assertEquals((await site.ask("/b.txt", {}, "DELETE")).status, 404);
  }
});

for (const method of ["GET", "HEAD", "DELETE"]) {
  Deno.test(`a source that throws or rejects gets 500: ${method}`, async () => {
    const fails = (): never => {
      throw new Error("the disk is gone");
    };
    for (const get of [fails, () => Promise.reject(new Error("the disk is gone"))]) {
      await using site = await openSite({}, { public: { get } });
      assertEquals((await site.ask("/a.txt", {}, method)).status, 500);
    }
  });
}

function fileOf(path: string): ReturnType<FileSource["get"]> {
  const bytes = new TextEncoder().encode(longText);
  if (path !== "a.txt") return undefined;
  return { size: bytes.length, read: ({ start, end }) => bytes.slice(start, end) };
}

for (const env of both) {
  Deno.test(`a source, synchronous or not, with bytes or a stream: tag, range, compression (${env})`, async () => {
    const bytes = new TextEncoder().encode(longText);
    const asStream: FileSource = {
      get: (path) =>
        path === "a.txt"
          ? Promise.resolve({
            size: bytes.length,
            modifiedMs: 1_500_000_000_000,
            read: ({ start, end }) =>
              Promise.resolve(ReadableStream.from([bytes.slice(start, end)])),
          })
          : Promise.resolve(undefined),
    };
    for (const source of [{ get: fileOf }, asStream]) {
      await using site = await openSite({}, { env, public: source });
      const whole = await site.ask("/a.txt");
      assertEquals(whole.text, longText);
      const tag = whole.headers.get("etag") ?? "";
      assertEquals((await site.ask("/a.txt", { "if-none-match": tag })).status, 304);
      assertEquals((await site.ask("/a.txt", { range: "bytes=2-5" })).text, longText.slice(2, 6));
      const coded = await site.ask("/a.txt", { "accept-encoding": "gzip" });
      assertEquals(coded.headers.get("content-encoding"), env === "dev" ? null : "gzip");
      assertEquals((await site.ask("/b.txt")).status, 404);
    }
  });
}

Deno.test("staticCacheControl and staticHeaders: run once per form in production, with the name", async () => {
  const calls: string[] = [];
  await using site = await openSite({ "img/a b.txt": "a" }, {
    staticCacheControl: "public, max-age=60",
    staticHeaders: (name, headers) => {
      calls.push(name);
      headers.set("access-control-allow-origin", "*");
      if (headers.get("cache-control") === year) headers.set("x-year", "1");
    },
  });
  for (let times = 0; times < 3; times++) {
    const { headers } = await site.ask("/img/a%20b.txt");
    assertEquals(headers.get("cache-control"), "public, max-age=60");
    assertEquals(headers.get("access-control-allow-origin"), "*");
    const tag = headers.get("etag") ?? "";
    const unchanged = await site.ask("/img/a%20b.txt", { "if-none-match": tag });
    assertEquals(unchanged.headers.get("access-control-allow-origin"), "*");
  }
  assertEquals(calls, ["img/a b.txt"]);
  const { text: url } = await site.ask("/asset/img/a%20b.txt");
  assertEquals((await site.ask(url)).headers.get("x-year"), "1");
});

const refused: readonly [settings: Settings, message: string][] = [
  [{ mounts: { uploads: "." } }, 'Cannot mount static files at "uploads"'],
  [{ mounts: { "": "." } }, 'Cannot mount static files at ""'],
  [{ mounts: { "/a/../b": "." } }, 'Cannot mount static files at "/a/../b"'],
  [{ mounts: { "/a?b": "." } }, 'Cannot mount static files at "/a?b"'],
  [{ mounts: { "/a": ".", "/a/": "." } }, "the prefix is given twice"],
  [{ mounts: { "/a": "/nowhere/at/all" } }, "there is no such folder; create it"],
  [
    { mounts: { "/a": new URL("https://x.example/") } },
    "use a folder, a file: URL or a FileSource",
  ],
  [{ staticCacheControl: "a\nb" }, "Cannot set config.staticCacheControl"],
];

for (const [settings, message] of refused) {
  Deno.test(`boot refuses: ${message}`, async () => {
    await using site = await openSite({}, settings);
    await assertRejects(() => site.ask("/"), TypeError, message);
  });
}

Deno.test("large files are streamed, and a disconnect closes the file", async () => {
  await using site = await openSite({ "a.bin": new Uint8Array(20_000_000) });
  await using server = serveLocal(site.app.fetch);
  const before = countHandles(site.folder);
  for (const range of ["", "range: bytes=1-19999990\r\n"]) {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port: server.addr.port });
    const text = `GET /a.bin HTTP/1.1\r\nhost: localhost\r\n${range}\r\n`;
    await connection.write(new TextEncoder().encode(text));
    await connection.read(new Uint8Array(1_000));
    assert(countHandles(site.folder) > before, "the file is read while the client waits");
    connection.close();
    await until(() => countHandles(site.folder) === before);
  }
});

function countHandles(folder: string): number {
  let count = 0;
  for (const { name } of Deno.readDirSync("/proc/self/fd")) {
    try {
      if (Deno.readLinkSync(`/proc/self/fd/${name}`).startsWith(folder)) count++;
    } catch {
      // The open handle of this listing.
    }
  }
  return count;
}

/**
 * The other headers of a file's response over HTTP; over HTTPS there is one more, except for 304.
 */
const guarded: readonly (readonly [
  path: string,
  headers: Record<string, string>,
  status: number,
  want: readonly string[],
])[] = [
  ["/a.css", {}, 200, []],
  ["/a.css?v={tag}", {}, 200, []],
  ["/a.css", { range: "bytes=0-1" }, 206, []],
  ["/a.css", { range: "bytes=99999-" }, 416, []],
  ["/a.css", { "if-match": '"other"' }, 412, []],
  ["/a.css", { "if-none-match": "*" }, 304, []],
  ["/a.css", { "accept-encoding": "gzip" }, 200, []],
  ["/a.html", {}, 200, documentHeaders()],
  ["/a.html?v={tag}", {}, 200, documentHeaders()],
  ["/a.html", { range: "bytes=0-1" }, 206, documentHeaders()],
  ["/a.svg", {}, 200, documentHeaders()],
  ["/own.html", {}, 200, documentHeaders()],
];

function documentHeaders(): string[] {
  return [
    ..."content-security-policy cross-origin-opener-policy permissions-policy".split(" "),
    ..."referrer-policy x-frame-options".split(" "),
  ];
}

for (const env of both) {
  for (const [path, headers, status, want] of guarded) {
    const name = `${path} ${JSON.stringify(headers)}`;
    Deno.test(`security headers of a file by scheme: ${name} (${env})`, async () => {
      const names = ["a.css", "a.html", "a.svg", "own.html"];
      await using site = await openSite(
        Object.fromEntries(names.map((file) => [file, longText])),
        {
          env,
          trustedProxies: ["192.0.2.1"],
          staticHeaders: (file, own) => {
            if (file === "own.html") own.set("x-frame-options", "SAMEORIGIN");
          },
        },
      );
      const ask = async (scheme: string, target: string): Promise<Response> => {
        const request = new Request(`http://localhost${target}`, {
          headers: { ...headers, "x-forwarded-for": "192.0.2.9", "x-forwarded-proto": scheme },
        });
        const response = await site.app.fetch(request, peer("192.0.2.1"));
        await response.body?.cancel();
        return response;
      };
      const tag = (await ask("http", path)).headers.get("etag")?.replaceAll('"', "") ?? "";
      // Each scheme has its own headers, whichever was requested first.
      for (const scheme of ["http", "https", "http"]) {
        const response = await ask(scheme, path.replace("{tag}", tag));
        assertEquals(response.status, status);
        const found = guardHeaders.filter((header) => response.headers.has(header));
        const isTold = scheme === "https" && status !== 304;
        assertEquals(found.sort(), [...want, ...(isTold ? [transport] : [])].sort());
        if (status !== 412) assertEquals(response.headers.get("x-content-type-options"), "nosniff");
        if (path === "/own.html") {
          assertEquals(response.headers.get("x-frame-options"), "SAMEORIGIN");
        }
      }
    });
  }
}

const transport = "strict-transport-security";
const guardHeaders = [...documentHeaders(), transport];
