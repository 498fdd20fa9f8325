import { assert, assertEquals } from "@std/assert";
import { acceptType, isKnownType } from "../../../../runtime/body/upload/accept.ts";
import { listMediaTypes } from "../../../../runtime/base/media_types.ts";

const zip = "PK\x03\x04\x14\0\x06\0";
const box = (brand: string, name = "ftyp"): string => `\0\0\0\x14${name}${brand}\0\0\0\0`;
const ebml = "\x1a\x45\xdf\xa3";

/** The start of a typical file, one character per byte, and its extensions, without text files. */
const starts: readonly (readonly [extensions: string, head: string])[] = [
  ["docx epub odp ods odt pptx xlsx zip", zip],
  ["doc ppt xls", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"],
  ["mkv weba webm", ebml],
  ["oga ogg ogv opus", "OggS\0\x02"],
  ["jfif jpeg", "\xff\xd8\xff\xe0"],
  ["apng png", "\x89PNG\r\n\x1a\n"],
  ["gz tgz", "\x1f\x8b\x08\0"],
  ["mid midi", "MThd\0\0\0\x06"],
  ["aif aifc", "FORM\0\0\x10\0AIFC"],
  ["htm html", "<!doctype html>"],
  ["3gp", box("3gp4")],
  ["7z", "7z\xbc\xaf\x27\x1c"],
  ["aac", "\xff\xf1\x50\x80"],
  ["aiff", "FORM\0\0\x10\0AIFF"],
  ["avi", "RIFF\0\0\0\0AVI LIST"],
  ["avif", box("avif") + "avif"],
  ["bmp", "BM\x36\0"],
  ["eot", "\0".repeat(34) + "LP"],
  ["eps", "\xc5\xd0\xd3\xc6\x1e\0"],
  ["flac", "fLaC\0\0\0\x22"],
  ["gif", "GIF89a"],
  ["glb", "glTF\x02\0\0\0"],
  ["heic", box("heic") + "mif1"],
  ["heif", box("mif1") + "heim"],
  ["ico", "\0\0\x01\0\x01\0"],
  ["jpg", "\xff\xd8\xff\xe1"],
  ["jxl", "\xff\x0a\xfa"],
  ["m4a", box("M4A ")],
  ["m4b", box("M4B ")],
  ["m4v", box("M4V ")],
  ["mov", box("qt  ")],
  ["mp3", "\xff\xfb\x90\x64"],
  ["mp4", box("iso5", "styp")],
  ["mpeg", "\0\0\x01\xb3"],
  ["mpg", "\0\0\x01\xba"],
  ["otf", "OTTO\0"],
  ["pdf", "\n%PDF-1.7"],
  ["ps", "%!PS-Adobe-3.0"],
  ["rar", "Rar!\x1a\x07\x01\0"],
  ["rtf", "{\\rtf1"],
  ["svg", '<?xml version="1.0"?><svg/>'],
  ["tar", "a.txt".padEnd(257, "\0") + "ustar\0"],
  ["tif", "II*\0"],
  ["tiff", "MM\0*"],
  ["ttc", "ttcf\0\x01"],
  ["ttf", "\0\x01\0\0\0"],
  ["wasm", "\0asm\x01\0\0\0"],
  ["wav", "RIFF\0\0\0\0WAVEfmt "],
  ["webp", "RIFF\0\0\0\0WEBPVP8 "],
  ["woff", "wOFF"],
  ["woff2", "wOF2"],
];
const heads = new Map(
  starts.flatMap(([extensions, head]) => extensions.split(" ").map((each) => [each, head])),
);

function accept(head: string, name: string, ...types: string[]): string | undefined {
  const bytes = Uint8Array.from(head, (char) => char.charCodeAt(0));
  return acceptType({ head: bytes, name }, types)?.mime;
}

for (const [extension, whole] of Object.entries(listMediaTypes())) {
  const [type = ""] = whole.split(";");
  const head = heads.get(extension) ?? "a,b\r\nc,d\r\n";
  Deno.test(`accept ${type} accepts a file with the ending .${extension}`, () => {
    assert(isKnownType(type));
    assertEquals(accept(head, `a.${extension}`, type), type);
    assertEquals(accept("\x7fELF\x02\x01\x01", `a.${extension}`, type), undefined);
    assert(accept(head, `A.${extension.toUpperCase()}`, "*/*") !== undefined);
  });
}

const office = "application/vnd.openxmlformats-officedocument";

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
  ["FORM\0\0\x10\0AIFC", "a.aiff", "audio/x-aiff", "audio/x-aiff"],
  ["ID3\x04\0", "a.flac", "audio/flac", "audio/flac"],
  ["ID3\x04\0", "a.aac", "audio/aac", "audio/aac"],
  ["ID3\x04\0", "a.flac", "audio/*", "audio/flac"],
  ["ADIF\0", "a.aac", "audio/aac", "audio/aac"],
  ["true\0\x0d", "a.ttf", "font/ttf", "font/ttf"],
  ["\0\x01\0\0", "a.otf", "application/x-font-otf", "application/x-font-otf"],
  ["PK\x05\x06" + "\0".repeat(18), "a.zip", "application/zip", "application/zip"],
  ["PK\x05\x06" + "\0".repeat(18), "a.zip", "application/*", "application/zip"],
  ["%!PS\n%%EOF", "a", "application/postscript", "application/postscript"],
  ["%!\nshowpage", "a.ps", "application/postscript", "application/postscript"],
  ["\x04%!PS-Adobe-3.0", "a.ps", "application/postscript", "application/postscript"],
  [ebml, "a.webm", "audio/webm", "audio/webm"],
  [ebml, "blob", "audio/*", "audio/webm"],
  [ebml, "a.mkv", "video/*", "video/x-matroska"],
  [box("isom"), "a.mp4", "audio/mp4", "audio/mp4"],
  [box("isom"), "blob", "AUDIO/MP4", "audio/mp4"],
  [box("isom"), "a.mp4", "video/*", "video/mp4"],
  [box("M4A "), "a.m4a", "audio/x-m4a", "audio/x-m4a"],
  [box("M4A "), "a.m4a", "audio/*", "audio/mp4"],
  [box("qt  ") + "qt  ", "blob", "video/quicktime", "video/quicktime"],
  [box("3gp5") + "3gp5", "blob", "video/*", "video/3gpp"],
  [box("qt  "), "a.mp4", "video/mp4", "video/mp4"],
  ["\x89PNG\r\n\x1a\n", "a.png", "image/apng", "image/apng"],
  ["\x89PNG\r\n\x1a\n", "a.apng", "image/png", "image/png"],
  ["OggS\0\x02", "a.ogg", "video/ogg", "video/ogg"],
  ["OggS\0\x02", "a.ogv", "audio/opus", "audio/opus"],
  ["OggS\0\x02", "blob", "video/*", "video/ogg"],
  [box("heic") + "mif1", "a.heic", "image/heif", "image/heif"],
  [box("mif1") + "avif", "blob", "image/heif", "image/heif"],
  [box("hevc"), "a.heic", "image/*", "image/heic"],
  ["# A", "a.markdown", "text/markdown", "text/markdown"],
  [box("M4B "), "a.m4b", "audio/mp4", "audio/mp4"],
  [
    "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "a.docx",
    `${office}.wordprocessingml.document`,
    `${office}.wordprocessingml.document`,
  ],
  ["RF64\xff\xff\xff\xffWAVEds64\x1c\0", "a.wav", "audio/wav", "audio/wav"],
  ["\xef\xbb\xbf<svg xmlns=x>", "a.svg", "image/svg+xml", "image/svg+xml"],
  ["\xff\xfe<\0s\0v\0g\0>\0", "a.svg", "image/svg+xml", "image/svg+xml"],
  [
    '<?xml version="1.0"?>\n<!-- A -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" [',
    "a.svg",
    "image/svg+xml",
    "image/svg+xml",
  ],
  [`<!--${" long".repeat(110)}`, "a.svg", "image/svg+xml", "image/svg+xml"],
  ["<svg:svg xmlns:svg=x>", "a.SVG", "image/svg+xml", "image/svg+xml"],
  ["BMX bikes\nand more of them\n", "a.txt", "text/plain", "text/plain"],
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
  ["<html><script>alert(1)</script>", "a.svg", "image/svg+xml"],
  ["<!-- x --><script>alert(1)</script>", "a.svg", "image/svg+xml"],
  ['<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">', "a.svg", "image/svg+xml"],
  ["<!DOCTYPE html><svg>", "a.svg", "image/svg+xml"],
  ["alert(1)", "a.svg", "image/svg+xml"],
  ["", "a.svg", "image/svg+xml"],
  ["\n", "a.svg", "image/svg+xml"],
  ['<?xml version="1.0"?>', "a.svg", "image/svg+xml"],
  [`<?php\n/*${" long".repeat(110)}`, "a.svg", "image/svg+xml"],
  ["\xff\xfe<\0h\0t\0m\0l\0>\0", "a.svg", "image/svg+xml"],
  ["GIF89a=1;alert(document.cookie)", "a.gif", "image/gif"],
  ["GIF89a<script>alert(1)</script>", "a.html", "image/*"],
  ["BM<script>alert(1)</script>", "a.bmp", "image/bmp"],
  ["<script>alert(1)</script>%PDF-", "a.pdf", "application/pdf"],
  ["the free world", "a.mp4", "video/mp4"],
  ["abcdftypisom text", "a.mp4", "video/mp4"],
  [box("isom"), "a.heif", "image/heif"],
  [box("heic"), "a.mp4", "video/mp4"],
  [box("heic"), "a.mp4", "video/*"],
  [box("qt  "), "a.mov", "video/mp4"],
  ["ID3\x04\0", "a.ogg", "audio/ogg"],
  ["\x89PNG\r\n\x1a\n", "a.gif", "image/gif"],
];

for (const [head, name, type] of refused) {
  Deno.test(`accept ${type} refuses ${JSON.stringify(head.slice(0, 20))} named ${name}`, () => {
    assertEquals(accept(head, name, type), undefined);
  });
}
