import { nodeCrypto } from "../../base/node.ts";

/** Number of characters of the digest that are kept: 72 bits. */
const fingerprintChars = 12;

const chunkBytes = 1_024 * 1_024;

/** Returns the fingerprint of a content, as it stands in `?v=` and in the `ETag`. */
export function fingerprintBytes(bytes: Uint8Array): string {
  return shorten(nodeCrypto().createHash("sha256").update(bytes).digest());
}

/** Returns the fingerprint of a content without loading Node's built-in. */
export async function fingerprintLater(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return shorten(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
}

/** Returns the fingerprint of a file too large to be held; other requests are served meanwhile. */
export async function fingerprintFile(path: string): Promise<string> {
  const hash = nodeCrypto().createHash("sha256");
  using file = await Deno.open(path);
  const chunk = new Uint8Array(chunkBytes);
  for (let read = await file.read(chunk); read !== null; read = await file.read(chunk)) {
    hash.update(chunk.subarray(0, read));
  }
  return shorten(hash.digest());
}

function shorten(digest: Uint8Array): string {
  return digest.toBase64({ alphabet: "base64url" }).slice(0, fingerprintChars);
}
