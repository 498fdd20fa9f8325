import { notFound } from "../base/errors/errors.ts";
import type { SourceFile } from "../base/file_source.ts";
import { appendHeaders, checkHeader } from "../base/headers.ts";
import { isCompressedType, mediaTypeOf } from "../base/media_types.ts";
import type { DownloadOptions, DownloadSource } from "../base/ctx/answers.ts";
import { withoutFolders } from "../body/form/fields.ts";
import { shortenName } from "../body/upload/name.ts";
import { buildAnswer } from "../request/answer.ts";
import type { RequestCtx } from "../request/request_ctx.ts";
import { sendPart, sendWhole, type Validators } from "./static/send.ts";
import { describeFile, DiskFile, maxReadBytes } from "./static/disk.ts";
import { fingerprintBytes, type Heads } from "./static/form.ts";

/** Implements `c.download`. @throws {HttpError} 404 for a path without a file. */
export async function sendDownload(
  c: RequestCtx,
  source: DownloadSource,
  { name, type }: DownloadOptions,
): Promise<Response> {
  const opened = source instanceof ReadableStream ? source : openSource(source);
  const fileName = name ?? defaultName(opened instanceof DiskFile ? opened.path : source);
  const contentType = type ??
    (source instanceof Blob && source.type !== "" ? source.type : undefined) ??
    mediaTypeOf(fileName);
  const headers = new Headers({
    "content-type": checkHeader("content-type", contentType),
    "content-disposition": formatDisposition(fileName),
  });
  appendHeaders(headers, c.defaults.data);
  if (opened instanceof ReadableStream) {
    // Its length is unknown and it can be read only once, so there are no ranges.
    return buildAnswer(c, new Response(opened, { headers }), "stream");
  }
  const file = opened instanceof DiskFile ? holdUnsettled(opened) : opened;
  const validators = stageValidators(c, file, headers);
  // With these headers caches store it, and the listener compresses it for some clients.
  const isKept = validators.tag !== undefined || validators.modifiedSeconds !== undefined;
  if (isKept && isCompressedType(contentType)) headers.set("vary", "Accept-Encoding");
  const { size } = file;
  headers.set("accept-ranges", "bytes");
  headers.set("content-length", String(size));
  const heads: Heads = {
    whole: { headers },
    get notModified(): Heads["notModified"] {
      return { status: 304, headers: notModifiedHeaders(c, headers) };
    },
  };
  const sendable = { form: { ...validators, size, bytes: undefined }, heads, source: file };
  const range = c.method === "GET" ? c.headers.get("range") : null;
  const part = range === null ? undefined : sendPart(c, sendable, range);
  return buildAnswer(c, await (part ?? sendWhole(c, sendable)));
}

/** Returns the headers that a 304 repeats (RFC 9110, section 15.4.5), and the defaults. */
function notModifiedHeaders(c: RequestCtx, headers: Headers): Headers {
  const kept = new Headers(
    [...headers].filter(([name]) => /^(?:etag|last-modified|vary)$/.test(name)),
  );
  appendHeaders(kept, c.defaults.empty);
  return kept;
}

function openSource(source: Exclude<DownloadSource, ReadableStream>): SourceFile {
  if (typeof source === "string" || source instanceof URL) {
    const file = describeFile(source);
    if (file === undefined) throw notFound();
    return file;
  }
  if (source instanceof Blob) {
    return {
      size: source.size,
      ...(source instanceof File ? { modifiedMs: source.lastModified } : {}),
      read: ({ start, end }) => source.slice(start, end).stream(),
    };
  }
  return source instanceof Uint8Array ? holdBytes(source) : source;
}

function holdBytes(bytes: Uint8Array<ArrayBuffer>): SourceFile {
  const fingerprint = bytes.length > maxReadBytes ? undefined : fingerprintBytes(bytes);
  return { size: bytes.length, fingerprint, read: ({ start, end }) => bytes.subarray(start, end) };
}

/** Reads a file whose next change may keep its version, so that length, tag and content fit together. */
function holdUnsettled(file: DiskFile): SourceFile {
  file.mayGrow = !file.isSettled;
  if (file.isSettled || file.size > maxReadBytes) return file;
  try {
    return { ...holdBytes(file.readSync()), modifiedMs: file.modifiedMs };
  } catch {
    return file;
  }
}

/** Writes the validators of a file into the head; those that the application staged take precedence. */
function stageValidators(c: RequestCtx, file: SourceFile, headers: Headers): Validators {
  const staged = c.answer.headers?.get("etag");
  const tag = staged ?? ownTag(file);
  if (tag !== undefined) headers.set("etag", tag);
  const { modifiedMs = 0 } = file;
  // If a file may change again within the second, its date does not identify a version; the epoch means an
  // unknown time; a date in the future would make every change look old.
  const isOpen = tag === undefined && file instanceof DiskFile;
  if (modifiedMs < 1_000 || isOpen) return { tag, modifiedSeconds: undefined };
  const modifiedSeconds = Math.floor(Math.min(modifiedMs, Date.now()) / 1_000);
  headers.set("last-modified", new Date(modifiedSeconds * 1_000).toUTCString());
  return { tag, modifiedSeconds };
}

function ownTag(file: SourceFile): string | undefined {
  const fingerprint = file instanceof DiskFile && file.isSettled
    ? fingerprintBytes(new TextEncoder().encode(file.version))
    : file.fingerprint;
  return fingerprint === undefined ? undefined : `"${fingerprint}"`;
}

/** Characters that a file system or a shell would misread, and those that a reader may normalise into one. */
const unsafe =
  /[\p{Cc}\p{Bidi_Control}/\\:*?"<>|\u2044\u2215\u29f5\u29f8\u29f9\ufe68\uff0f\uff3c]/gu;

const maxNameChars = 200;

/** Writes a `Content-Disposition` (RFC 6266): the name in ASCII for old clients, and in full. */
function formatDisposition(name: string): string {
  const clean = (text: string): string => text.replace(unsafe, "_").replace(/^[.\s]+/u, "_");
  const safe = shortenName(clean(name.toWellFormed()), maxNameChars) || "download";
  // NFKD turns full-width characters into a dot, a slash or a quote, and one character into up to 18.
  const plain = safe.normalize("NFKD").replace(/\p{M}/gu, "").replace(/[^\x20-\x7e]/gu, "_");
  const ascii = shortenName(clean(plain).replaceAll("%", "_"), maxNameChars) || "download";
  if (ascii === safe) return `attachment; filename="${ascii}"`;
  const encoded = encodeURIComponent(safe)
    .replace(/['()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

function defaultName(source: DownloadSource): string {
  if (source instanceof File) return source.name;
  if (typeof source !== "string") return "download";
  return withoutFolders(source);
}
