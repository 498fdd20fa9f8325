import { assert, assertEquals, assertRejects } from "@std/assert";
import { wholeFrom } from "../random.ts";
import { CsvError, type CsvValue, readCsv, writeCsv } from "../../data/mod.ts";

function read(text: string, chunk = 3): Promise<string[][]> {
  const bytes = new TextEncoder().encode(text);
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller): void {
      for (let at = 0; at < bytes.length; at += chunk) {
        controller.enqueue(bytes.slice(at, at + chunk));
      }
      controller.close();
    },
  });
  return Array.fromAsync(readCsv(source), ({ fields }) => [...fields]);
}

const rows: readonly [name: string, text: string, want: string[][]][] = [
  ["nothing", "", []],
  ["one line without a line break", "a,b", [["a", "b"]]],
  ["CR LF, LF and empty lines", "a,b\r\n\r\nc,d\n\n", [["a", "b"], ["c", "d"]]],
  ["a byte order mark", "\uFEFFa,b\n", [["a", "b"]]],
  ["quotes, separators and line breaks in a field", '"a ""x""","b,c","d\r\ne"\n1,2,3', [
    ['a "x"', "b,c", "d\r\ne"],
    ["1", "2", "3"],
  ]],
  ["empty fields", ",,\n", [["", "", ""]]],
  ["semicolons", 'a;"b,c";d\n1,5;2;3\n', [["a", "b,c", "d"], ["1,5", "2", "3"]]],
  ["tabs", "a\tb\n", [["a", "b"]]],
  ["a quote inside an unquoted field", 'a,5" screw,b"\n', [["a", '5" screw', 'b"']]],
  ["one quote inside an unquoted field", 'a,5" screw\nb,c\n', [["a", '5" screw'], ["b", "c"]]],
  ["two quotes inside an unquoted field", 'a,5""\nb,c\n', [["a", '5""'], ["b", "c"]]],
  ["a quote, another separator", 'a,b\nc;"d,e\nf,g\n', [["a", "b"], ['c;"d', "e"], ["f", "g"]]],
  ["many bytes a character", "é😀,ü\n", [["é😀", "ü"]]],
  ["an apostrophe before a formula", "'=1,'a\n", [["=1", "'a"]]],
];
for (const [name, text, want] of rows) {
  Deno.test(`readCsv: ${name}`, async () => {
    for (const chunk of [1, 2, 3, 1000]) assertEquals(await read(text, chunk), want);
  });
}

const faults: readonly [name: string, text: string, line: number][] = [
  ["an unterminated quote", 'a\n"b\nc', 2],
  ["text after a quoted field", 'a\nb\n"c"d,e\n', 3],
  ["a quote after empty lines", 'a\n\n\r\n\r\n"b', 5],
];
for (const [name, text, line] of faults) {
  Deno.test(`readCsv refuses: ${name}`, async () => {
    assertEquals((await assertRejects(() => read(text), CsvError)).line, line);
  });
}

const malformed: readonly [name: string, bytes: readonly number[], line: number][] = [
  ["a byte of Latin-1", [97, 10, 98, 0xe9, 10, 99], 2],
  ["a continuation byte without a start", [97, 10, 10, 0x80, 98, 10], 3],
  ["a character truncated by the line", [97, 10, 0xc3, 10, 98, 10], 2],
  ["a character truncated by the end", [97, 10, 98, 10, 0xf0, 0x9f, 0x98], 3],
  ["half of a character", [0xed, 0xa0, 0x80, 10], 1],
  ["a byte inside quotes that span lines", [34, 97, 10, 98, 10, 0xff, 34, 10], 3],
];
for (const [name, bytes, line] of malformed) {
  Deno.test(`readCsv refuses invalid UTF-8: ${name}`, async () => {
    for (const chunk of [1, 2, 3, 1000]) {
      const source = ReadableStream.from(
        Array.from(
          { length: Math.ceil(bytes.length / chunk) },
          (_, index) => new Uint8Array(bytes.slice(index * chunk, (index + 1) * chunk)),
        ),
      );
      const error = await assertRejects(() => Array.fromAsync(readCsv(source)), CsvError, "UTF-8");
      assertEquals(error.line, line, `${chunk} bytes at a time`);
    }
  });
}

const written: readonly [value: CsvValue, text: string][] = [
  ["a", "a"],
  ['a "b"', '"a ""b"""'],
  ["a,b", '"a,b"'],
  ["a\nb", '"a\nb"'],
  ["=1+1", "'=1+1"],
  ["\uff1d1+1", "'\uff1d1+1"],
  ["\n=1", "\"'\n'=1\""],
  ["a;=cmd|'/C calc'!A0;", "a;'=cmd|'/C calc'!A0;"],
  ["a\t@x;'-1", "a\t'@x;''-1"],
  ["a,=1", '"a,=1"'],
  ["a\n=1\n-1+cmd|'/C calc'!A0", "\"a\n'=1\n'-1+cmd|'/C calc'!A0\""],
  ["Buy:\n- 2 bulbs\n+351 912", '"Buy:\n- 2 bulbs\n+351 912"'],
  ["+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0"],
  ["-2,5", '"-2,5"'],
  ["@sum", "'@sum"],
  ["\tx", "'\tx"],
  ["-", "'-"],
  [-5, "-5"],
  [10n, "10"],
  [true, "true"],
  [new Date("2026-03-01T10:00:00Z"), "2026-03-01T10:00:00.000Z"],
  [null, '""'],
];
for (const [value, text] of written) {
  Deno.test(`writeCsv: ${JSON.stringify(String(value))}`, async () => {
    assertEquals(await new Response(writeCsv([[value]])).text(), `${text}\r\n`);
  });
}

Deno.test("writeCsv and readCsv preserve texts", async () => {
  const texts = ["", "a", '"', ",", ";\n", "=x", "'", "-1", " 1 ", "\r\n", "é"];
  const bytes = writeCsv([texts]);
  assertEquals((await Array.fromAsync(readCsv(bytes)))[0]?.fields, texts);
});

Deno.test("writeCsv and readCsv preserve texts of separators, line breaks and starts of formulas", async () => {
  const whole = wholeFrom(7);
  const signs = [...",;\t\r\n''==+-@|( \"a"];
  const texts = Array.from(
    { length: 2_000 },
    () => Array.from({ length: 8 }, () => signs[whole(signs.length)]).join(""),
  );
  for (const separator of [",", ";", "\t"] as const) {
    const rows = [["head", "head"], ...texts.map((text) => [text, text])];
    const records = await Array.fromAsync(readCsv(writeCsv(rows, { separator })));
    assertEquals(records.map(({ fields }) => [...fields]), rows);
  }
});

Deno.test("writeCsv preserves the output of readCsv", async () => {
  const rows = [["'=1", "''-x", "=1"], ["'a", "-5", "+x"], [""], ["a"]];
  const records = await Array.fromAsync(readCsv(writeCsv(rows)));
  assertEquals(records.map(({ fields }) => [...fields]), rows);
});

Deno.test("readCsv refuses a record of more than 1,000,000 characters before it has read it whole", async () => {
  let sent = 0;
  const chunk = new TextEncoder().encode(`"${"a".repeat(99_999)}`);
  const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull: (controller) =>
      sent++ < 50 ? controller.enqueue(chunk.slice(sent > 1 ? 1 : 0)) : controller.close(),
  });
  await assertRejects(() => Array.fromAsync(readCsv(source)), CsvError, "Line 1: ");
  assert(sent < 15);
});
