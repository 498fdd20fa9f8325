import { assert, assertEquals } from "@std/assert";
import { brotliDecompressSync } from "node:zlib";
import type { FileSource } from "../../../../mod.ts";
import { type Coded, CodedCache } from "../../../../runtime/serve/static/coded_cache.ts";
import { openSite } from "./site.ts";

const big = new TextEncoder().encode(
  Array.from({ length: 60_000 }, (_, line) => `line ${line * 7_919 % 60_000}\n`).join(""),
);
const small = new TextEncoder().encode("small");

/** A source of more files than are remembered, which counts how often the big one is read. */
function manyFiles(): FileSource & { reads: number } {
  const source = {
    reads: 0,
    get: (path: string) => {
      const isBig = path.startsWith("big");
      const bytes = isBig ? big : small;
      return {
        size: bytes.length,
        fingerprint: isBig ? "big" : path.replaceAll("/", "_").replaceAll(".", "-"),
        read: ({ start, end }: { readonly start: number; readonly end: number }) => {
          if (isBig) source.reads++;
          return bytes.slice(start, end);
        },
      };
    },
  };
  return source;
}

const br = { "accept-encoding": "br" };

Deno.test("mount: a file that was forgotten among many others is not compressed again", async () => {
  const source = manyFiles();
  await using site = await openSite({}, { mounts: { "/m": source }, logRequest: () => false });
  for (let round = 0; round < 3; round++) {
    const { headers, bytes } = await site.ask("/m/big.txt", br);
    assertEquals(headers.get("content-encoding"), "br");
    assertEquals(brotliDecompressSync(bytes).length, big.length);
    assertEquals(source.reads, 1, `round ${round}`);
    for (let other = 0; other < 4_200; other++) await site.ask(`/m/${other}.txt`);
  }
  // The same content elsewhere needs no second form.
  assertEquals((await site.ask("/m/big2.txt", br)).headers.get("content-encoding"), "br");
  assertEquals(source.reads, 1);
});

Deno.test("mount: HEAD compresses nothing, and has the headers of GET but for the length", async () => {
  const source = manyFiles();
  await using site = await openSite({}, { mounts: { "/m": source }, logRequest: () => false });
  const head = await site.ask("/m/big.txt", br, "HEAD");
  assertEquals([head.status, source.reads], [200, 0]);
  const get = await site.ask("/m/big.txt", br);
  get.headers.delete("content-length");
  assertEquals([...head.headers], [...get.headers]);
  const after = await site.ask("/m/big.txt", br, "HEAD");
  assertEquals(after.headers.get("content-length"), String(get.bytes.length));
  const tag = head.headers.get("etag") ?? "";
  const again = await site.ask("/m/big.txt", { ...br, "if-none-match": tag }, "HEAD");
  assertEquals(again.status, 304);
});

Deno.test("mount: requests at the same time share one form of each coding", async () => {
  const source = manyFiles();
  await using site = await openSite({}, { mounts: { "/m": source }, logRequest: () => false });
  const answers = await Promise.all(
    Array.from(
      { length: 20 },
      (_, index) =>
        site.ask(index % 4 < 2 ? "/m/big.txt" : "/m/big2.txt", {
          "accept-encoding": index % 2 === 0 ? "br" : "gzip",
        }),
    ),
  );
  assertEquals(
    answers.map(({ headers }) => headers.get("content-encoding")),
    answers.map((_, index) => index % 2 === 0 ? "br" : "gzip"),
  );
  assertEquals(source.reads, 2);
});

/** Makes a form of a number of bytes. */
async function add(cache: CodedCache, name: string, bytes: number): Promise<Coded | undefined> {
  return await cache.make(
    { fingerprint: name, coding: "br" },
    () => Promise.resolve(new Uint8Array(bytes)),
  );
}

const state = (cache: CodedCache, name: string): string => {
  const known = cache.get({ fingerprint: name, coding: "br" });
  return known === undefined || known === "none" ? String(known) : "kept";
};

Deno.test("CodedCache: beyond its bytes it drops what is not in use, for good", async () => {
  const cache = new CodedCache(100);
  const a = await add(cache, "a", 40);
  const b = await add(cache, "b", 40);
  assert(a !== undefined && b !== undefined);
  const dropped: string[] = [];
  a.onDrop.add(() => dropped.push("a"));
  b.onDrop.add(() => dropped.push("b"));
  a.isUsed = true;
  await add(cache, "c", 40);
  assertEquals(dropped, ["b"]);
  assertEquals(["a", "b", "c", "d"].map((name) => state(cache, name)), [
    "kept",
    "none",
    "kept",
    "undefined",
  ]);
  let calls = 0;
  const count = (): Promise<undefined> => Promise.resolve(void calls++);
  assertEquals(await cache.make({ fingerprint: "b", coding: "br" }, count), undefined);
  assertEquals(calls, 0);
  assertEquals(await add(cache, "e", 101), undefined);
  assertEquals([state(cache, "e"), state(cache, "a")], ["none", "kept"]);
});

Deno.test("CodedCache: one content is compressed one coding at a time; a failure is not kept", async () => {
  const cache = new CodedCache();
  let active = 0;
  let most = 0;
  const compress = async (): Promise<Uint8Array<ArrayBuffer>> => {
    most = Math.max(most, ++active);
    await new Promise((resolve) => setTimeout(resolve, 1));
    active--;
    return new Uint8Array(1);
  };
  await Promise.all(
    (["br", "gzip", "br", "gzip"] as const)
      .map((coding) => cache.make({ fingerprint: "a", coding }, compress)),
  );
  assertEquals([most, active], [1, 0]);
  const failing = cache.make({ fingerprint: "x", coding: "br" }, () => {
    throw new Error("unreadable");
  });
  assertEquals(await failing.catch((error) => error.message), "unreadable");
  assertEquals(state(cache, "x"), "undefined");
});
