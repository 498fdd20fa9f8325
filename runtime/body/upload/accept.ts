import { listMediaTypes } from "../../base/media_types.ts";
import { isBinary, sniffedBytes, sniffedTypes, sniffType } from "./sniff.ts";

/** Synonyms of types; {@link sniffType} or the extension table returns the first of each. */
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
  ["audio/aiff", "audio/x-aiff", "audio/aif"],
  ["audio/flac", "audio/x-flac"],
  ["audio/midi", "audio/mid", "audio/x-midi"],
  ["audio/mp4", "audio/x-m4a", "audio/m4a"],
  ["audio/mpeg", "audio/mp3", "audio/x-mp3"],
  ["audio/ogg", "audio/opus"],
  ["audio/wave", "audio/wav", "audio/x-wav", "audio/vnd.wave"],
  ["font/otf", "application/x-font-otf", "application/x-font-opentype", "application/font-otf"],
  ["font/ttf", "application/x-font-ttf", "application/x-font-truetype", "application/font-ttf"],
  ["font/woff", "application/font-woff", "application/x-font-woff"],
  ["font/woff2", "application/font-woff2"],
  ["image/bmp", "image/x-ms-bmp", "image/x-bmp"],
  ["image/jpeg", "image/jpg", "image/pjpeg"],
  ["image/png", "image/x-png"],
  ["image/x-icon", "image/vnd.microsoft.icon", "image/ico", "image/icon"],
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

function canonicalType(type: string): string {
  return canonical.get(type) ?? type;
}

const typeByExtension = new Map(
  Object.entries(listMediaTypes()).map(([extension, type]) =>
    [extension, canonicalType(type.replace(/;.*/s, ""))] as const
  ),
);

interface Head {
  readonly sniffed: string;
  /** One character per byte. */
  readonly text: string;
  /** The major brand of ISO base media, else the name of the first box. */
  readonly brand: string;
}

interface Family {
  readonly types: RegExp;
  readonly fits: (head: Head, type: string) => boolean;
  /** Types accepted whatever the extension, because recorders use the same one for video and sound. */
  readonly anyName?: readonly string[];
  /** Whether the bytes identify the type so poorly that a range such as `audio/*` does not include it. */
  readonly isText?: boolean;
}

const shown = (...types: readonly string[]) => ({ sniffed }: Head): boolean =>
  types.includes(sniffed);

const starts = (...marks: readonly string[]) => ({ text }: Head): boolean =>
  marks.some((mark) => text.startsWith(mark));

const families: readonly Family[] = [
  { types: /^image\/svg\+xml$/, fits: isSvg, isText: true },
  // These files may begin with a tag.
  { types: /^text\/(?:html|markdown)$|\bxml$/, fits: isText, isText: true },
  {
    types:
      /^text\/|^application\/(?:json|yaml|rtf|vnd\.apple\.mpegurl|.*\+json)$|^model\/gltf\+json$/,
    fits: (head) => isText(head) && !/^text\/(?:html|xml)$/.test(head.sniffed),
    isText: true,
  },
  // A document with a password is an OLE file.
  {
    types: /^application\/vnd\.openxmlformats/,
    fits: shown("application/zip", "application/x-ole-storage"),
  },
  { types: /^application\/(?:vnd\.oasis\.opendocument|epub\+zip)/, fits: shown("application/zip") },
  {
    types: /^application\/(?:msword|vnd\.ms-excel|vnd\.ms-powerpoint)$/,
    fits: shown("application/x-ole-storage"),
  },
  {
    types: /\/ogg$/,
    fits: shown("application/ogg"),
    anyName: ["application/ogg", "audio/ogg", "video/ogg"],
  },
  {
    types: /\/(?:webm|x-matroska)$/,
    fits: shown("video/webm"),
    anyName: ["video/webm", "audio/webm"],
  },
  {
    types: /^image\/hei[cf]$/,
    fits: ({ brand }) => /^(?:mif1|msf1|he(?:ic|ix|im|is|vc|vx))$/.test(brand),
    anyName: ["image/heif"],
  },
  // ISO base media and QuickTime.
  { types: /^(?:audio\/mp4|video\/(?:mp4|quicktime|3gpp))$/, fits: isFilm },
  {
    types: /^(?:audio|video)\/mp4$/,
    fits: (head) => isFilm(head) && /^(?:ftyp(?!qt|3g)|styp)/.test(head.text.slice(4)),
    anyName: ["video/mp4", "audio/mp4"],
  },
  // Frames of MPEG 1 and 2, layer III, and of ADTS; a tag may precede them and FLAC.
  {
    types: /^audio\/(?:mpeg|aac|flac)$/,
    fits: ({ text, sniffed }, type) =>
      sniffed === "audio/mpeg" ||
      type !== "audio/flac" && /^(?:\xff[\xe2\xe3\xf0-\xf3\xf8-\xfb]|ADIF)/.test(text),
  },
  // Either format may have Apple's tag, and outlines of either kind.
  { types: /^font\/[ot]tf$/, fits: starts("\0\x01\0\0", "OTTO", "true", "typ1") },
  { types: /^image\/apng$/, fits: shown("image/png"), anyName: ["image/apng"] },
  {
    types: /^application\/pdf$/,
    fits: ({ text, sniffed }) => text.includes("%PDF-") && sniffed !== "text/html",
  },
  // A PostScript file may begin with a control character or the head of a preview.
  { types: /^application\/postscript$/, fits: starts("%!", "\x04%", "\xc5\xd0") },
];

function isText({ sniffed, text }: Head): boolean {
  return sniffed === "text/plain" ||
    !isBinary(text) && !/^application\/(?:pdf|postscript)$/.test(sniffed);
}

/** Checks the root element, unless the head ends before it: the prolog may be long. */
function isSvg(head: Head): boolean {
  const text = head.text.replace(/^\xef\xbb\xbf/, "").replace(
    /^(?:\xff\xfe|\xfe\xff)[^]*/,
    (utf16) => utf16.slice(2).replaceAll("\0", ""),
  );
  const root = text.replace(/^(?:\s+|<\?xml[^]*?(?:\?>|$)|<!--[^]*?(?:-->|$))*/, "");
  if (!isText(head)) return false;
  return root === ""
    ? head.text.length >= sniffedBytes
    : /^<(?:!DOCTYPE\s+)?(?:[\w.-]+:)?svg[\s/>]/.test(root);
}

/** Checks the first box: fragments and old films begin with a box other than `ftyp`. */
function isFilm({ text, brand }: Head): boolean {
  return isBinary(text) && (/^(?:styp|moov|moof|mdat|free|skip|wide|pnot)$/.test(brand) ||
    text.slice(4, 8) === "ftyp" && !/^(?:mif1|msf1|avi[fs]|he(?:i[cmsx]|v[cmsx]))$/.test(brand));
}

export interface AcceptedType {
  readonly mime: string;
  /** The file extension of that type with its dot; `""` for none. */
  readonly ext: string;
}

/** Finds the accepted type by the first bytes and, if they cannot show it (CSV), by the extension. */
export function acceptType(
  file: { readonly head: Uint8Array; readonly name: string },
  accept: readonly string[],
): AcceptedType | undefined {
  const text = String.fromCharCode(...file.head.subarray(0, sniffedBytes));
  const sniffed = checkMedia(sniffType(file.head), text);
  if (accept.length === 0) return { mime: sniffed, ext: extensionOf(sniffed) };
  const extension = file.name.slice(file.name.lastIndexOf(".") + 1).toLowerCase();
  const named = typeByExtension.get(extension);
  const { types, ranged } = possibleTypes(text, sniffed, named);
  for (const range of accept) {
    const wanted = range.toLowerCase();
    const isExact = types.includes(canonicalType(wanted));
    const mime = isExact ? wanted : ranged.find((type) => isInRange(type, wanted));
    if (mime === undefined) continue;
    const type = canonicalType(mime);
    const isNamed = type === named && type !== canonicalType(sniffed);
    return { mime, ext: isNamed ? `.${extension}` : extensionOf(mime) };
  }
  return undefined;
}

function isInRange(type: string, range: string): boolean {
  return range === "*/*" || range.endsWith("/*") && type.startsWith(range.slice(0, -1));
}

/** Returns the type of text that starts like a picture, a sound or a font, as a script may. */
function checkMedia(sniffed: string, text: string): string {
  const isShort = text.length <= 13;
  if (isShort || isBinary(text) || !/^(?:image|audio|video|font|model)\//.test(sniffed)) {
    return sniffed;
  }
  return /^\xff/.test(text) ? sniffed : "text/plain";
}

/** Returns the possible types of a file, the likeliest first, and those that ranges may match. */
function possibleTypes(
  text: string,
  sniffed: string,
  named = "",
): { readonly types: readonly string[]; readonly ranged: readonly string[] } {
  const box = text.slice(4, 8);
  const head = { sniffed, text, brand: box === "ftyp" ? text.slice(8, 12) : box };
  const family = families.find(({ types }) => types.test(named));
  const own = family?.fits(head, named) === true ? [named] : [];
  const others = families.flatMap(({ fits, anyName = [] }) =>
    anyName.filter((type) => fits(head, type))
  );
  return {
    types: [...own, canonicalType(sniffed), ...others],
    ranged: [...(family?.isText === true ? [] : own), sniffed, ...others],
  };
}

/** Reports whether files of a type can be recognised by their bytes, or by their extension and kind. */
export function isKnownType(type: string): boolean {
  const name = canonicalType(type.toLowerCase());
  return sniffedTypes.has(name) || [...typeByExtension.values()].includes(name);
}

/** The extensions of types that have several, or that are not in the table. */
const extensions: Readonly<Record<string, string>> = {
  "application/ogg": ".ogg",
  "image/jpeg": ".jpg",
  "image/tiff": ".tiff",
  "text/html": ".html",
  "text/plain": ".txt",
  "video/mp4": ".mp4",
};

/** Returns the file extension of a type that {@link sniffType} finds; `""` without a single one. */
export function extensionOf(type: string): string {
  const name = canonicalType(type);
  const known = extensions[name];
  if (known !== undefined) return known;
  for (const [extension, each] of typeByExtension) if (each === name) return `.${extension}`;
  return "";
}
