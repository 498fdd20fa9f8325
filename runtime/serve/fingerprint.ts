import { createHash } from "node:crypto";

/** How many characters of the digest are kept: 72 bits. */
const fingerprintChars = 12;

/** How much of a file is read at once. */
const chunkBytes = 256 * 1_024;

/** The fingerprint of a file's content, as it stands in `?v=` and in the `ETag`. */
export function fingerprintBytes(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url").slice(0, fingerprintChars);
}

/** The fingerprint of a file on disk, read in pieces so that its size does not matter. */
export function fingerprintFile(file: string): string {
  using handle = Deno.openSync(file);
  const hash = createHash("sha256");
  const chunk = new Uint8Array(chunkBytes);
  for (let size = handle.readSync(chunk); size !== null; size = handle.readSync(chunk)) {
    hash.update(chunk.subarray(0, size));
  }
  return hash.digest("base64url").slice(0, fingerprintChars);
}
