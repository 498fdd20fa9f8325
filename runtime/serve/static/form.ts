import type { Env } from "../../base/env.ts";
import type { SourceFile } from "../../base/file_source.ts";
import { checkHeaders, extendVary, parseWeights } from "../../base/headers.ts";
import { isCompressedType, mediaTypeOf } from "../../base/media_types.ts";
import { nodeCrypto } from "../../base/node.ts";
import type { Logger } from "../../base/observe/logger.ts";
import { type DefaultHeaderSets, fileDefaults } from "../../request/stage.ts";

export interface StaticSettings {
  readonly env: Env;
  /** The `Cache-Control` in production of a URL without a fingerprint. */
  readonly cacheControl: string;
  readonly headers: ((name: string, headers: Headers) => void) | undefined;
  readonly defaults: DefaultHeaderSets;
  readonly log: Logger | undefined;
  /** The remaining memory budget in bytes, compressed forms included. */
  readonly memory: { left: number };
  /** The compressed files, by name, content and coding. */
  readonly compressed: Set<string>;
}

/** The `Cache-Control` of a fingerprinted URL, whose content never changes. */
const immutable = "public, max-age=31536000, immutable";

/** An earlier date comes from a tool that writes no dates, such as a reproducible build. */
const firstDateSeconds = 24 * 60 * 60;

/** The minimum size of a body that Deno compresses, in bytes. */
const minListenerBytes = 64;

export interface Form {
  readonly bytes: Uint8Array<ArrayBuffer> | undefined;
  readonly size: number;
  readonly coding: Coding | undefined;
  /** The entity tag with its quotes; `undefined` while the content is unknown. */
  readonly tag: string | undefined;
  readonly modifiedSeconds: number | undefined;
  /** The headers by scheme, and by whether the URL has the fingerprint. */
  readonly heads: (Heads | undefined)[];
}

export interface Heads {
  readonly whole: { readonly headers: Headers };
  /** The headers of a 304, without those that describe a body. */
  readonly notModified: { readonly status: 304; readonly headers: Headers };
}

/** Creates a form. A tag identifies bytes, so each coding has its own (RFC 9110, section 8.8.3.3). */
export function createForm(
  { size, modifiedMs, mayGrow }: SourceFile & { readonly mayGrow?: boolean },
  fingerprint: string | undefined,
  { bytes, coding }: Partial<Pick<Form, "bytes" | "coding">>,
): Form {
  // Never after the response's own date (RFC 9110, section 8.8.2.1).
  // The date of a file that is still being written does not identify a version.
  const seconds = mayGrow ? 0 : Math.floor(Math.min(modifiedMs ?? 0, Date.now()) / 1_000);
  const opaque = coding === undefined ? fingerprint : `${fingerprint}-${coding}`;
  return {
    bytes,
    size: bytes?.length ?? size,
    coding,
    tag: fingerprint === undefined ? undefined : `"${opaque}"`,
    modifiedSeconds: seconds < firstDateSeconds ? undefined : seconds,
    heads: [],
  };
}

/** Builds the heads once: finding missing headers costs a third of a small file (`bench/static`). */
export function headsOf(
  { heads, modifiedSeconds, tag, coding, size }: Form,
  { name, hasCodings, settings }: {
    readonly name: string;
    readonly hasCodings: boolean;
    readonly settings: StaticSettings;
  },
  { isFingerprinted, isSecure }: Readonly<Record<"isFingerprinted" | "isSecure", boolean>>,
): Heads {
  const isProd = settings.env === "prod";
  const index = (isFingerprinted ? 2 : 0) + (isSecure ? 1 : 0);
  const known = heads[index];
  if (known !== undefined && isProd) return known;
  const headers = new Headers({
    "content-type": mediaTypeOf(name),
    // In development a file may change without a new URL.
    "cache-control": !isProd ? "no-cache" : isFingerprinted ? immutable : settings.cacheControl,
    "accept-ranges": "bytes",
    "x-content-type-options": "nosniff",
  });
  if (modifiedSeconds !== undefined) {
    headers.set("last-modified", new Date(modifiedSeconds * 1_000).toUTCString());
  }
  settings.headers?.(name, headers);
  checkHeaders(headers);
  const type = headers.get("content-type") ?? "";
  // The listener compresses the rest.
  const isCompressed = isProd && size >= minListenerBytes && isCompressedType(type);
  if (hasCodings || isCompressed) extendVary(headers, "Accept-Encoding");
  // These headers describe the bytes, so no other code may set them.
  setOrDelete(headers, "etag", tag);
  setOrDelete(headers, "content-encoding", coding);
  headers.set("content-length", String(size));
  const bare = new Headers(headers);
  for (const described of ["content-type", "content-encoding", "content-length", "accept-ranges"]) {
    bare.delete(described);
  }
  for (
    const [header, value] of fileDefaults(type, settings.defaults[isSecure ? "https" : "http"])
  ) {
    if (!headers.has(header)) headers.set(header, value);
  }
  return heads[index] = { whole: { headers }, notModified: { status: 304, headers: bare } };
}

function setOrDelete(headers: Headers, name: string, value: string | undefined): void {
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
}

/** Number of characters of the digest that are kept: 72 bits. */
const fingerprintChars = 12;

/** Returns the fingerprint of some content, for `?v=` and the `ETag`. */
export function fingerprintBytes(bytes: Uint8Array): string {
  return shorten(nodeCrypto().createHash("sha256").update(bytes).digest());
}

/** Returns the fingerprint of some content without loading Node's built-in. */
export async function fingerprintLater(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return shorten(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Returns the fingerprint of a file too large for memory; other requests are served meanwhile. */
export async function fingerprintFile(path: string): Promise<string> {
  const { createHash } = await import("node:crypto");
  const hash = createHash("sha256");
  for await (const chunk of (await Deno.open(path)).readable) hash.update(chunk);
  return shorten(hash.digest());
}

function shorten(digest: Uint8Array): string {
  return digest.toBase64({ alphabet: "base64url" }).slice(0, fingerprintChars);
}

export type Coding = "br" | "gzip";

/** The codings in the server's order of preference. */
const codings: readonly Coding[] = ["br", "gzip"];

/** The minimum size to compress, in bytes: shorter files fit into one packet anyway. */
export const minCompressBytes = 1_024;

/** A compressed form that saves less than this share is not sent. */
const minSaving = 0.05;

/** The highest quality takes 13 times as long to save another eighth. */
const brotliQuality = 9;
let known: { readonly header: string; readonly coding: Coding | undefined } | undefined;

/** Chooses the coding of a response by `Accept-Encoding`; `undefined` for no coding. */
export function chooseCoding(header: string | null): Coding | undefined {
  if (header === null || header === "") return undefined;
  // The clients of a server send few different headers, and often the same one in a row.
  if (known?.header !== header) known = { header, coding: parseAccepted(header) };
  return known.coding;
}

function parseAccepted(header: string): Coding | undefined {
  const qualities = new Map(
    parseWeights(header).map(([name, quality]) => [name === "x-gzip" ? "gzip" : name, quality]),
  );
  const qualityOf = (coding: string): number => qualities.get(coding) ?? qualities.get("*") ?? 0;
  const [best] = codings.toSorted((a, b) => qualityOf(b) - qualityOf(a));
  if (best === undefined || qualityOf(best) === 0) return undefined;
  // A client that prefers the unencoded file gets it.
  return qualityOf(best) < (qualities.get("identity") ?? 0) ? undefined : best;
}

/** Compresses bytes; `undefined` if that saves too little. */
export async function compress(
  bytes: Uint8Array,
  coding: Coding,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const done = (error: Error | null, result: Uint8Array): void => {
    if (error === null) resolve(result);
    else reject(error);
  };
  const { brotliCompress, constants, gzip } = await import("node:zlib");
  if (coding === "gzip") gzip(bytes, { level: 9 }, done);
  else {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    brotliCompress(bytes, { params }, done);
  }
  const result = await promise;
  // Copied, because the result may be a view that keeps a larger buffer in memory.
  return result.length <= bytes.length * (1 - minSaving) ? new Uint8Array(result) : undefined;
}
