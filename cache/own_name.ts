import { createHash } from "node:crypto";

/** The longest name that stands for itself. */
export const maxNameChars = 512;

/**
 * Returns the form in which a cache knows a name or a tag. Of one that is longer than
 * {@link maxNameChars} it is the beginning and a digest: names that clients make up must not fill
 * the memory, and V8 gives all very long texts of one length the same place in a `Map`.
 */
export function ownName(name: string): string {
  if (name.length <= maxNameChars) return name;
  // It is longer than every name that stands for itself, so that no name can be made up that is the form
  // of another.
  return name.slice(0, maxNameChars) + digestOf(name);
}

/** Returns the SHA-256 of a text in UTF-16, since UTF-8 makes all lone surrogates one. */
export function digestOf(text: string): string {
  const hash = createHash("sha256");
  // Node's own conversion takes two to four times as long for a megabyte.
  const units = new Uint16Array(text.length);
  for (let at = 0; at < text.length; at++) units[at] = text.charCodeAt(at);
  hash.update(new Uint8Array(units.buffer));
  return hash.digest("hex");
}
