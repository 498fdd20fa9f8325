interface Signature {
  readonly type: string;
  /** One character per byte; `?` stands for any byte. */
  readonly starts: readonly string[];
  /** The offset of the bytes. @default 0 */
  readonly at?: number;
}

export const sniffedBytes = 512;

/** Tags by which the MIME Sniffing Standard recognises HTML; a blank or `>` must follow. */
const tag =
  /^(?:<(?:!DOCTYPE HTML|HTML|HEAD|SCRIPT|IFRAME|H1|DIV|FONT|TABLE|A|STYLE|TITLE|B|BODY|BR|P)|<!--)[ >]/i;

/** In the order of Go's `net/http` (`sniff.go`): that of the MIME Sniffing Standard, plus fonts. */
const signatures: readonly Signature[] = [
  { type: "application/pdf", starts: ["%PDF-"] },
  { type: "application/postscript", starts: ["%!PS"] },
  { type: "text/plain", starts: ["\xfe\xff??", "\xff\xfe??", "\xef\xbb\xbf?"] },
  { type: "image/x-icon", starts: ["\0\0\x01\0", "\0\0\x02\0"] },
  { type: "image/bmp", starts: ["BM"] },
  { type: "image/gif", starts: ["GIF87a", "GIF89a"] },
  { type: "image/webp", starts: ["RIFF????WEBPVP"] },
  { type: "image/png", starts: ["\x89PNG\r\n\x1a\n"] },
  { type: "image/jpeg", starts: ["\xff\xd8\xff"] },
  { type: "audio/aiff", starts: ["FORM????AIFF", "FORM????AIFC"] },
  { type: "audio/mpeg", starts: ["ID3"] },
  { type: "application/ogg", starts: ["OggS\0"] },
  { type: "audio/midi", starts: ["MThd\0\0\0\x06"] },
  { type: "video/avi", starts: ["RIFF????AVI "] },
  { type: "audio/wave", starts: ["RIFF????WAVE", "RF64????WAVE", "RIFX????WAVE"] },
];

/** The signatures that follow the box tests, which are computed. */
const laterSignatures: readonly Signature[] = [
  { type: "video/webm", starts: ["\x1a\x45\xdf\xa3"] },
  { type: "application/vnd.ms-fontobject", starts: ["LP"], at: 34 },
  { type: "font/ttf", starts: ["\0\x01\0\0", "true\0"] },
  { type: "font/otf", starts: ["OTTO"] },
  { type: "font/collection", starts: ["ttcf"] },
  { type: "font/woff", starts: ["wOFF"] },
  { type: "font/woff2", starts: ["wOF2"] },
  { type: "application/x-gzip", starts: ["\x1f\x8b\x08"] },
  { type: "application/zip", starts: ["PK\x03\x04", "PK\x05\x06", "PK\x07\x08"] },
  { type: "application/x-rar-compressed", starts: ["Rar!\x1a\x07\0", "Rar!\x1a\x07\x01\0"] },
  { type: "application/wasm", starts: ["\0asm"] },
  // Not in Go's list.
  { type: "image/jxl", starts: ["\xff\x0a", "\0\0\0\x0cJXL \r\n\x87\n"] },
  { type: "image/tiff", starts: ["II*\0", "MM\0*", "II+\0", "MM\0+"] },
  { type: "video/mpeg", starts: ["\0\0\x01\xba", "\0\0\x01\xb3"] },
  { type: "audio/flac", starts: ["fLaC"] },
  { type: "model/gltf-binary", starts: ["glTF"] },
  { type: "application/x-7z-compressed", starts: ["7z\xbc\xaf\x27\x1c"] },
  { type: "application/x-tar", starts: ["ustar"], at: 257 },
  // Documents of Office before 2007.
  { type: "application/x-ole-storage", starts: ["\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"] },
];

export const sniffedTypes: ReadonlySet<string> = new Set([
  ...[...signatures, ...laterSignatures].map(({ type }) => type),
  ..."text/html text/xml video/mp4 image/avif image/heic video/quicktime video/3gpp".split(" "),
]);

/**
 * Finds the media type of a file by its first 512 bytes, as Go's `http.DetectContentType` does, but without
 * parameters and with more pictures, sounds and archives. Archives of every kind are `application/zip`, CSV
 * and SVG are `text/plain` or `text/xml`.
 */
export function sniffType(head: Uint8Array): string {
  // The label "latin1" of the Encoding Standard is windows-1252, which changes some bytes.
  const bytes = String.fromCharCode(...head.subarray(0, sniffedBytes));
  const text = bytes.replace(/^[ \t\n\f\r]+/, "");
  if (tag.test(text)) return "text/html";
  if (text.startsWith("<?xml")) return "text/xml";
  const fits = (signature: Signature): boolean => matches(bytes, signature);
  return signatures.find(fits)?.type ?? boxType(bytes) ?? laterSignatures.find(fits)?.type ??
    (isBinary(text) ? "application/octet-stream" : "text/plain");
}

/** Reports whether a string (one character per byte) has a binary data byte (MIME Sniffing, section 3). */
export function isBinary(text: string): boolean {
  // deno-lint-ignore no-control-regex -- control characters are what it looks for
  return /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(text);
}

function matches(text: string, { starts, at = 0 }: Signature): boolean {
  return starts.some((bytes) =>
    text.length >= at + bytes.length &&
    [...bytes].every((byte, index) => byte === "?" || text.charAt(at + index) === byte)
  );
}

/** Major brands of pictures in ISO base media files (ISO/IEC 23008-12, AV1 Image File Format). */
const pictureBrand = /^(?:(avi[fs])|hei[cmsx]|hev[cx])$/;

function boxType(text: string): string | undefined {
  const brands = boxBrands(text);
  const [major = ""] = brands;
  // `mif1` and `msf1` name the container alone; a compatible brand names the coding.
  const names = major === "mif1" || major === "msf1" ? brands : [major];
  const picture = names.map((name) => pictureBrand.exec(name)).find((match) => match !== null);
  if (picture !== undefined) return picture[1] === undefined ? "image/heic" : "image/avif";
  // MIME Sniffing Standard, section 6.2.1.
  if (brands.some((brand) => brand.startsWith("mp4"))) return "video/mp4";
  if (major === "qt  ") return "video/quicktime";
  return major.startsWith("3g") ? "video/3gpp" : undefined;
}

/** Returns the brands of a `ftyp` box, the major one first; none without such a box. */
function boxBrands(text: string): string[] {
  if (text.length < 12 || text.slice(4, 8) !== "ftyp") return [];
  const size = [0, 1, 2, 3].reduce((sum, at) => sum * 256 + text.charCodeAt(at), 0);
  if (size > text.length || size % 4 !== 0) return [];
  const starts = Array.from({ length: Math.max(size / 4 - 2, 0) }, (_, index) => 8 + 4 * index);
  // The four bytes after the major brand are its version.
  return starts.filter((at) => at !== 12).map((at) => text.slice(at, at + 4));
}
