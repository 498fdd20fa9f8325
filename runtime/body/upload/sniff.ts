interface Signature {
  readonly type: string;
  /** One character a byte; `?` stands for any byte. */
  readonly bytes: string;
  readonly at: number;
}

export const sniffedBytes = 512;

function signature(type: string, bytes: string, at = 0): Signature {
  return { type, bytes, at };
}

/** Tags by which the MIME Sniffing Standard knows HTML; a blank or `>` must follow. */
const tag =
  /^(?:<(?:!DOCTYPE HTML|HTML|HEAD|SCRIPT|IFRAME|H1|DIV|FONT|TABLE|A|STYLE|TITLE|B|BODY|BR|P)|<!--)[ >]/i;

/** In the order of Go's `net/http` (`sniff.go`), which is the MIME Sniffing Standard's with fonts. */
const signatures: readonly Signature[] = [
  signature("application/pdf", "%PDF-"),
  signature("application/postscript", "%!PS"),
  signature("text/plain", "\xfe\xff??"),
  signature("text/plain", "\xff\xfe??"),
  signature("text/plain", "\xef\xbb\xbf?"),
  signature("image/x-icon", "\0\0\x01\0"),
  signature("image/x-icon", "\0\0\x02\0"),
  signature("image/bmp", "BM"),
  signature("image/gif", "GIF87a"),
  signature("image/gif", "GIF89a"),
  signature("image/webp", "RIFF????WEBPVP"),
  signature("image/png", "\x89PNG\r\n\x1a\n"),
  signature("image/jpeg", "\xff\xd8\xff"),
  signature("audio/aiff", "FORM????AIFF"),
  signature("audio/aiff", "FORM????AIFC"),
  signature("audio/mpeg", "ID3"),
  signature("application/ogg", "OggS\0"),
  signature("audio/midi", "MThd\0\0\0\x06"),
  signature("video/avi", "RIFF????AVI "),
  signature("audio/wave", "RIFF????WAVE"),
  signature("audio/wave", "RF64????WAVE"),
  signature("audio/wave", "RIFX????WAVE"),
];

/** The rest of the order: what comes after the tests of boxes, which are computations. */
const laterSignatures: readonly Signature[] = [
  signature("video/webm", "\x1a\x45\xdf\xa3"),
  signature("application/vnd.ms-fontobject", "LP", 34),
  signature("font/ttf", "\0\x01\0\0"),
  signature("font/ttf", "true\0"),
  signature("font/otf", "OTTO"),
  signature("font/collection", "ttcf"),
  signature("font/woff", "wOFF"),
  signature("font/woff2", "wOF2"),
  signature("application/x-gzip", "\x1f\x8b\x08"),
  signature("application/zip", "PK\x03\x04"),
  signature("application/zip", "PK\x05\x06"),
  signature("application/zip", "PK\x07\x08"),
  signature("application/x-rar-compressed", "Rar!\x1a\x07\0"),
  signature("application/x-rar-compressed", "Rar!\x1a\x07\x01\0"),
  signature("application/wasm", "\0asm"),
  // Not in Go's list.
  signature("image/jxl", "\xff\x0a"),
  signature("image/jxl", "\0\0\0\x0cJXL \r\n\x87\n"),
  signature("image/tiff", "II*\0"),
  signature("image/tiff", "MM\0*"),
  signature("image/tiff", "II+\0"),
  signature("image/tiff", "MM\0+"),
  signature("video/mpeg", "\0\0\x01\xba"),
  signature("video/mpeg", "\0\0\x01\xb3"),
  signature("audio/flac", "fLaC"),
  signature("model/gltf-binary", "glTF"),
  signature("application/x-7z-compressed", "7z\xbc\xaf\x27\x1c"),
  signature("application/x-tar", "ustar", 257),
  // Documents of Office before 2007.
  signature("application/x-ole-storage", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
];

export const sniffedTypes: ReadonlySet<string> = new Set([
  ...[...signatures, ...laterSignatures].map(({ type }) => type),
  ..."text/html text/xml video/mp4 image/avif image/heic video/quicktime video/3gpp".split(" "),
]);

/**
 * Finds the media type of a file by its first 512 bytes, as Go's `http.DetectContentType` does, but
 * without parameters and with more pictures, sounds and archives. It describes the bytes, not how a program
 * will interpret them: archives of every kind are `application/zip`, CSV and SVG are `text/plain` or
 * `text/xml`.
 */
export function sniffType(head: Uint8Array): string {
  const bytes = latin1.decode(head.subarray(0, sniffedBytes));
  const text = bytes.replace(/^[ \t\n\f\r]+/, "");
  if (tag.test(text)) return "text/html";
  if (text.startsWith("<?xml")) return "text/xml";
  const fits = (signature: Signature): boolean => matches(bytes, signature);
  return signatures.find(fits)?.type ?? boxType(bytes) ?? laterSignatures.find(fits)?.type ??
    (isTarHead(bytes) ? "application/x-tar" : undefined) ??
    (isBinary(text) ? "application/octet-stream" : "text/plain");
}

// The label "latin1" of the Encoding Standard is windows-1252, which changes some bytes.
const latin1 = {
  decode: (bytes: Uint8Array): string => String.fromCharCode(...bytes),
};

/** Reports whether a string, a character a byte, has one that no text has (MIME Sniffing, section 3). */
export function isBinary(text: string): boolean {
  // deno-lint-ignore no-control-regex -- control characters are what it looks for
  return /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(text);
}

/** Checks the sum in the head of a tar member: archives before POSIX have no signature. */
function isTarHead(bytes: string): boolean {
  const stored = bytes.slice(148, 156);
  if (bytes.length < 512 || !/^ *[0-7]+[\0 ]/.test(stored)) return false;
  let sum = 0;
  for (let i = 0; i < 512; i++) sum += i >= 148 && i < 156 ? 32 : bytes.charCodeAt(i);
  return sum === parseInt(stored.trim(), 8);
}

function matches(text: string, { bytes, at }: Signature): boolean {
  if (text.length < at + bytes.length) return false;
  for (let i = 0; i < bytes.length; i++) {
    const wanted = bytes.charAt(i);
    if (wanted !== "?" && text.charAt(at + i) !== wanted) return false;
  }
  return true;
}

/** Major brands of pictures in ISO base media files (ISO/IEC 23008-12, AV1 Image File Format). */
const pictureBrands: ReadonlyMap<string, string> = new Map([
  ["avif", "image/avif"],
  ["avis", "image/avif"],
  ["heic", "image/heic"],
  ["heix", "image/heic"],
  ["heim", "image/heic"],
  ["heis", "image/heic"],
  ["hevc", "image/heic"],
  ["hevx", "image/heic"],
]);

function boxType(text: string): string | undefined {
  const brands = boxBrands(text);
  const [major = ""] = brands;
  // `mif1` and `msf1` name the container alone; a compatible brand names the coding.
  const names = major === "mif1" || major === "msf1" ? brands : [major];
  const picture = names.map((name) => pictureBrands.get(name)).find((type) => type !== undefined);
  // MIME Sniffing Standard, section 6.2.1.
  if (picture !== undefined || brands.some((brand) => brand.startsWith("mp4"))) {
    return picture ?? "video/mp4";
  }
  if (major === "qt  ") return "video/quicktime";
  return major.startsWith("3g") ? "video/3gpp" : undefined;
}

/** Returns the brands of a `ftyp` box, the major one first; none where there is no such box. */
function boxBrands(text: string): string[] {
  if (text.length < 12 || text.slice(4, 8) !== "ftyp") return [];
  const size = [0, 1, 2, 3].reduce((sum, at) => sum * 256 + text.charCodeAt(at), 0);
  if (size > text.length || size % 4 !== 0) return [];
  const starts = Array.from({ length: Math.max(size / 4 - 2, 0) }, (_, index) => 8 + 4 * index);
  // The four bytes after the major brand are its version.
  return starts.filter((at) => at !== 12).map((at) => text.slice(at, at + 4));
}
