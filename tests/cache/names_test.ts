import { assertEquals } from "@std/assert";
import type { Cache, CacheKey } from "../../cache/mod.ts";
import { digestOf } from "../../runtime/addon.ts";
import { openCache } from "./support.ts";

/** Distinct names that some tables or stores would confuse. */
const names: readonly string[] = [
  "",
  " ",
  "\0",
  "a\0",
  ..."a A __proto__ constructor toString hasOwnProperty 0 -0 00 undefined null NaN".split(" "),
  "\ud800",
  "\ud801",
  "\udc00\ud800",
  "\ufffd",
  "é",
  "e\u0301",
  "İ",
  "😀".repeat(100),
  "a/b",
  "a\nb",
  ...[511, 512, 513, 576, 1_000_000].flatMap((chars) => [
    "x".repeat(chars),
    "x".repeat(chars - 1) + "y",
    "y" + "x".repeat(chars - 1),
    "x".repeat(chars - 1) + "\ud800",
    "x".repeat(chars - 1) + "\ud801",
  ]),
];

async function standardDigest(long: string): Promise<string> {
  const units = Uint16Array.from({ length: long.length }, (_, at) => long.charCodeAt(at));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", units));
  return digest.toHex();
}

for (
  const [name, text] of [
    ["ASCII", "x".repeat(1_000_000)],
    ["Latin letters", "é".repeat(1_000)],
    ["one letter more", "x".repeat(1_000) + "é"],
    ["lone surrogates", "\ud800".repeat(1_000)],
    ["emoji", "😀".repeat(1_000)],
    ["nothing", ""],
  ] as const
) {
  Deno.test(`digestOf: returns the digest of the text in UTF-16: ${name}`, async () => {
    assertEquals(digestOf(text), await standardDigest(text));
  });
}

async function fill(cache: Cache, key: (name: string, at: number) => CacheKey): Promise<void> {
  for (const [at, name] of names.entries()) await cache.do(key(name, at), () => at);
}

Deno.test("do: every string is a distinct key", async () => {
  const { cache } = openCache();
  await fill(cache, (name) => ({ name }));
  assertEquals(cache.size, names.length);
  for (const [at, name] of names.entries()) {
    assertEquals(await cache.do({ name }, () => -1), at, name.slice(0, 40));
  }
});

Deno.test("do: no key equals the stored form of another", async () => {
  const { cache } = openCache();
  const long = "x".repeat(1_000);
  await cache.do({ name: long, tags: [long] }, () => "secret");
  const digest = await standardDigest(long);
  const forms = [digest, long.slice(0, 512), long.slice(0, 512) + digest];
  for (const form of forms) {
    assertEquals(await cache.do({ name: form }, () => "public"), "public");
    assertEquals(await cache.invalidate(form), 0);
  }
});

Deno.test("delete: every string is a distinct key", async () => {
  const { cache } = openCache();
  await fill(cache, (name) => ({ name }));
  for (const [at, name] of names.entries()) {
    await cache.delete(name, name, "none of them");
    assertEquals(cache.size, names.length - at - 1, name.slice(0, 40));
  }
});

Deno.test("invalidate: every string is a distinct tag, independent of keys", async () => {
  const { cache } = openCache();
  // Each entry has the name of its neighbour's tag.
  await fill(cache, (name, at) => ({ name, tags: [names[(at + 1) % names.length] ?? "", "all"] }));
  for (const [at, tag] of names.entries()) {
    assertEquals(await cache.invalidate(tag), 1, tag.slice(0, 40));
    assertEquals(cache.size, names.length - at - 1);
  }
  assertEquals(await cache.invalidate("all"), 0);
});

const tagged: [name: string, tags: string[], dropped: number][] = [
  ["one tag", ["red"], 2],
  ["a tag of one", ["blue"], 1],
  ["two tags, and an entry with both is counted once", ["red", "blue"], 2],
  ["a tag twice", ["red", "red"], 2],
  ["a tag without entries", ["green"], 0],
  ["the name of an entry", ["a"], 0],
  ["none", [], 0],
  ["a tag added to the array later", ["late"], 0],
];

for (const [name, tags, dropped] of tagged) {
  Deno.test(`invalidate returns how many values it dropped: ${name}`, async () => {
    const { cache } = openCache();
    const own = ["red", "blue", "red"];
    await cache.do({ name: "a", tags: own }, () => 1);
    own.push("late");
    await cache.do({ name: "b", tags: ["red"] }, () => 1);
    await cache.do({ name: "c" }, () => 1);
    assertEquals([await cache.invalidate(...tags), cache.size], [dropped, 3 - dropped]);
    assertEquals(await cache.invalidate(...tags), 0);
  });
}

Deno.test("invalidate, delete and clear finish before they return", async () => {
  const { cache } = openCache();
  const rows: (() => Promise<unknown>)[] = [
    () => cache.invalidate("t"),
    () => cache.delete("a"),
    () => cache.clear(),
  ];
  for (const drop of rows) {
    await cache.do({ name: "a", tags: ["t"] }, () => 1);
    const done = drop();
    assertEquals(cache.size, 0);
    await done;
  }
});

Deno.test("do: an entry keeps the tags from its computation", async () => {
  const { cache } = openCache();
  await cache.do({ name: "a", tags: ["first"] }, () => 1);
  await cache.do({ name: "a", tags: ["second"] }, () => 1);
  assertEquals([await cache.invalidate("second"), await cache.invalidate("first")], [0, 1]);
});
