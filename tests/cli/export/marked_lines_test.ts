import { assertEquals } from "@std/assert";
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

Deno.test("followMarkedLines: what the program says may be long", async () => {
  const report = `"${"r".repeat(300_000)}"`;
  const { texts, marked } = await follow([
    `${mark}${report.slice(0, 100_000)}`,
    `${report.slice(100_000)}\n`,
  ]);
  assertEquals([texts, marked], [[], [`${report}\n`]]);
});
