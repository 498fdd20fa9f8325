import { isToken } from "../base/headers.ts";

/**
 * Says why a header cannot be set (RFC 9110, section 5), without its value, which may be a secret.
 *
 * @param name The name, as it was written.
 * @param cause What the system said.
 */
export function headerError(name: string, cause: unknown): TypeError {
  const mend = isToken(name)
    ? "its value may hold neither a line break nor a NUL, and no character beyond U+00FF; encode " +
      "others, such as with encodeURIComponent"
    : "its name may hold letters, digits and -_.~!#$%&'*+^`| only";
  return new TypeError(`Cannot set the header ${JSON.stringify(name)}: ${mend}.`, { cause });
}
