import { assertEquals } from "@std/assert";
import { mediaTypeOf } from "../../../runtime/base/media_types.ts";

const utf8 = "; charset=utf-8";

const rows: readonly [name: string, type: string][] = [
  ["a.HTML", `text/html${utf8}`],
  ["a.min.css", `text/css${utf8}`],
  ["feed.rss", "application/rss+xml"],
  ["a.yaml", "application/yaml"],
  ["film.m4v", "video/mp4"],
  ["song.m4a", "audio/mp4"],
  ["image.apng", "image/apng"],
  ["letter.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["card.vcf", `text/vcard${utf8}`],
  ["a", "application/octet-stream"],
  ["a.constructor", "application/octet-stream"],
  ["a.exe", "application/octet-stream"],
];

for (const [name, type] of rows) {
  Deno.test(`mediaTypeOf ${name}`, () => assertEquals(mediaTypeOf(name), type));
}
