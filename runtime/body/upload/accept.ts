import { mediaTypes } from "../../base/media_types.ts";
import { isBinary, sniffedBytes, sniffedTypes, sniffType } from "./sniff.ts";

/** Names of one type; the first of each is what {@link sniffType} or the table of extensions says. */
const aliases: readonly (readonly string[])[] = [
  ["application/x-gzip", "application/gzip", "application/x-gunzip"],
  ["application/zip", "application/x-zip-compressed", "application/x-zip"],
  ["application/x-rar-compressed", "application/vnd.rar", "application/x-rar"],
  ["application/pdf", "application/x-pdf"],
  ["application/json", "text/json"],
  ["application/yaml", "text/yaml", "application/x-yaml", "text/x-yaml"],
  ["application/rtf", "text/rtf"],
  ["application/xml", "text/xml"],
  ["application/vnd.apple.mpegurl", "application/x-mpegurl"],
  ["audio/aac", "audio/x-aac"],
  ["audio/aiff", "audio/x-aiff"],
  ["audio/flac", "audio/x-flac"],
  ["audio/midi", "audio/mid", "audio/x-midi"],
  ["audio/mp4", "audio/x-m4a", "audio/m4a"],
  ["audio/mpeg", "audio/mp3", "audio/x-mp3"],
  ["audio/ogg", "audio/opus"],
  ["audio/wave", "audio/wav", "audio/x-wav", "audio/vnd.wave"],
  ["image/bmp", "image/x-ms-bmp", "image/x-bmp"],
  ["image/jpeg", "image/jpg", "image/pjpeg"],
  ["image/x-icon", "image/vnd.microsoft.icon"],
  ["text/csv", "application/csv", "text/x-csv"],
  ["text/javascript", "application/javascript", "application/x-javascript"],
  ["text/markdown", "text/x-markdown"],
  ["text/vcard", "text/x-vcard"],
  ["video/avi", "video/x-msvideo", "video/msvideo"],
  ["video/mp4", "video/x-m4v"],
];

const canonical: ReadonlyMap<string, string> = new Map(
  aliases.flatMap(([first = "", ...others]) => others.map((alias) => [alias, first] as const)),
);

/** Returns the one name of a type with several. */
function canonicalType(type: string): string {
  return canonical.get(type) ?? type;
}

/** The types by extension, and the first extension of each type. */
const typeByExtension = new Map(
  Object.entries(mediaTypes).map(([extension, type]) =>
    [extension, canonicalType(type.replace(/;.*/s, ""))] as const
  ),
);

/** The facts of a file's first bytes. */
interface Head {
  readonly sniffed: string;
  /** One character a byte. */
  readonly text: string;
}

/** Types that the bytes alone do not show, and what bytes of such a file must look like. */
const families: readonly {
  readonly types: RegExp;
  readonly fits: (head: Head) => boolean;
  /** Whether the bytes show at least the kind, so that a range such as `audio/*` holds for it. */
  readonly inRanges: boolean;
}[] = [
  // Files of these two may begin with a tag.
  { types: /^text\/(?:html|markdown)$|\bxml$/, fits: isText, inRanges: false },
  {
    types:
      /^text\/|^application\/(?:json|yaml|rtf|vnd\.apple\.mpegurl|.*\+json)$|^model\/gltf\+json$/,
    fits: (head) => isText(head) && !/^text\/(?:html|xml)$/.test(head.sniffed),
    inRanges: false,
  },
  {
    types: /^application\/(?:vnd\.openxmlformats|vnd\.oasis\.opendocument|epub\+zip)/,
    fits: ({ sniffed }) => sniffed === "application/zip",
    inRanges: true,
  },
  {
    types: /^application\/(?:msword|vnd\.ms-excel|vnd\.ms-powerpoint)$/,
    fits: ({ sniffed }) => sniffed === "application/x-ole-storage",
    inRanges: true,
  },
  {
    types: /\/ogg$/,
    fits: ({ sniffed }) => sniffed === "application/ogg",
    inRanges: true,
  },
  {
    types: /\/(?:webm|x-matroska)$/,
    fits: ({ sniffed }) => sniffed === "video/webm",
    inRanges: true,
  },
  {
    // ISO base media and QuickTime: the first box, which fragments and old films have others of.
    types: /^(?:audio\/mp4|video\/mp4|video\/quicktime|image\/heif)$/,
    fits: ({ text }) => /^(?:ftyp|styp|moov|moof|mdat|free|skip|wide|pnot)$/.test(text.slice(4, 8)),
    inRanges: true,
  },
  {
    // The frames of MPEG 1 and 2, layer III, and of ADTS.
    types: /^audio\/(?:mpeg|aac)$/,
    fits: ({ text }) => /^\xff[\xe2\xe3\xf0-\xf3\xf8-\xfb]/.test(text),
    inRanges: true,
  },
  { types: /^image\/apng$/, fits: ({ sniffed }) => sniffed === "image/png", inRanges: true },
  { types: /^application\/pdf$/, fits: ({ text }) => text.includes("%PDF-"), inRanges: true },
];

function isText({ sniffed, text }: Head): boolean {
  return sniffed === "text/plain" ||
    !isBinary(text) && !/^application\/(?:pdf|postscript)$/.test(sniffed);
}

/** The type of an accepted file, and its extension. */
export interface AcceptedType {
  /** The media type, without parameters. */
  readonly mime: string;
  /** The file ending of that type with its dot; `""` for none. */
  readonly ext: string;
}

/**
 * Decides whether a file is of an accepted type: by what its first bytes show, and for a type that bytes cannot
 * show, such as CSV, by its extension with bytes of the kind.
 */
export function acceptType(
  file: { readonly head: Uint8Array; readonly name: string },
  accept: readonly string[],
): AcceptedType | undefined {
  const sniffed = sniffType(file.head);
  if (accept.length === 0) return { mime: sniffed, ext: extensionOf(sniffed) };
  const extension = file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase();
  const named = typeByExtension.get(extension);
  const text = String.fromCharCode(...file.head.subarray(0, sniffedBytes));
  const family = families.find(({ types }) => named !== undefined && types.test(named));
  const isNamed = family?.fits({ sniffed, text }) === true;
  for (const range of accept) {
    const wanted = range.toLowerCase();
    const type = canonicalType(wanted);
    if (isNamed && type === named) return { mime: wanted, ext: `.${extension}` };
    if (type === canonicalType(sniffed)) return { mime: wanted, ext: extensionOf(sniffed) };
    if (isInRange(sniffed, wanted)) return { mime: sniffed, ext: extensionOf(sniffed) };
    if (isNamed && named !== undefined && family.inRanges && isInRange(named, wanted)) {
      return { mime: named, ext: `.${extension}` };
    }
  }
  return undefined;
}

function isInRange(type: string, range: string): boolean {
  return range === "*/*" || range.endsWith("/*") && type.startsWith(range.slice(0, -1));
}

/** Reports whether files of a type can be told: by their bytes, or by their extension and their kind. */
export function isKnownType(type: string): boolean {
  const name = canonicalType(type.toLowerCase());
  return sniffedTypes.has(name) || [...typeByExtension.values()].includes(name);
}

/** The extensions of types that have several, or none in the table. */
const extensions: Readonly<Record<string, string>> = {
  "application/ogg": ".ogg",
  "image/jpeg": ".jpg",
  "image/tiff": ".tiff",
  "text/html": ".html",
  "text/plain": ".txt",
  "text/xml": ".xml",
  "video/mp4": ".mp4",
};

/** Returns the file ending of a type that {@link sniffType} finds; `""` for one of no single ending. */
export function extensionOf(type: string): string {
  const known = extensions[type];
  if (known !== undefined) return known;
  const name = canonicalType(type);
  for (const [extension, each] of typeByExtension) if (each === name) return `.${extension}`;
  return "";
}
