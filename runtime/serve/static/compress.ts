import { nodeZlib } from "../../base/node.ts";

/** A content coding (RFC 9110, section 8.4.1). */
export type Coding = "br" | "gzip";

/** The codings in the server's order of preference. */
const codings: readonly Coding[] = ["br", "gzip"];

/** The minimum size to compress, in bytes: shorter files fit into one packet anyway. */
export const minCompressBytes = 1_024;

/** A compressed form that saves less than this share is not sent. */
const minSaving = 0.05;

/** The highest quality takes 13 times as long to save another eighth. */
const brotliQuality = 9;
const maxHeaderChars = 512;
let known: { readonly header: string; readonly coding: Coding | undefined } | undefined;

/** Chooses the coding of a response by `Accept-Encoding`; `undefined` for no coding. */
export function chooseCoding(header: string | null): Coding | undefined {
  if (header === null || header === "") return undefined;
  // The clients of a server send few different headers, and often the same one in a row.
  if (known?.header !== header) known = { header, coding: parseAccepted(header) };
  return known.coding;
}

function parseAccepted(header: string): Coding | undefined {
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
  const { brotliCompress, constants, gzip } = nodeZlib();
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
