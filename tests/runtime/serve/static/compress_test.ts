import { assert, assertEquals, assertFalse } from "@std/assert";
import { brotliDecompressSync } from "node:zlib";
import type { FileSource } from "../../../../mod.ts";
import { type CodedKey, Compressor } from "../../../../runtime/serve/static/compress.ts";
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

/** Random bytes compress to about their own length, and text of the same seed to the same. */
function hex(bytes: number, seed: number): Uint8Array<ArrayBuffer> {
  let state = seed;
  const digits = Array.from({ length: bytes }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return (state >> 16 & 15).toString(16);
  });
  return new TextEncoder().encode(digits.join(""));
}

Deno.test("Compressor: over its byte limit it drops idle entries for good", async () => {
  const compressor = new Compressor(3_000);
  const key = (fingerprint: string): CodedKey => ({ fingerprint, coding: "br" });
  const add = async (name: string, bytes = 2_400): Promise<boolean> =>
    await compressor.make(key(name), () => Promise.resolve(hex(bytes, name.charCodeAt(0)))) !==
      undefined;
  const states = (...names: readonly string[]): string[] =>
    names.map((name) => {
      const known = compressor.get(key(name));
      return known instanceof Uint8Array ? "kept" : String(known);
    });
  assertEquals([await add("a"), await add("b")], [true, true]);
  assertEquals(states("a"), ["kept"]);
  assert(await add("c"));
  assertEquals(states("a", "b", "c", "d"), ["kept", "none", "kept", "undefined"]);
  let reads = 0;
  const read = (): Promise<Uint8Array<ArrayBuffer>> => Promise.resolve(hex(++reads, 1));
  assertEquals([await compressor.make(key("b"), read), reads], [undefined, 0]);
  assertFalse(await add("e", 10_000));
  assertEquals(states("e", "a"), ["none", "kept"]);
});

Deno.test("Compressor: one content is compressed one coding at a time; a failure is not kept", async () => {
  const compressor = new Compressor();
  let active = 0;
  let most = 0;
  const read = async (): Promise<Uint8Array<ArrayBuffer>> => {
    most = Math.max(most, ++active);
    await new Promise((resolve) => setTimeout(resolve, 1));
    active--;
    return hex(2_000, 1);
  };
  await Promise.all(
    (["br", "gzip", "br", "gzip"] as const)
      .map((coding) => compressor.make({ fingerprint: "a", coding }, read)),
  );
  assertEquals([most, active], [1, 0]);
  const failing = compressor.make({ fingerprint: "x", coding: "br" }, () => {
    throw new Error("unreadable");
  });
  assertEquals(await failing.catch((error) => error.message), "unreadable");
  assertEquals(compressor.get({ fingerprint: "x", coding: "br" }), undefined);
});
