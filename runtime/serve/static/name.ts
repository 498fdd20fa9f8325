const deviceName =
  "(?:con|prn|aux|nul|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3]|conin\\$|conout\\$)";

// One table for every platform: files served on the development machine are served in production, and vice
// versa.
const refused: readonly RegExp[] = [
  // A dot file, a dot segment.
  /\/\./,
  // An empty segment: the disk would read it as none.
  /\/\/|\/$/,
  // A separator that is none here but is on another system, or once decoded again.
  /\\|%2F/,
  // A drive or an alternative stream.
  /:/,
  // A control character.
  /\p{Cc}/u,
  // Windows drops what ends a segment: another name of the same file.
  /[. ](?:\/|$)/,
  new RegExp(`/${deviceName}(?:[. ][^/]*)?(?:/|$)`, "i"),
];

/** Windows gives long names a short one, so that `GIT~1` is `.git`. */
const shortName = /~\d/;

const wellKnown = "/.well-known/";

/**
 * Reports whether a path may be a static file: no dot files but those below `/.well-known/` (RFC
 * 8615), nothing that a file system could read as a separator, a device or another name of a file.
 */
export function isServable(path: string): boolean {
  const checked = path.startsWith(wellKnown) ? path.slice(wellKnown.length - 1) : path;
  if (Deno.build.os === "windows" && shortName.test(checked)) return false;
  return !refused.some((pattern) => pattern.test(checked));
}
