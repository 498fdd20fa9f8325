import { createHash } from "node:crypto";

/** The longest name that stands for itself. */
export const maxNameChars = 512;

/**
 * The form in which a cache knows a name or a tag. Of one that is longer than {@link maxNameChars} it
 * is the beginning and a digest: names that clients make up must not fill the memory, and V8 gives all
 * very long texts of one length the same place in a `Map`.
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
  const bytes = new TextEncoder().encode(text);
  // As many bytes as characters: all are ASCII. Node's conversion takes ten times as long for a megabyte.
  if (bytes.length === text.length) hash.update(new Uint8Array(new Uint16Array(bytes).buffer));
  else hash.update(text, "utf16le");
  return hash.digest("hex");
}
