import { digestOf } from "../runtime/addon.ts";

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
