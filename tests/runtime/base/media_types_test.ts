import { assertEquals } from "@std/assert";
import { mediaTypeOf } from "../../../runtime/base/media_types.ts";

const utf8 = "; charset=utf-8";

/** The test of `accept` reads a file of every type. */
const rows: readonly [name: string, type: string][] = [
  ["a.HTML", `text/html${utf8}`],
  ["a.min.css", `text/css${utf8}`],
  ["a.mjs", `text/javascript${utf8}`],
  ["a.yaml", "application/yaml"],
  ["captions.vtt", `text/vtt${utf8}`],
  ["letter.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["card.vcf", `text/vcard${utf8}`],
  ["a", "application/octet-stream"],
  ["a.", "application/octet-stream"],
  ["a.constructor", "application/octet-stream"],
  ["a.exe", "application/octet-stream"],
];

for (const [name, type] of rows) {
  Deno.test(`mediaTypeOf ${name}`, () => assertEquals(mediaTypeOf(name), type));
}
