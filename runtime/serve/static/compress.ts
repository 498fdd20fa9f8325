import { nodeZlib } from "../../base/node.ts";

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
const maxHeaderChars = 512;
let known: { readonly header: string; readonly accepted: readonly Coding[] } | undefined;

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

const maxCodedBytes = 32 * 1_024 * 1_024;

/** For how many contents it is remembered that none is kept. */
const maxRefusals = 65_536;

export interface CodedKey {
  readonly fingerprint: string;
  readonly coding: Coding;
}

type Read = () => Promise<Uint8Array<ArrayBuffer>>;

/** A content is compressed once: one that was dropped would otherwise be compressed on every request. */
export class Compressor {
  readonly #maxBytes: number;
  /** The one that was unused for longest comes first. */
  readonly #kept = new Map<string, Uint8Array<ArrayBuffer>>();
  readonly #refused = new Set<string>();
  /** The last work on a content: its codings are made one after the other. */
  readonly #working = new Map<string, Promise<unknown>>();
  #total = 0;

  constructor(maxBytes: number = maxCodedBytes) {
    this.#maxBytes = maxBytes;
  }

  /** Returns the compressed content, `"none"` if none is sent, or `undefined` before the first use. */
  get({ fingerprint, coding }: CodedKey): Uint8Array<ArrayBuffer> | "none" | undefined {
    const name = `${fingerprint}-${coding}`;
    const bytes = this.#kept.get(name);
    if (bytes === undefined) return this.#refused.has(name) ? "none" : undefined;
    this.#kept.delete(name);
    this.#kept.set(name, bytes);
    return bytes;
  }

  /** Compresses what `read` returns, unless that is done; `undefined` if the file is sent as it is. */
  make(key: CodedKey, read: Read): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const { fingerprint } = key;
    const before = Promise.resolve(this.#working.get(fingerprint)).catch(() => {});
    const work = before.then(() => this.#make(key, read));
    this.#working.set(fingerprint, work);
    const forget = (): void => {
      if (this.#working.get(fingerprint) === work) this.#working.delete(fingerprint);
    };
    work.then(forget, forget);
    return work;
  }

  async #make(key: CodedKey, read: Read): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const known = this.get(key);
    if (known !== undefined) return known === "none" ? undefined : known;
    const bytes = await compress(await read(), key.coding);
    const name = `${key.fingerprint}-${key.coding}`;
    if (bytes === undefined || bytes.length > this.#maxBytes) return this.#refuse(name);
    this.#total += bytes.length;
    for (const [oldest, { length }] of this.#kept) {
      if (this.#total <= this.#maxBytes) break;
      this.#kept.delete(oldest);
      this.#total -= length;
      this.#refuse(oldest);
    }
    this.#kept.set(name, bytes);
    return bytes;
  }

  #refuse(name: string): undefined {
    const [oldest] = this.#refused.size < maxRefusals ? [] : this.#refused;
    if (oldest !== undefined) this.#refused.delete(oldest);
    this.#refused.add(name);
  }
}

async function compress(
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
  // A copy: the result may be a view of a larger buffer, which would be held with it.
  return result.length <= bytes.length * (1 - minSaving) ? new Uint8Array(result) : undefined;
}

/** Decompresses up to an expected length; `undefined` where it is longer or no such coding. */
export function decompress(
  bytes: Uint8Array,
  coding: Coding,
  size: number,
): Promise<Uint8Array | undefined> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array | undefined>();
  const limit = { maxOutputLength: Math.max(1, size) };
  const done = (error: Error | null, result: Uint8Array): void => {
    resolve(error === null ? result : undefined);
  };
  const { brotliDecompress, gunzip } = nodeZlib();
  if (coding === "gzip") gunzip(bytes, limit, done);
  else brotliDecompress(bytes, limit, done);
  return promise;
}
