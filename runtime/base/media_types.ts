/** The media types of the files that a web application serves, by extension; text carries its charset. */
export const mediaTypes: Readonly<Record<string, string>> = {
  "3gp": "video/3gpp",
  "7z": "application/x-7z-compressed",
  aac: "audio/aac",
  aif: "audio/aiff",
  aifc: "audio/aiff",
  aiff: "audio/aiff",
  apng: "image/apng",
  atom: "application/atom+xml",
  avi: "video/x-msvideo",
  avif: "image/avif",
  bmp: "image/bmp",
  cjs: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  csv: "text/csv; charset=utf-8",
  doc: "application/msword",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  eot: "application/vnd.ms-fontobject",
  eps: "application/postscript",
  epub: "application/epub+zip",
  flac: "audio/flac",
  geojson: "application/geo+json",
  gif: "image/gif",
  glb: "model/gltf-binary",
  gltf: "model/gltf+json",
  gpx: "application/gpx+xml",
  gz: "application/gzip",
  heic: "image/heic",
  heif: "image/heif",
  htm: "text/html; charset=utf-8",
  html: "text/html; charset=utf-8",
  ico: "image/vnd.microsoft.icon",
  ics: "text/calendar; charset=utf-8",
  jfif: "image/jpeg",
  jpeg: "image/jpeg",
  jpg: "image/jpeg",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  jsonld: "application/ld+json",
  jxl: "image/jxl",
  kml: "application/vnd.google-earth.kml+xml",
  log: "text/plain; charset=utf-8",
  m3u8: "application/vnd.apple.mpegurl",
  m4a: "audio/mp4",
  m4b: "audio/mp4",
  m4v: "video/mp4",
  map: "application/json",
  markdown: "text/markdown; charset=utf-8",
  md: "text/markdown; charset=utf-8",
  mid: "audio/midi",
  mkv: "video/x-matroska",
  midi: "audio/midi",
  mjs: "text/javascript; charset=utf-8",
  mov: "video/quicktime",
  mp3: "audio/mpeg",
  mp4: "video/mp4",
  mpeg: "video/mpeg",
  mpg: "video/mpeg",
  odp: "application/vnd.oasis.opendocument.presentation",
  ods: "application/vnd.oasis.opendocument.spreadsheet",
  odt: "application/vnd.oasis.opendocument.text",
  oga: "audio/ogg",
  ogg: "audio/ogg",
  ogv: "video/ogg",
  opus: "audio/ogg",
  otf: "font/otf",
  pdf: "application/pdf",
  png: "image/png",
  ppt: "application/vnd.ms-powerpoint",
  pptx: "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ps: "application/postscript",
  rar: "application/vnd.rar",
  rss: "application/rss+xml",
  rtf: "application/rtf",
  svg: "image/svg+xml",
  tar: "application/x-tar",
  tgz: "application/gzip",
  tif: "image/tiff",
  tiff: "image/tiff",
  tsv: "text/tab-separated-values; charset=utf-8",
  ttc: "font/collection",
  ttf: "font/ttf",
  txt: "text/plain; charset=utf-8",
  vcf: "text/vcard; charset=utf-8",
  vcard: "text/vcard; charset=utf-8",
  vtt: "text/vtt; charset=utf-8",
  wasm: "application/wasm",
  wav: "audio/wav",
  weba: "audio/webm",
  webm: "video/webm",
  webmanifest: "application/manifest+json",
  webp: "image/webp",
  woff: "font/woff",
  woff2: "font/woff2",
  xhtml: "application/xhtml+xml",
  xls: "application/vnd.ms-excel",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
  zip: "application/zip",
};

export function mediaTypeOf(name: string): string {
  const dot = name.lastIndexOf(".");
  const extension = dot < 0 ? "" : name.slice(dot + 1).toLowerCase();
  return Object.hasOwn(mediaTypes, extension)
    ? mediaTypes[extension] ?? "application/octet-stream"
    : "application/octet-stream";
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
