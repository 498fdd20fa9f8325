/** The leading bytes of one file type. */
interface Signature {
  /** The media type, without parameters. */
  readonly type: string;
  /** The bytes, from the start. */
  readonly pattern: Uint8Array;
  /** The bits that count; `undefined` when all do. */
  readonly mask: Uint8Array | undefined;
  /** Whether white space may come before. */
  readonly skipsSpace: boolean;
  /** Whether it is an HTML tag: letters of either case, then a space or `>`. */
  readonly isTag: boolean;
}

/** The number of bytes to inspect. */
const sniffedBytes = 512;

const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));

function exact(pattern: string, type: string): Signature {
  return { type, pattern: latin1(pattern), mask: undefined, skipsSpace: false, isTag: false };
}

function masked(pattern: string, options: { mask: string; type: string }): Signature {
  return { ...exact(pattern, options.type), mask: latin1(options.mask) };
}

/** Four characters of a container, four of its size, and what it holds. */
function container(pattern: string, type: string): Signature {
  const [outer = "", inner = ""] = pattern.split(" ");
  return masked(`${outer}\0\0\0\0${inner.replace("_", " ")}`, {
    mask: `\xff\xff\xff\xff\0\0\0\0${"\xff".repeat(inner.length)}`,
    type,
  });
}

const tags =
  "<!DOCTYPE HTML,<HTML,<HEAD,<SCRIPT,<IFRAME,<H1,<DIV,<FONT,<TABLE,<A,<STYLE,<TITLE,<B,<BODY,<BR,<P,<!--"
    .split(",").map((tag): Signature => ({
      ...exact(tag, "text/html"),
      skipsSpace: true,
      isTag: true,
    }));

/** In the order of Go's `net/http` (`sniff.go`), which is the MIME Sniffing Standard's with fonts. */
const signatures: readonly Signature[] = [
  ...tags,
  { ...exact("<?xml", "text/xml"), skipsSpace: true },
  exact("%PDF-", "application/pdf"),
  exact("%!PS-Adobe-", "application/postscript"),
  masked("\xfe\xff\0\0", { mask: "\xff\xff\0\0", type: "text/plain" }),
  masked("\xff\xfe\0\0", { mask: "\xff\xff\0\0", type: "text/plain" }),
  masked("\xef\xbb\xbf\0", { mask: "\xff\xff\xff\0", type: "text/plain" }),
  exact("\0\0\x01\0", "image/x-icon"),
  exact("\0\0\x02\0", "image/x-icon"),
  exact("BM", "image/bmp"),
  exact("GIF87a", "image/gif"),
  exact("GIF89a", "image/gif"),
  container("RIFF WEBPVP", "image/webp"),
  exact("\x89PNG\r\n\x1a\n", "image/png"),
  exact("\xff\xd8\xff", "image/jpeg"),
  container("FORM AIFF", "audio/aiff"),
  exact("ID3", "audio/mpeg"),
  exact("OggS\0", "application/ogg"),
  exact("MThd\0\0\0\x06", "audio/midi"),
  container("RIFF AVI_", "video/avi"),
  container("RIFF WAVE", "audio/wave"),
];

/** The rest of the order: what comes after the MP4 test, which is a computation. */
const laterSignatures: readonly Signature[] = [
  exact("\x1a\x45\xdf\xa3", "video/webm"),
  masked(`${"\0".repeat(34)}LP`, {
    mask: `${"\0".repeat(34)}\xff\xff`,
    type: "application/vnd.ms-fontobject",
  }),
  exact("\0\x01\0\0", "font/ttf"),
  exact("OTTO", "font/otf"),
  exact("ttcf", "font/collection"),
  exact("wOFF", "font/woff"),
  exact("wOF2", "font/woff2"),
  exact("\x1f\x8b\x08", "application/x-gzip"),
  exact("PK\x03\x04", "application/zip"),
  exact("Rar!\x1a\x07\0", "application/x-rar-compressed"),
  exact("Rar!\x1a\x07\x01\0", "application/x-rar-compressed"),
  exact("\0asm", "application/wasm"),
];

/**
 * Finds the media type of a file by its first 512 bytes, as Go's `http.DetectContentType` does, but
 * without parameters and with AVIF, HEIC and JPEG XL. It describes the bytes, not how a program will
 * interpret them: archives of every kind are `application/zip`, CSV and SVG are `text/plain` or
 * `text/xml`.
 *
 * @param head The first bytes; what comes after the 512th is ignored.
 * @returns The media type, `application/octet-stream` when nothing fits.
 */
export function sniffType(head: Uint8Array): string {
  const bytes = head.subarray(0, sniffedBytes);
  const textStart = skipSpace(bytes);
  const fits = (signature: Signature): boolean =>
    matches(signature.skipsSpace ? bytes.subarray(textStart) : bytes, signature);
  const early = signatures.find(fits);
  if (early !== undefined) return early.type;
  const picture = pictureType(bytes);
  if (picture !== undefined) return picture;
  if (isMp4(bytes)) return "video/mp4";
  const late = laterSignatures.find(fits);
  if (late !== undefined) return late.type;
  return bytes.subarray(textStart).some(isBinary) ? "application/octet-stream" : "text/plain";
}

function skipSpace(bytes: Uint8Array): number {
  let at = 0;
  while (at < bytes.length && isSpace(bytes[at])) at++;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d;
}

function isBinary(byte: number): boolean {
  return byte <= 0x08 || byte === 0x0b || (byte >= 0x0e && byte <= 0x1a) ||
    (byte >= 0x1c && byte <= 0x1f);
}

function matches(bytes: Uint8Array, signature: Signature): boolean {
  const { pattern, mask, isTag } = signature;
  if (bytes.length < pattern.length + (isTag ? 1 : 0)) return false;
  for (let i = 0; i < pattern.length; i++) {
    const wanted = pattern[i] ?? 0;
    let byte = (bytes[i] ?? 0) & (mask?.[i] ?? 0xff);
    if (isTag && wanted >= 0x41 && wanted <= 0x5a) byte &= 0xdf;
    if (byte !== wanted) return false;
  }
  const next = bytes[pattern.length];
  return !isTag || next === 0x20 || next === 0x3e;
}

/** Major brands of pictures in ISO base media files (ISO/IEC 23008-12, AV1 Image File Format). */
const pictureBrands: ReadonlyMap<string, string> = new Map([
  ["avif", "image/avif"],
  ["avis", "image/avif"],
  ["heic", "image/heic"],
  ["heix", "image/heic"],
  ["heim", "image/heic"],
  ["heis", "image/heic"],
]);

/** Detects the image types that Go's function lacks: AVIF, HEIC and JPEG XL. */
function pictureType(bytes: Uint8Array): string | undefined {
  if (hasText(bytes, { at: 0, text: "\xff\x0a" })) return "image/jxl";
  if (hasText(bytes, { at: 0, text: "\0\0\0\x0cJXL \r\n\x87\n" })) return "image/jxl";
  const brands = brandsOf(bytes);
  const [major = ""] = brands;
  // `mif1` and `msf1` name the container alone; a compatible brand names the coding.
  const names = major === "mif1" || major === "msf1" ? brands : [major];
  return names.map((name) => pictureBrands.get(name)).find((type) => type !== undefined);
}

/** Returns the brands of a `ftyp` box, the major one first; none where there is no such box. */
function brandsOf(bytes: Uint8Array): string[] {
  if (bytes.length < 12 || !hasText(bytes, { at: 4, text: "ftyp" })) return [];
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
  if (size > bytes.length || size % 4 !== 0) return [];
  const starts = Array.from({ length: size / 4 - 2 }, (_, index) => 8 + 4 * index);
  // The four bytes after the major brand are its version.
  return starts.filter((at) => at !== 12)
    .map((at) => String.fromCharCode(...bytes.subarray(at, at + 4)));
}

/** MIME Sniffing Standard, section 6.2.1: a `ftyp` box that names a brand beginning with `mp4`. */
function isMp4(bytes: Uint8Array): boolean {
  return brandsOf(bytes).some((brand) => brand.startsWith("mp4"));
}

function hasText(
  bytes: Uint8Array,
  where: { readonly at: number; readonly text: string },
): boolean {
  return latin1(where.text).every((byte, i) => bytes[where.at + i] === byte);
}

const extensions: ReadonlyMap<string, string> = new Map([
  ["text/html", ".html"],
  ["text/xml", ".xml"],
  ["text/plain", ".txt"],
  ["application/pdf", ".pdf"],
  ["application/postscript", ".ps"],
  ["image/x-icon", ".ico"],
  ["image/bmp", ".bmp"],
  ["image/gif", ".gif"],
  ["image/webp", ".webp"],
  ["image/png", ".png"],
  ["image/jpeg", ".jpg"],
  ["image/avif", ".avif"],
  ["image/heic", ".heic"],
  ["image/jxl", ".jxl"],
  ["audio/aiff", ".aiff"],
  ["audio/mpeg", ".mp3"],
  ["application/ogg", ".ogg"],
  ["audio/midi", ".mid"],
  ["video/avi", ".avi"],
  ["audio/wave", ".wav"],
  ["video/mp4", ".mp4"],
  ["video/webm", ".webm"],
  ["application/vnd.ms-fontobject", ".eot"],
  ["font/ttf", ".ttf"],
  ["font/otf", ".otf"],
  ["font/collection", ".ttc"],
  ["font/woff", ".woff"],
  ["font/woff2", ".woff2"],
  ["application/x-gzip", ".gz"],
  ["application/zip", ".zip"],
  ["application/x-rar-compressed", ".rar"],
  ["application/wasm", ".wasm"],
]);

/**
 * Returns the file ending of a type that {@link sniffType} gives; `""` for
 * `application/octet-stream`.
 */
export function extensionOf(type: string): string {
  return extensions.get(type) ?? "";
}
