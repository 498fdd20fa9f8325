import { assertEquals, assertMatch } from "@std/assert";
import { App, createLogger } from "../../../mod.ts";
import type { Ctx, DownloadOptions, DownloadSource } from "../../../mod.ts";
import { newFolder } from "../../new_folder.ts";

const digits = new TextEncoder().encode("0123456789");
const tag = (await send(digits)).headers.get("etag") ?? "";

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

const part = { range: "bytes=2-4" };
const whole = [200, "10", null] as const;
const partial = [206, "3", "bytes 2-4/10"] as const;
const outside = [416, null, "bytes */10"] as const;
const all = "0123456789";

const requests: readonly [
  name: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  want: readonly [status: number, length: string | null, range: string | null],
  body: string,
][] = [
  ["whole", "GET", {}, whole, all],
  ["HEAD", "HEAD", {}, whole, ""],
  ["a range", "GET", part, partial, "234"],
  ["an open range", "GET", { range: "bytes=8-" }, [206, "2", "bytes 8-9/10"], "89"],
  ["a range of the end", "GET", { range: "bytes=-3" }, [206, "3", "bytes 7-9/10"], "789"],
  ["a range beyond the end", "GET", { range: "bytes=10-" }, outside, ""],
  ["a malformed range", "GET", { range: "bytes=x" }, outside, ""],
  ["several ranges", "GET", { range: "bytes=0-1,3-4" }, whole, all],
  ["HEAD with a range", "HEAD", part, whole, ""],
  ["If-Range, the same", "GET", { ...part, "if-range": tag }, partial, "234"],
  ["If-Range, another", "GET", { ...part, "if-range": '"x"' }, whole, all],
  ["If-None-Match", "GET", { "if-none-match": tag }, [304, null, null], ""],
  ["If-None-Match before a range", "GET", { "if-none-match": tag, ...part }, [304, null, null], ""],
  ["If-Match, the same", "GET", { "if-match": tag }, whole, all],
  ["If-Match, another", "GET", { "if-match": '"x"' }, [412, null, null], ""],
];

for (const [name, method, headers, want, body] of requests) {
  Deno.test(`c.download, the request: ${name}`, async () => {
    const response = await send(digits, { method, headers });
    const [length, range] = ["content-length", "content-range"]
      .map((header) => response.headers.get(header));
    assertEquals([response.status, length, range], [...want]);
    assertEquals(await response.text(), body);
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
  });
}

const url = new URL("../../../LICENSE", import.meta.url);
const path = decodeURIComponent(url.pathname);
const stream = (): ReadableStream<Uint8Array> => new Blob(["0123"]).stream();
const stored = { size: 10, fingerprint: "v1", read: () => digits };
const csv = new Blob(["abc"], { type: "text/csv" });
const file = new File(["abc"], "a.json", { lastModified: 1e12 });
const binary = "application/octet-stream";
const size = String((await Deno.stat(url)).size);

const sources: readonly [
  title: string,
  source: () => DownloadSource,
  length: string | null,
  tag: RegExp,
  isDated: boolean,
  type: string,
  name: string,
][] = [
  ["bytes", () => digits, "10", /^"/, false, binary, "download"],
  ["no bytes", () => new Uint8Array(), "0", /^"/, false, binary, "download"],
  ["a Blob", () => csv, "3", /^$/, false, "text/csv", "download"],
  ["a File", () => file, "3", /^$/, true, "application/json", "a.json"],
  ["a path", () => path, size, /^"/, true, binary, "LICENSE"],
  ["a URL", () => url, size, /^"/, true, binary, "LICENSE"],
  ["a file of a store", () => stored, "10", /^"v1"$/, false, binary, "download"],
  ["a stream", stream, null, /^$/, false, binary, "download"],
];

for (const [title, source, length, tag, isDated, type, name] of sources) {
  Deno.test(`c.download, the source: ${title}`, async () => {
    const { headers, body } = await send(source());
    const head = await send(source(), { method: "HEAD" });
    await body?.cancel();
    assertEquals(headers.get("content-type"), type);
    assertEquals(headers.get("content-disposition"), `attachment; filename="${name}"`);
    assertMatch(headers.get("etag") ?? "", tag);
    assertEquals([headers.has("last-modified"), headers.get("content-length")], [isDated, length]);
    assertEquals(headers.get("x-content-type-options"), "nosniff");
    assertEquals(head.headers.get("content-length"), length);
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
    // The time of the second change, on a machine of any speed.
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

Deno.test("c.download of a URL with a bare % uses the file's literal name", async () => {
  await using folder = await newFolder();
  await Deno.writeTextFile(`${folder.path}/50%off.txt`, "abc");
  const response = await send(new URL(`file://${folder.path}/50%off.txt`));
  assertMatch(response.headers.get("content-disposition") ?? "", /50%25off\.txt$/);
  assertEquals(await response.text(), "abc");
});

const badUrl = new URL("%ff", import.meta.url);
for (const missing of [`${path}-missing`, "/", `${path}/below`, `${path}\0.txt`, badUrl]) {
  Deno.test(`c.download of ${JSON.stringify(missing).slice(-13, -1)} is 404, because it is not a file`, async () => {
    const response = await send(missing);
    assertEquals([response.status, response.headers.has("content-disposition")], [404, false]);
  });
}

Deno.test("c.download sends 304 for the tag that the client holds", async () => {
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
