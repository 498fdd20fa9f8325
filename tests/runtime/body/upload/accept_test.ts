import { assert, assertEquals } from "@std/assert";
import { acceptType, isKnownType } from "../../../../runtime/body/upload/accept.ts";
import { mediaTypes } from "../../../../runtime/base/media_types.ts";

const zip = "PK\x03\x04\x14\0\x06\0";
const box = (brand: string, name = "ftyp"): string => `\0\0\0\x14${name}${brand}\0\0\0\0`;
const ebml = "\x1a\x45\xdf\xa3";

/** The start of a usual file by extension, a character a byte; those of text are not listed. */
const heads: Readonly<Record<string, string>> = {
  "7z": "7z\xbc\xaf\x27\x1c",
  aac: "\xff\xf1\x50\x80",
  aiff: "FORM\0\0\x10\0AIFF",
  apng: "\x89PNG\r\n\x1a\n",
  avi: "RIFF\0\0\0\0AVI LIST",
  avif: box("avif") + "avif",
  bmp: "BM\x36\0",
  doc: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
  docx: zip,
  eot: "\0".repeat(34) + "LP",
  epub: zip,
  flac: "fLaC\0\0\0\x22",
  gif: "GIF89a",
  glb: "glTF\x02\0\0\0",
  gz: "\x1f\x8b\x08\0",
  heic: box("heic") + "mif1",
  heif: box("mif1") + "heim",
  ico: "\0\0\x01\0\x01\0",
  jpeg: "\xff\xd8\xff\xe0",
  jpg: "\xff\xd8\xff\xe1",
  jxl: "\xff\x0a\xfa",
  m4a: box("M4A "),
  m4v: box("M4V "),
  mid: "MThd\0\0\0\x06",
  mkv: ebml,
  mov: box("qt  "),
  mp3: "\xff\xfb\x90\x64",
  mp4: box("iso5", "styp"),
  odp: zip,
  ods: zip,
  odt: zip,
  oga: "OggS\0\x02",
  ogg: "OggS\0\x02",
  ogv: "OggS\0\x02",
  opus: "OggS\0\x02",
  otf: "OTTO\0",
  pdf: "\n%PDF-1.7",
  png: "\x89PNG\r\n\x1a\n",
  ppt: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
  pptx: zip,
  ps: "%!PS-Adobe-3.0",
  rar: "Rar!\x1a\x07\x01\0",
  tar: "a.txt".padEnd(257, "\0") + "ustar\0",
  tif: "II*\0",
  tiff: "MM\0*",
  ttc: "ttcf\0\x01",
  ttf: "\0\x01\0\0\0",
  wasm: "\0asm\x01\0\0\0",
  wav: "RIFF\0\0\0\0WAVEfmt ",
  weba: ebml,
  webm: ebml,
  webp: "RIFF\0\0\0\0WEBPVP8 ",
  woff: "wOFF",
  woff2: "wOF2",
  xls: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
  xlsx: zip,
  zip,
  htm: "<!doctype html>",
  html: "<!doctype html>",
  svg: '<?xml version="1.0"?><svg/>',
  rtf: "{\\rtf1",
};

function accept(head: string, name: string, ...types: string[]): string | undefined {
  const bytes = Uint8Array.from(head, (char) => char.charCodeAt(0));
  return acceptType({ head: bytes, name }, types)?.mime;
}

for (const [extension, whole] of Object.entries(mediaTypes)) {
  const [type = ""] = whole.split(";");
  const head = heads[extension] ?? "a,b\r\nc,d\r\n";
  Deno.test(`accept ${type} accepts a file with the ending .${extension}`, () => {
    assert(isKnownType(type));
    assertEquals(accept(head, `a.${extension}`, type), type);
    assertEquals(accept("\x7fELF\x02\x01\x01", `a.${extension}`, type), undefined);
    assert(accept(head, `A.${extension.toUpperCase()}`, "*/*") !== undefined);
  });
}

const taken: readonly [head: string, name: string, accept: string, mime: string][] = [
  ["BMI,age\n", "a.csv", "text/csv", "text/csv"],
  ["caf\xe9;1\n", "a.csv", "text/csv", "text/csv"],
  ["\xff\xfea\0,\0", "a.csv", "application/csv", "application/csv"],
  ['{"a":1}', "a.json", "application/json", "application/json"],
  ["<svg xmlns=x>", "a.svg", "image/svg+xml", "image/svg+xml"],
  ["<!-- made by hand --><svg>", "a.svg", "image/svg+xml", "image/svg+xml"],
  ["<h1>Title</h1>", "README.md", "text/markdown", "text/markdown"],
  ["a,b\n", "a.csv", "text/plain", "text/plain"],
  ["a,b\n", "a.csv", "text/*", "text/plain"],
  [zip, "a.docx", "application/zip", "application/zip"],
  ["RIFF\0\0\0\0WAVE", "a", "audio/x-wav", "audio/x-wav"],
  ["\x1f\x8b\x08", "a", "application/gzip", "application/gzip"],
  ["\0\0\x01\0", "a", "image/vnd.microsoft.icon", "image/vnd.microsoft.icon"],
  ["ID3\x04", "a", "audio/mp3", "audio/mp3"],
  ["OggS\0\x02", "a.ogg", "audio/*", "audio/ogg"],
  [ebml, "a.weba", "audio/*", "audio/webm"],
  ["\xff\xfb\x90\x64", "a.mp3", "audio/*", "audio/mpeg"],
  [box("isom", "moov"), "a.mov", "video/*", "video/quicktime"],
  ["II*\0", "a.bin", "image/*", "image/tiff"],
];

for (const [head, name, type, mime] of taken) {
  Deno.test(`accept ${type} accepts ${JSON.stringify(head.slice(0, 20))} named ${name}`, () => {
    assertEquals(accept(head, name, type), mime);
  });
}

const refused: readonly [head: string, name: string, accept: string][] = [
  ["<html><script>", "a.csv", "text/csv"],
  ["<!doctype html>", "a.json", "application/json"],
  ["<svg onload=alert(1)>", "a.svg", "image/*"],
  ["<svg onload=alert(1)>", "a.png", "image/svg+xml"],
  ["a,b\n", "a.png", "image/png"],
  ["a,b\n", "a.txt", "text/csv"],
  ["\x89PNG\r\n\x1a\n", "a.csv", "text/csv"],
  ["%PDF-1.7", "a.csv", "text/csv"],
  ["MZ\x90\0\x03", "a.docx", "*/x"],
  ["PK\x03\x04", "a.zip", "application/vnd.oasis.opendocument.text"],
  ["a,b\n", "a.docx", "application/msword"],
  ["\xff\xfea\0", "a.mp3", "audio/mpeg"],
];

for (const [head, name, type] of refused) {
  Deno.test(`accept ${type} refuses ${JSON.stringify(head.slice(0, 20))} named ${name}`, () => {
    assertEquals(accept(head, name, type), undefined);
  });
}
