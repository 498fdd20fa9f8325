/**
 * Which hosts the development server answers.
 *
 * @module
 */

/**
 * Whether a request may be answered: for this machine, for an address, and for what is listed. Any
 * other name may be a foreign site's, which points it at this machine to read what is served here
 * (DNS rebinding).
 *
 * @param host The field `Host`; without one the client is no browser.
 * @param listed Gives the names of `FW_ALLOWED_HOSTS`; `*.example.com` stands for one more label.
 */
export function isHostAllowed(
  host: string | undefined,
  listed: () => readonly string[],
): boolean {
  if (host === undefined) return true;
  const name = nameOf(host);
  if (name === undefined) return false;
  if (name.startsWith("[") || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name)) return true;
  if (name === "localhost" || name.endsWith(".localhost")) return true;
  const wildcard = name.includes(".") ? `*${name.slice(name.indexOf("."))}` : name;
  return listed().some((pattern) => {
    const allowed = nameOf(pattern);
    return allowed === name || allowed === wildcard;
  });
}

/** The name without the port and a final dot, in lower case; an IPv6 address in its brackets. */
function nameOf(host: string): string | undefined {
  return /^(\[[\da-f:.]+\]|[^\s:[\]/]+?)\.?(?::\d{0,5})?$/.exec(host.trim().toLowerCase())?.[1];
}

/**
 * Reads the listed hosts, from the environment or from the text of a `.env` file, which gives way.
 *
 * @param value The variable `FW_ALLOWED_HOSTS`.
 * @param envText Gives the text of `.env`.
 */
export function listedHosts(value: string | undefined, envText: () => string): readonly string[] {
  const text = value ??
    /^[ \t]*(?:export[ \t]+)?FW_ALLOWED_HOSTS[ \t]*=[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^#\r\n]*))/m
      .exec(envText())?.slice(1).find((one) => one !== undefined) ??
    "";
  return text.split(",").map((one) => one.trim()).filter((one) => one !== "");
}
