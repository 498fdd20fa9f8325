import { assertEquals } from "@std/assert";
import { mediaTypeOf } from "../../../runtime/base/media_types.ts";

const utf8 = "; charset=utf-8";

const rows: readonly [name: string, type: string][] = [
  ["a.HTML", `text/html${utf8}`],
  ["a.min.css", `text/css${utf8}`],
  ["a.mjs", `text/javascript${utf8}`],
  ["feed.rss", "application/rss+xml"],
  ["feed.atom", "application/atom+xml"],
  ["a.xhtml", "application/xhtml+xml"],
  ["a.geojson", "application/geo+json"],
  ["a.yaml", "application/yaml"],
  ["captions.vtt", `text/vtt${utf8}`],
  ["film.m4v", "video/mp4"],
  ["film.mov", "video/quicktime"],
  ["live.m3u8", "application/vnd.apple.mpegurl"],
  ["song.m4a", "audio/mp4"],
  ["song.aac", "audio/aac"],
  ["song.flac", "audio/flac"],
  ["song.opus", "audio/ogg"],
  ["image.apng", "image/apng"],
  ["image.jxl", "image/jxl"],
  ["image.heic", "image/heic"],
  ["image.tif", "image/tiff"],
  ["model.glb", "model/gltf-binary"],
  ["book.epub", "application/epub+zip"],
  ["letter.docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
  ["table.xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
  ["talk.pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"],
  ["letter.odt", "application/vnd.oasis.opendocument.text"],
  ["table.ods", "application/vnd.oasis.opendocument.spreadsheet"],
  ["card.vcf", `text/vcard${utf8}`],
  ["a", "application/octet-stream"],
  ["a.", "application/octet-stream"],
  ["a.constructor", "application/octet-stream"],
  ["a.exe", "application/octet-stream"],
];

for (const [name, type] of rows) {
  Deno.test(`mediaTypeOf ${name}`, () => assertEquals(mediaTypeOf(name), type));
}
