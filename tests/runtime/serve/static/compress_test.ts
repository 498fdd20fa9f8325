import { assertEquals } from "@std/assert";
import type { SourceFile } from "../../../../mod.ts";
import { StaticFile } from "../../../../runtime/serve/static/file.ts";
import { fileSettings, openSite } from "./site.ts";
import { newFolder } from "../../../new_folder.ts";

const big = new TextEncoder().encode(
  Array.from({ length: 60_000 }, (_, line) => `line ${line * 7_919 % 60_000}\n`).join(""),
);

/** A file that counts its reads and fails a given number of times. */
function countedFile(failures = 0): SourceFile & { reads: number } {
  const file = {
    reads: 0,
    size: big.length,
    fingerprint: "big",
    read: ({ start, end }: { readonly start: number; readonly end: number }) => {
      if (file.reads++ < failures) throw new Error("unreadable");
      return big.slice(start, end);
    },
  };
  return file;
}

Deno.test("a mount: concurrent requests share one compressed form per coding", async () => {
  const file = countedFile();
  await using site = await openSite({}, { mounts: { "/m": { get: () => file } } });
  const codings = Array.from({ length: 20 }, (_, index) => index % 2 === 0 ? "br" : "gzip");
  const answers = await Promise.all(
    codings.map((coding) => site.ask("/m/big.txt", { "accept-encoding": coding })),
  );
  assertEquals(answers.map(({ headers }) => headers.get("content-encoding")), codings);
  assertEquals(file.reads, 2);
});

const forms:
  readonly (readonly [name: string, leftBytes: number, failures: number, want: unknown])[] = [
    ["a compressed form is cached as long as the budget lasts", 1e6, 0, ["br", "br", 1]],
    ["no budget: uncompressed, after one compression", 100, 0, ["as it is", "as it is", 1]],
    ["a failure is not cached", 1e6, 1, ["unreadable", "br", 2]],
  ];
for (const [name, left, failures, want] of forms) {
  Deno.test(`StaticFile: ${name}`, async () => {
    const source = countedFile(failures);
    const memory = { left };
    const file = new StaticFile("big.txt", source, fileSettings(memory));
    const ask = async (): Promise<string> => {
      try {
        return (await file.choose(new Headers({ "accept-encoding": "br" }))).coding ?? "as it is";
      } catch (error) {
        return error instanceof Error ? error.message : "";
      }
    };
    assertEquals([await ask(), await ask(), source.reads], want);
    file.release();
    assertEquals(memory.left, left);
  });
}

Deno.test("a mount: many requests of one client compress no file twice", async () => {
  const file = countedFile();
  const other = { size: 3, fingerprint: "other", read: () => big.slice(0, 3) };
  const source = { get: (name: string) => name === "big.txt" ? file : other };
  await using site = await openSite({}, { mounts: { "/m": source } });
  const codingOf = async (): Promise<string | null> => {
    const { headers } = await site.ask("/m/big.txt", { "accept-encoding": "br" });
    return headers.get("content-encoding");
  };
  assertEquals([await codingOf(), await codingOf()], ["br", "br"]);
  for (let each = 0; each < 4_096; each++) await site.ask(`/m/${each}.txt`);
  assertEquals([await codingOf(), file.reads], [null, 2]);
});

Deno.test("a mount: a file that was just written is compressed, even for concurrent clients", async () => {
  await using folder = await newFolder();
  await using site = await openSite({}, { mounts: { "/m": folder.path } });
  const ask = (): ReturnType<typeof site.ask> =>
    site.ask("/m/big.txt", { "accept-encoding": "br" });
  const write = (text: Uint8Array): Promise<void> => Deno.writeFile(`${folder.path}/big.txt`, text);
  for (const text of [big, big, big.slice(1)]) {
    await write(text);
    assertEquals((await ask()).headers.get("content-encoding"), "br");
  }
  // Each request describes the file anew while it is compressed for earlier ones.
  await write(big.slice(2));
  const later = [...await Promise.all([ask(), ask(), ask()]), await ask()];
  const found = later.map(({ headers }) => headers.get("content-encoding"));
  assertEquals(found, later.map(() => "br"));
});
