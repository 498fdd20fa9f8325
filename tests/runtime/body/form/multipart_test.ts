import { cpuMs } from "../../../cpu_time.ts";
import { assert, assertEquals } from "@std/assert";
import type { Ctx } from "../../../../mod.ts";
import { type Case, inHandler } from "../case.ts";

const type = "multipart/form-data; boundary=--X-boundary";
const part = (headers: string, content: string): string =>
  `----X-boundary\r\n${headers}\r\n\r\n${content}\r\n`;
const named = (name: string): string => `Content-Disposition: form-data; name="${name}"`;
const end = "----X-boundary--\r\n";

async function entries(c: Ctx): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (const [name, value] of await c.formData()) {
    rows.push(
      typeof value === "string"
        ? [name, value]
        : [name, value.name, value.type, await value.text()],
    );
  }
  return rows;
}

const file = (name: string, content: string): string =>
  part(`${named("f")}; filename="${name}"\r\nContent-Type: text/plain`, content);

const a = named("a");
const f = named("f");
const ab = [["a", "b"]];
const latin = "text/csv; charset=windows-1252";
const forms: readonly [name: string, body: string, want: unknown[]][] = [
  ["no part", end, []],
  ["a text", part(a, "b") + end, ab],
  ["an empty text", part(a, "") + end, [["a", ""]]],
  ["a text of line breaks", part(a, "\r\n\r\n") + end, [["a", "\r\n\r\n"]]],
  ["content that resembles the boundary", part(a, "----X-boundar\r\n---\r\n--") + end, [
    ["a", "----X-boundar\r\n---\r\n--"],
  ]],
  ["carriage returns", part(a, "\r\r\r\n\r") + end, [["a", "\r\r\r\n\r"]]],
  ["texts of one name", part(a, "1") + part(a, "2") + end, [["a", "1"], ["a", "2"]]],
  ["a file", file("a.txt", "hello") + end, [["f", "a.txt", "text/plain", "hello"]]],
  ["an empty file", file("a.txt", "") + end, [["f", "a.txt", "text/plain", ""]]],
  ["a file without a name", file("", "x") + end, [["f", "", "text/plain", "x"]]],
  ["a file input without a chosen file", file("", "") + end, []],
  ["padding after a boundary", (part(a, "b") + end).replace("ry\r\n", "ry \t\r\n"), ab],
  ["an epilogue", part(a, "b") + end + "ignored\r\n----X-boundary\r\n", ab],
  ["header names in other cases", part('content-disposition:form-data;NAME="a"', "b") + end, ab],
  ["escapes of browsers", part(named("a%22%0D%0Ab%20"), "c") + end, [['a"\r\nb%20', "c"]]],
  [
    "control characters in a file name",
    part(`${f}; filename="a\x01\x1b\tb.png"`, "x") + end,
    [["f", "a\x01\x1b\tb.png", "", "x"]],
  ],
  ["a semicolon in a name", part(named("a; b=c"), "x") + end, [["a; b=c", "x"]]],
  [
    "the charset of a file, which is not decoded",
    part(`${f}; filename="a.csv"\r\nContent-Type: ${latin}`, "x") + end,
    [["f", "a.csv", latin, "x"]],
  ],
];

for (const [name, body, want] of forms) {
  Deno.test(`multipart: ${name}`, async () => {
    assertEquals(await inHandler({ body, type }, entries), want);
  });
}

Deno.test("multipart: chunk boundaries do not change the form", async () => {
  const body = new TextEncoder().encode(
    part(named("a"), "\r\n----X-bound") + file("é.txt", "x\r\n--\r\n") + part(named("c"), "") + end,
  );
  const given = (size: number, first: number): Case => ({
    body: chunks(body, { size, first }),
    type,
  });
  const want = await inHandler({ body, type }, entries);
  assertEquals(want.length, 3);
  for (const size of [1, 2, 3, 5, 7]) {
    assertEquals(await inHandler(given(size, size), entries), want);
  }
  for (let first = 1; first < body.length; first++) {
    assertEquals(await inHandler(given(body.length, first), entries), want, `cut at ${first}`);
  }
});

function chunks(
  body: Uint8Array<ArrayBuffer>,
  options: { readonly size: number; readonly first: number },
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const pieces = [body.subarray(0, options.first)];
  for (let at = options.first; at < body.length; at += options.size) {
    pieces.push(body.subarray(at, at + options.size));
  }
  return ReadableStream.from(pieces);
}

Deno.test("multipart: reads the FormData that the platform encodes", async () => {
  const data = new FormData();
  data.append('na"me\r\n', "val\r\nue");
  data.append("f", new File(["\0\r\n--"], 'quo"te.bin'));
  data.append("f", new File(["2"], "back\\slash.txt", { type: "text/css" }));
  assertEquals(await inHandler({ body: data }, entries), [
    ['na"me\r\n', "val\r\nue"],
    ["f", 'quo"te.bin', "application/octet-stream", "\0\r\n--"],
    ["f", "slash.txt", "text/css", "2"],
  ]);
});

/** Checks that eight times the length takes no more than linear time; quadratic is 64 times. */
async function assertLinear(run: (length: number) => Promise<void>, length: number): Promise<void> {
  const took = async (length: number): Promise<number> => {
    const start = cpuMs();
    await run(length);
    return cpuMs() - start;
  };
  await took(length / 5);
  const small = await took(length);
  const large = await took(length * 8);
  assert(large < small * 24 + 200, `${small} ms, then ${large} ms`);
}

Deno.test("multipart: reads content of only carriage returns in linear time", async () => {
  await assertLinear(async (length) => {
    const body = file("a", "\r".repeat(length)) + end;
    await inHandler({ body, type, settings: { maxBodyBytes: 1e9 } }, (c) => c.form("x"));
  }, 500_000);
});

Deno.test("multipart: refuses headers of only spaces in linear time", async () => {
  const fault = (c: Ctx) => c.form("x").then(() => 200, (error) => Object(error).status);
  await assertLinear(async (length) => {
    for (const value of ['; name="a"', "; a=b"]) {
      const body = part(`Content-Disposition: form-data${value}${" ".repeat(length)}"`, "x") + end;
      for (let at = 0; at < 20; at++) assertEquals(await inHandler({ body, type }, fault), 400);
    }
  }, 1_000);
});
