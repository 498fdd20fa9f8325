import { createHash } from "node:crypto";

/** How many characters of the digest are kept: 72 bits. */
const fingerprintChars = 12;

/** How much of a file is read at once. */
const chunkBytes = 256 * 1_024;

/** Files up to this size are read whole for their fingerprint; the event loop waits meanwhile. */
export const maxHashedBytes = 8 * 1_024 * 1_024;

/** How much is read of the start, the middle and the end of a larger file. */
const sampleBytes = 64 * 1_024;

/** Returns the fingerprint of a file's content, as it stands in `?v=` and in the `ETag`. */
export function fingerprintBytes(bytes: Uint8Array): string {
  return shorten(createHash("sha256").update(bytes).digest("base64url"));
}

/**
 * Returns the fingerprint of a file on disk. Of a file over 8 MiB three samples are read, with its size and
 * its time: reading a film whole would stop the server for seconds.
 */
export function fingerprintFile(file: string): string {
  using handle = Deno.openSync(file);
  const { size, mtime } = handle.statSync();
  const hash = createHash("sha256");
  const chunk = new Uint8Array(chunkBytes);
  if (size <= maxHashedBytes) {
    for (let read = handle.readSync(chunk); read !== null; read = handle.readSync(chunk)) {
      hash.update(chunk.subarray(0, read));
    }
  } else {
    hash.update(`${size} ${mtime?.getTime()}`);
    for (const start of [0, Math.floor(size / 2), size - sampleBytes]) {
      handle.seekSync(start, Deno.SeekMode.Start);
      const read = handle.readSync(chunk.subarray(0, sampleBytes)) ?? 0;
      hash.update(chunk.subarray(0, read));
    }
  }
  return shorten(hash.digest("base64url"));
}

function shorten(digest: string): string {
  return digest.slice(0, fingerprintChars);
}
