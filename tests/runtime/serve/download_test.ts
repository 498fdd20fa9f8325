import { assertEquals, assertMatch } from "@std/assert";
import { App, createLogger } from "../../../mod.ts";
import type { Ctx, DownloadOptions, DownloadSource } from "../../../mod.ts";
import { routeOf } from "../app/support.ts";

const digits = new TextEncoder().encode("0123456789");
const tag = await tagOf(digits);

async function tagOf(source: DownloadSource): Promise<string> {
  return (await send(source)).headers.get("etag") ?? "";
}

function newApp(GET: (c: Ctx) => Promise<Response>): App {
  const app = new App({ logger: createLogger({ write: () => {} }) });
  app.route({ pattern: "/", methods: { GET } });
  return app;
}

function send(
  source: DownloadSource,
  { options, method = "GET", headers = {} }: {
    readonly options?: DownloadOptions;
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): Promise<Response> {
  const app = newApp((c) => c.download(source, options));
  return app.fetch(new Request("http://localhost/", { method, headers }));
}

const requests: readonly [
  name: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  status: number,
  body: string,
  length: string | null,
  range: string | null,
][] = [
  ["whole", "GET", {}, 200, "0123456789", "10", null],
  ["HEAD", "HEAD", {}, 200, "", "10", null],
  ["a range", "GET", { range: "bytes=2-4" }, 206, "234", "3", "bytes 2-4/10"],
  ["an open range", "GET", { range: "bytes=8-" }, 206, "89", "2", "bytes 8-9/10"],
  ["a range of the end", "GET", { range: "bytes=-3" }, 206, "789", "3", "bytes 7-9/10"],
  ["a range beyond the end", "GET", { range: "bytes=10-" }, 416, "", null, "bytes */10"],
  ["a malformed range", "GET", { range: "bytes=x" }, 416, "", null, "bytes */10"],
  ["several ranges", "GET", { range: "bytes=0-1,3-4" }, 200, "0123456789", "10", null],
  ["HEAD with a range", "HEAD", { range: "bytes=2-4" }, 200, "", "10", null],
  [
    "If-Range, the same",
    "GET",
    { range: "bytes=2-4", "if-range": tag },
    206,
    "234",
    "3",
    "bytes 2-4/10",
  ],
  [
    "If-Range, another",
    "GET",
    { range: "bytes=2-4", "if-range": '"x"' },
    200,
    "0123456789",
    "10",
    null,
  ],
  [
    "If-Range, weak",
    "GET",
    { range: "bytes=2-4", "if-range": `W/${tag}` },
    200,
    "0123456789",
    "10",
    null,
  ],
  ["If-None-Match", "GET", { "if-none-match": tag }, 304, "", null, null],
  ["If-None-Match, weak", "GET", { "if-none-match": `W/${tag}` }, 304, "", null, null],
  [
    "If-None-Match before a range",
    "GET",
    { "if-none-match": tag, range: "bytes=2-4" },
    304,
    "",
    null,
    null,
  ],
  ["If-Match, the same", "GET", { "if-match": tag }, 200, "0123456789", "10", null],
  ["If-Match, any", "GET", { "if-match": "*" }, 200, "0123456789", "10", null],
  ["If-Match, another", "GET", { "if-match": '"x"' }, 412, "", null, null],
];

for (const [name, method, headers, status, body, length, range] of requests) {
  Deno.test(`c.download, the request: ${name}`, async () => {
    const response = await send(digits, { method, headers });
    assertEquals([response.status, await response.text()], [status, body]);
    assertEquals(response.headers.get("content-length"), length);
    assertEquals(response.headers.get("content-range"), range);
  });
}

const names: readonly [name: string, want: string][] = [
  ["a.csv", 'attachment; filename="a.csv"'],
  ["São Paulo.csv", `attachment; filename="Sao Paulo.csv"; filename*=UTF-8''S%C3%A3o%20Paulo.csv`],
  ["日本.pdf", `attachment; filename="__.pdf"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.pdf`],
  ["50% off.txt", `attachment; filename="50_ off.txt"; filename*=UTF-8''50%25%20off.txt`],
  ["it's (1).txt", `attachment; filename="it's (1).txt"`],
  ["é'(1)*.txt", `attachment; filename="e'(1)_.txt"; filename*=UTF-8''%C3%A9%27%281%29_.txt`],
  ['a"b.txt', 'attachment; filename="a_b.txt"'],
  ["a\r\nx-evil: 1", 'attachment; filename="a__x-evil_ 1"'],
  ["../../etc/passwd", 'attachment; filename="__.._etc_passwd"'],
  ["C:\\a\\b.txt", 'attachment; filename="C__a_b.txt"'],
  [".htaccess", 'attachment; filename="_htaccess"'],
  ["gpj.\u202eexe", 'attachment; filename="gpj._exe"'],
  ["\ud800.txt", `attachment; filename="_.txt"; filename*=UTF-8''%EF%BF%BD.txt`],
  ["", 'attachment; filename="download"'],
  [" .htaccess", 'attachment; filename="_htaccess"'],
  [
    "a\uff02; filename=\uff02b.exe",
    `attachment; filename="a_; filename=_b.exe"; filename*=UTF-8''` +
    "a%EF%BC%82%3B%20filename%3D%EF%BC%82b.exe",
  ],
  ["\u2025\uff0ea.csv", `attachment; filename="_a.csv"; filename*=UTF-8''%E2%80%A5%EF%BC%8Ea.csv`],
  ["a\uff0f\uff3cb", 'attachment; filename="a__b"'],
  ["\u0301", `attachment; filename="download"; filename*=UTF-8''%CC%81`],
  [
    "\u32cf".repeat(78) + ".csv",
    `attachment; filename="${"LTD".repeat(65)}L.csv"; filename*=UTF-8''` +
    `${"%E3%8B%8F".repeat(78)}.csv`,
  ],
  ["a".repeat(300) + ".csv", `attachment; filename="${"a".repeat(196)}.csv"`],
  ["a".repeat(300), `attachment; filename="${"a".repeat(200)}"`],
  ["a." + "b".repeat(300), `attachment; filename="a.${"b".repeat(198)}"`],
  [
    "🎈".repeat(120) + ".csv",
    `attachment; filename="${"_".repeat(59)}.csv"; filename*=UTF-8''` +
    `${"%F0%9F%8E%88".repeat(59)}.csv`,
  ],
  [
    "日".repeat(120) + ".pdf",
    `attachment; filename="${"_".repeat(78)}.pdf"; filename*=UTF-8''` +
    `${"%E6%97%A5".repeat(78)}.pdf`,
  ],
];

for (const [name, want] of names) {
  Deno.test(`c.download, the name: ${JSON.stringify(name.slice(0, 40))} of ${name.length}`, async () => {
    const response = await send(digits, { options: { name } });
    assertEquals(response.headers.get("content-disposition"), want);
    await response.body?.cancel();
  });
}

const url = new URL("../../../LICENSE", import.meta.url);
const path = decodeURIComponent(url.pathname);
const stream = (): ReadableStream<Uint8Array> => new Blob(["0123"]).stream();
const stored = { size: 10, fingerprint: "v1", read: () => digits };

const sources: readonly [
  name: string,
  source: () => DownloadSource,
  want: { type: string; name: string; tag: RegExp; isDated: boolean; length: string | null },
][] = [
  ["bytes", () => digits, {
    type: "application/octet-stream",
    name: "download",
    tag: /^"/,
    isDated: false,
    length: "10",
  }],
  ["no bytes", () => new Uint8Array(), {
    type: "application/octet-stream",
    name: "download",
    tag: /^"/,
    isDated: false,
    length: "0",
  }],
  ["a Blob", () => new Blob(["abc"], { type: "text/csv" }), {
    type: "text/csv",
    name: "download",
    tag: /^$/,
    isDated: false,
    length: "3",
  }],
  ["a File", () => new File(["abc"], "a.json", { lastModified: 1e12 }), {
    type: "application/json",
    name: "a.json",
    tag: /^$/,
    isDated: true,
    length: "3",
  }],
  ["a path", () => path, {
    type: "application/octet-stream",
    name: "LICENSE",
    tag: /^"/,
    isDated: true,
    length: String((await Deno.stat(url)).size),
  }],
  ["a URL", () => url, {
    type: "application/octet-stream",
    name: "LICENSE",
    tag: /^"/,
    isDated: true,
    length: String((await Deno.stat(url)).size),
  }],
  ["a file of a store", () => stored, {
    type: "application/octet-stream",
    name: "download",
    tag: /^"v1"$/,
    isDated: false,
    length: "10",
  }],
  ["a stream", stream, {
    type: "application/octet-stream",
    name: "download",
    tag: /^$/,
    isDated: false,
    length: null,
  }],
];

for (const [name, source, want] of sources) {
  Deno.test(`c.download, the source: ${name}`, async () => {
    const { headers, body } = await send(source());
    const head = await send(source(), { method: "HEAD" });
    await body?.cancel();
    await head.body?.cancel();
    assertEquals(headers.get("content-type"), want.type);
    assertEquals(headers.get("content-disposition"), `attachment; filename="${want.name}"`);
    assertMatch(headers.get("etag") ?? "", want.tag);
    assertEquals(headers.has("last-modified"), want.isDated);
    assertEquals(headers.get("content-length"), want.length);
    assertEquals(headers.get("x-content-type-options"), "nosniff");
    assertEquals(head.headers.get("content-length"), want.length);
  });
}

for (const size of [10, 9_000_000]) {
  Deno.test(`c.download of a file that changes twice within a second: ${size} bytes`, async () => {
    const file = await Deno.makeTempFile();
    const write = async (letter: string): Promise<void> => {
      await Deno.writeFile(file, new Uint8Array(size).fill(letter.charCodeAt(0)));
      await Deno.utime(file, 1_000_000_000, 1_000_000_000);
    };
    await write("a");
    // The second of the change, on a machine of any speed.
    const now = Date.now;
    const { ctime } = await Deno.stat(file);
    Date.now = () => (ctime?.getTime() ?? 0) + 999;
    const { headers } = await send(file, { method: "HEAD" });
    const etag = headers.get("etag") ?? "";
    assertEquals([etag === "", headers.has("last-modified")], [size > 10, size === 10]);
    await write("b");
    for (const method of ["GET", "HEAD"]) {
      const again = await send(file, { method, headers: { "if-none-match": etag || '"none"' } });
      assertEquals([again.status, await again.text() === ""], [200, method === "HEAD"]);
    }
    const validator = etag || new Date(1e12).toUTCString();
    const part = await send(file, { headers: { range: "bytes=1-5", "if-range": validator } });
    assertEquals([part.status, (await part.text()).length], [200, size]);
    Date.now = now;
    await Deno.remove(file);
  });
}

Deno.test("c.download of a URL with a bare % names the file as it is", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/50%off.txt`, "abc");
  const response = await send(new URL(`file://${folder}/50%off.txt`));
  assertMatch(response.headers.get("content-disposition") ?? "", /50%25off\.txt$/);
  assertEquals(await response.text(), "abc");
  await Deno.remove(folder, { recursive: true });
});

const badUrl = new URL("%ff", import.meta.url);
for (const missing of [`${path}-missing`, "/", `${path}/below`, `${path}\0.txt`, badUrl]) {
  Deno.test(`c.download of ${JSON.stringify(missing).slice(-13, -1)} is 404: not a file`, async () => {
    const response = await send(missing);
    await response.body?.cancel();
    assertEquals([response.status, response.headers.has("content-disposition")], [404, false]);
  });
}

Deno.test("c.download answers 304 with the tag that the client holds", async () => {
  for (const held of [tag, `W/${tag}`]) {
    const { status, headers } = await send(digits, { headers: { "if-none-match": held } });
    assertEquals([status, headers.get("etag")], [304, held]);
  }
});

Deno.test("c.download uses the tag that c.etag declared", async () => {
  const app = newApp((c) => {
    c.etag("v7");
    return c.download(new Blob(["0123456789"]));
  });
  const headers = { range: "bytes=0-0", "if-range": '"v7"' };
  const response = await app.fetch(new Request("http://localhost/", { headers }));
  assertEquals([response.status, await response.text()], [206, "0"]);
  assertEquals(response.headers.get("etag"), '"v7"');
});

Deno.test("the length of a response reaches the client, staged headers or not", async () => {
  const bodies: readonly (() => Promise<Response> | Response)[] = [
    () => new Response("0123456789"),
    () => new Response(digits),
    () => new Response(new Blob([digits]).stream(), { headers: { "content-length": "10" } }),
  ];
  const app = newApp((c) => c.download(digits));
  for (const [at, body] of bodies.entries()) {
    app.route(routeOf("GET", `/${at}`, (c) => {
      c.header("x-staged", "1");
      return body();
    }));
  }
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, app.handler());
  for (const route of ["", "0", "1", "2"]) {
    const response = await fetch(`http://127.0.0.1:${server.addr.port}/${route}`);
    assertEquals([await response.text(), response.headers.get("content-length")], [
      "0123456789",
      "10",
    ]);
  }
  await server.shutdown();
});
