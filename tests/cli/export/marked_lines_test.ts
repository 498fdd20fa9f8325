import { assert, assertEquals } from "@std/assert";
import { followMarkedLines } from "../../../cli/export/marked_lines.ts";

const mark = "fw-export 0123 ";

/** What becomes of an output that comes in these chunks. */
async function follow(
  chunks: Iterable<string>,
): Promise<{ texts: string[]; marked: string[] }> {
  const texts: string[] = [];
  const marked: string[] = [];
  const stream = ReadableStream.from(chunks).pipeThrough(new TextEncoderStream());
  await followMarkedLines(stream, {
    mark,
    onText: (text) => void texts.push(text),
    onMarked: (text) => void marked.push(text),
  });
  return { texts, marked };
}

const rows: readonly [name: string, chunks: string[], texts: string[], marked: string[]][] = [
  ["lines", ["a\nb", "c\n\nd"], ["a\n", "bc\n", "d"], []],
  ["what the program says", [`${mark}{}\n${mark}1\n`], [], ["{}\n", "1\n"]],
  ["a mark in two chunks", ["a\nfw-exp", "ort 0123 {}\n"], ["a\n"], ["{}\n"]],
  ["a mark behind text", [`half${mark}{}\nrest\n`], ["half\n", "rest\n"], ["{}\n"]],
];
for (const [name, chunks, texts, marked] of rows) {
  Deno.test(`followMarkedLines: ${name}`, async () => {
    assertEquals(await follow(chunks), { texts, marked });
  });
}

Deno.test("followMarkedLines: a line without end is passed on and not kept", async () => {
  let longest = 0;
  let passed = 0;
  let sent = 0;
  const chunk = "x".repeat(10_000);
  function* flood(): Generator<string> {
    for (let round = 0; round < 500; round++) {
      longest = Math.max(longest, sent - passed);
      sent += chunk.length;
      yield chunk;
    }
    yield "\nlast";
  }
  const texts: string[] = [];
  await followMarkedLines(ReadableStream.from(flood()).pipeThrough(new TextEncoderStream()), {
    mark,
    onText: (text) => {
      passed += text.length;
      texts.push(text);
    },
    onMarked: () => {},
  });
  assertEquals(texts.join(""), `${"x".repeat(sent)}\nlast`);
  // A few chunks wait in the streams between the two.
  assert(longest < 200_000, `${longest} characters were kept`);
});

Deno.test("followMarkedLines: a mark behind a long line is found, wherever it is parted", async () => {
  for (let shift = 0; shift <= mark.length + 1; shift++) {
    const long = "y".repeat(65_537 - mark.length + shift);
    const { texts, marked } = await follow([
      long + mark.slice(0, shift),
      `${mark.slice(shift)}{}\n`,
    ]);
    assertEquals([texts.join(""), marked], [`${long}\n`, ["{}\n"]]);
  }
});

Deno.test("followMarkedLines: what the program says may be long", async () => {
  const report = `"${"r".repeat(300_000)}"`;
  const { texts, marked } = await follow([
    `${mark}${report.slice(0, 100_000)}`,
    `${report.slice(100_000)}\n`,
  ]);
  assertEquals([texts, marked], [[], [`${report}\n`]]);
});

Deno.test("followMarkedLines: a long line is not parted inside a character", async () => {
  for (const before of ["", "z"]) {
    const line = before + "😀".repeat(40_000);
    const { texts } = await follow([line, "\n"]);
    assert(texts.every((text) => text.isWellFormed()));
    assertEquals(texts.join(""), `${line}\n`);
  }
});
