import { assertEquals } from "@std/assert";
import { extensionOf } from "../../../../runtime/body/upload/accept.ts";
import { sniffedTypes, sniffType } from "../../../../runtime/body/upload/sniff.ts";

/**
 * Bytes are written as one character each. Whole files of the types that `accept` can name are in its test.
 */
const vectors: readonly [name: string, head: string, type: string][] = [
  ["nothing", "", "text/plain"],
  ["text", "hello, world", "text/plain"],
  ["CSV", "name,age\nada,36\n", "text/plain"],
  ["JSON", '{"a":1}', "text/plain"],
  ["text with an escape sequence", "\x1b[31mred", "text/plain"],
  ["text in UTF-8", "caf\xc3\xa9", "text/plain"],
  ["a byte order mark of UTF-8", "\xef\xbb\xbfx", "text/plain"],
  ["a byte order mark of UTF-16BE", "\xfe\xff\0a", "text/plain"],
  ["a byte order mark of UTF-16LE", "\xff\xfea\0", "text/plain"],
  ["three bytes that resemble a byte order mark", "\xef\xbb\xbf", "text/plain"],
  ["control characters", "\x01\x02\x03", "application/octet-stream"],
  ["a NUL after text", "text\0", "application/octet-stream"],
  ["a NUL after the 512th byte", " ".repeat(512) + "\0", "text/plain"],
  ["a doctype", "<!DOCTYPE HTML>...", "text/html"],
  ["a doctype in another case", "<!doctype HtMl>", "text/html"],
  ["html with an attribute", "<html lang=en>", "text/html"],
  ["html after whitespace", "\t\n\f\r <html>", "text/html"],
  ["a script", "<script>alert(1)</script>", "text/html"],
  ["a comment", "<!-- x -->", "text/html"],
  ["a comment that ends immediately", "<!-->", "text/html"],
  ["a paragraph", "<p>x", "text/html"],
  ["a link", "<a href=x>", "text/html"],
  ["a tag that starts like another", "<article>", "text/plain"],
  ["a tag without end", "<html", "text/plain"],
  ["a tag before a line break", "<html\n>", "text/plain"],
  ["XML", '<?xml version="1.0"?><svg/>', "text/xml"],
  ["XML after whitespace", '\n<?xml version="1.0"?>', "text/xml"],
  ["SVG without a declaration", "<svg onload=x>", "text/plain"],
  ["PDF after whitespace", " %PDF-1.7", "text/plain"],
  ["PostScript", "%!PS-Adobe-3.0", "application/postscript"],
  ["a cursor", "\0\0\x02\0", "image/x-icon"],
  ["GIF 87a", "GIF87a.", "image/gif"],
  ["GIF of no version", "GIF90a.", "text/plain"],
  ["RIFF of another kind", "RIFF\x10\0\0\0XXXX", "application/octet-stream"],
  ["PNG with converted line endings", "\x89PNG\n\x1a\n\0", "application/octet-stream"],
  ["truncated JPEG", "\xff\xd8", "text/plain"],
  ["an AVIF sequence", "\0\0\0\x14ftypavis\0\0\0\0avif", "image/avif"],
  ["AVIF by a compatible brand", "\0\0\0\x18ftypmif1\0\0\0\0mif1avif", "image/avif"],
  ["HEIC by a compatible brand", "\0\0\0\x18ftypmif1\0\0\0\0mif1heic", "image/heic"],
  ["a container without an image brand", "\0\0\0\x10ftypmif1\0\0\0\0", "application/octet-stream"],
  ["MP4 that is compatible with AVIF", "\0\0\0\x18ftypisom\0\0\0\0avifmp42", "video/mp4"],
  ["AVIF with an empty box", "\0\0\0\0ftypavif\0\0\0\0", "application/octet-stream"],
  ["truncated AVIF", "\0\0\0\x1cftypav", "application/octet-stream"],
  ["JPEG XL in a container", "\0\0\0\x0cJXL \r\n\x87\n", "image/jxl"],
  ["MP3 with a tag", "ID3\x03", "audio/mpeg"],
  ["Ogg without a version", "OggS\x01", "application/octet-stream"],
  ["MP4", "\0\0\0\x18ftypmp42\0\0\0\0mp42isom", "video/mp4"],
  ["MP4 by a compatible brand", "\0\0\0\x18ftypisom\0\0\x02\0isommp41", "video/mp4"],
  ["MP4, its version resembles a brand", "\0\0\0\x10ftypisommp42", "application/octet-stream"],
  ["MP4 with a box longer than the head", "\0\0\x03\0ftypmp42", "application/octet-stream"],
  ["MP4 with a box of an odd size", "\0\0\0\x0dftypmp42x", "application/octet-stream"],
  ["gzip", "\x1f\x8b\x08", "application/x-gzip"],
  ["an empty ZIP", "PK\x05\x06\0\0", "application/zip"],
  ["RAR 4", "Rar!\x1a\x07\0", "application/x-rar-compressed"],
  ["an ELF program", "\x7fELF\x02\x01", "application/octet-stream"],
  ["a Windows program", "MZ\x90\0\x03", "application/octet-stream"],
  ["a shell script", "#!/bin/sh\n", "text/plain"],
];

for (const [name, head, type] of vectors) {
  Deno.test(`sniffType: ${name} is ${type}`, () => {
    assertEquals(sniffType(Uint8Array.from(head, (char) => char.charCodeAt(0))), type);
  });
}

Deno.test("sniffType: reads a view of a larger buffer from the view's start", () => {
  const buffer = new TextEncoder().encode("xxxxGIF89a");
  assertEquals(sniffType(buffer.subarray(4)), "image/gif");
});

Deno.test("extensionOf: every known type has an extension", () => {
  const types = [...sniffedTypes].filter((type) => !/^\.[a-z0-9]+$/.test(extensionOf(type)));
  assertEquals(types, ["application/x-ole-storage"]);
  assertEquals(extensionOf("application/octet-stream"), "");
});
