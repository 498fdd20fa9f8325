import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from "node:zlib";

/** A content coding (RFC 9110, section 8.4.1). */
export type Coding = "br" | "gzip";

/** The codings in the order of preference where the client has none. */
export const codings: readonly Coding[] = ["br", "gzip"];

/** The extension of a file that was compressed beforehand, beside the file itself. */
export const siblingExtensions: Readonly<Record<Coding, string>> = { br: ".br", gzip: ".gz" };

/** Shorter files gain nothing: they fit into one packet anyway. */
export const minCompressBytes = 1_024;

/** A coded form that saves less than this share is not sent. */
const minSaving = 0.05;

/** Brotli's best costs 13 times the time for another eighth. */
const brotliQuality = 9;

/** How much of an `Accept-Encoding` is read. */
const maxHeaderChars = 512;

const textTypes =
  /^(?:text\/|application\/(?:json|xml|yaml|[a-z.-]+\+(?:json|xml))|image\/svg\+xml)/;

/** Reports whether files of a media type are text, which compresses well. */
export function isTextType(type: string): boolean {
  return textTypes.test(type);
}

let known: { readonly header: string; readonly accepted: readonly Coding[] } | undefined;

/**
 * Returns the codings that a client accepts, the preferred one first (RFC 9110, section 12.5.3).
 *
 * @param header The value of `Accept-Encoding`; without it nothing is coded.
 */
export function acceptedCodings(header: string | null): readonly Coding[] {
  if (header === null || header === "") return [];
  // The clients of a server send few different headers, and most of them the same one in a row.
  if (known?.header !== header) known = { header, accepted: parseAccepted(header) };
  return known.accepted;
}

function parseAccepted(header: string): readonly Coding[] {
  const qualities = new Map<string, number>();
  for (const part of header.slice(0, maxHeaderChars).toLowerCase().split(",")) {
    const [, coding, quality] =
      /^\s*([a-z0-9*-]+)\s*(?:;\s*q=([01](?:\.\d{0,3})?)\s*)?$/.exec(part) ??
        [];
    if (coding !== undefined) {
      qualities.set(coding === "x-gzip" ? "gzip" : coding, Number(quality ?? 1));
    }
  }
  const qualityOf = (coding: string): number => qualities.get(coding) ?? qualities.get("*") ?? 0;
  // A client that prefers the unencoded file gets it.
  const floor = qualities.get("identity") ?? 0;
  return codings
    .filter((coding) => qualityOf(coding) > 0 && qualityOf(coding) >= floor)
    .sort((a, b) => qualityOf(b) - qualityOf(a));
}

/** Compresses content; returns `undefined` when that saves too little. */
export async function compress(
  bytes: Uint8Array,
  coding: Coding,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
  const done = (error: Error | null, result: Uint8Array): void => {
    if (error === null) resolve(result);
    else reject(error);
  };
  if (coding === "gzip") gzip(bytes, { level: 9 }, done);
  else {
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: brotliQuality,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    };
    brotliCompress(bytes, { params }, done);
  }
  const result = await promise;
  // A copy: the result may be a view of a larger buffer, which would be held with it.
  return result.length <= bytes.length * (1 - minSaving) ? new Uint8Array(result) : undefined;
}

/**
 * Decompresses content up to an expected length.
 *
 * @param size How many bytes come out at most; beyond that nothing more is decoded.
 * @returns The content, or `undefined` where it is longer or no such coding.
 */
export function decompress(
  bytes: Uint8Array,
  options: { readonly coding: Coding; readonly size: number },
): Promise<Uint8Array | undefined> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
  const limit = { maxOutputLength: Math.max(1, options.size) };
  const done = (error: Error | null, result: Uint8Array): void => {
    resolve(error === null ? result : undefined);
  };
  if (options.coding === "gzip") gunzip(bytes, limit, done);
  else brotliDecompress(bytes, limit, done);
  return promise;
}
