/** The extensions of the files that a web application serves, by media type, beside {@link named}. */
const extensions = {
  "application/atom+xml": "atom",
  "application/epub+zip": "epub",
  "application/geo+json": "geojson",
  "application/gpx+xml": "gpx",
  "application/gzip": "gz tgz",
  "application/json": "json map",
  "application/ld+json": "jsonld",
  "application/manifest+json": "webmanifest",
  "application/msword": "doc",
  "application/postscript": "eps ps",
  "application/rss+xml": "rss",
  "application/vnd.apple.mpegurl": "m3u8",
  "application/vnd.google-earth.kml+xml": "kml",
  "application/vnd.ms-excel": "xls",
  "application/vnd.ms-fontobject": "eot",
  "application/vnd.ms-powerpoint": "ppt",
  "application/vnd.oasis.opendocument.presentation": "odp",
  "application/vnd.oasis.opendocument.spreadsheet": "ods",
  "application/vnd.oasis.opendocument.text": "odt",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation": "pptx",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "docx",
  "application/vnd.rar": "rar",
  "application/x-7z-compressed": "7z",
  "application/x-tar": "tar",
  "application/xhtml+xml": "xhtml",
  "application/yaml": "yaml yml",
  "audio/aiff": "aif aifc aiff",
  "audio/midi": "mid midi",
  "audio/mp4": "m4a m4b",
  "audio/mpeg": "mp3",
  "audio/ogg": "oga ogg opus",
  "audio/webm": "weba",
  "font/collection": "ttc",
  "image/jpeg": "jfif jpeg jpg",
  "image/svg+xml": "svg",
  "image/tiff": "tif tiff",
  "image/vnd.microsoft.icon": "ico",
  "model/gltf+json": "gltf",
  "model/gltf-binary": "glb",
  "text/calendar": "ics",
  "text/html": "htm html",
  "text/javascript": "cjs js mjs",
  "text/markdown": "markdown md",
  "text/plain": "log txt",
  "text/tab-separated-values": "tsv",
  "text/vcard": "vcf vcard",
  "video/3gpp": "3gp",
  "video/mp4": "m4v mp4",
  "video/mpeg": "mpeg mpg",
  "video/ogg": "ogv",
  "video/quicktime": "mov",
  "video/x-matroska": "mkv",
  "video/x-msvideo": "avi",
};

/** The types whose subtype is the extension. */
const named =
  "application/pdf application/rtf application/wasm application/xml application/zip audio/aac " +
  "audio/flac audio/wav font/otf font/ttf font/woff font/woff2 image/apng image/avif image/bmp " +
  "image/gif image/heic image/heif image/jxl image/png image/webp text/css text/csv text/vtt " +
  "video/webm";

let mediaTypes: Readonly<Record<string, string>> | undefined;

/** Returns the media types by extension; text carries its charset. Built on first use (`bench/start`). */
export function listMediaTypes(): Readonly<Record<string, string>> {
  if (mediaTypes !== undefined) return mediaTypes;
  const own = named.split(" ").map((type) => [type, type.replace(/.*\//, "")] as const);
  return mediaTypes = Object.fromEntries(
    [...Object.entries(extensions), ...own].flatMap(([type, names]) =>
      names.split(" ").map((name) => [
        name,
        type.startsWith("text/") ? `${type}; charset=utf-8` : type,
      ])
    ),
  );
}

export function mediaTypeOf(name: string): string {
  // This name has no extension, and its clients accept only this type.
  if (name.endsWith("apple-app-site-association")) return "application/json";
  const dot = name.lastIndexOf(".");
  const extension = dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
  const types = listMediaTypes();
  const known = Object.hasOwn(types, extension) ? types[extension] : undefined;
  return known ?? "application/octet-stream";
}

const textTypes =
  /^(?:text\/|application\/(?:json|xml|yaml|[a-z0-9.-]+\+(?:json|xml))|image\/svg\+xml)/i;

/** The types that the listener compresses: Deno's list, which is that of mime-db. */
const compressedTypes = new RegExp(
  String.raw`^(?:text/|x-shader/|[^;]*\+(?:json|xml|yaml)\s*(?:;|$)|` +
    String
      .raw`application/(?:(?:x-)?javascript|ecmascript|json|xml(?:-dtd)?|(?:x-)?tar|(?:vnd\.)?dart|` +
    String.raw`postscript|rtf|toml|wasm|vnd\.ms-(?:fontobject|opentype)|` +
    String
      .raw`x-(?:httpd-php|ns-proxy-autoconfig|sh|virtualbox-\w+|www-form-urlencoded))\s*(?:;|$)|` +
    String
      .raw`font/[ot]tf|image/(?:bmp|x-icon|x-ms-bmp|vnd\.adobe\.photoshop)|message/rfc822|model/gltf-binary)`,
  "i",
);

/** Checks whether the listener may compress contents of a media type. */
export function isCompressedType(type: string): boolean {
  return compressedTypes.test(type);
}

/** Checks whether contents of a media type are text, which compresses well. */
export function isTextType(type: string): boolean {
  return textTypes.test(type);
}
