/**
 * Writes on a stream of this process.
 *
 * @module
 */

/** Writes all the bytes: the system may take a part at a time. */
export function writeAll(stream: typeof Deno.stdout, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
}
