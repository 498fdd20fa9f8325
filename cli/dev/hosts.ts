/**
 * Reports whether a request's host is accepted: this machine, an address, or a listed name. Another
 * name may belong to a site that resolves to this machine in order to read what is served here (DNS
 * rebinding).
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

/** Returns the name without port and final dot, in lower case; an IPv6 address keeps its brackets. */
function nameOf(host: string): string | undefined {
  return /^(\[[\da-f:.]+\]|[^\s:[\]/]+?)\.?(?::\d{0,5})?$/.exec(host.trim().toLowerCase())?.[1];
}

/** Reads the allowed hosts from the environment, or else from the text of a `.env` file. */
export function listedHosts(value: string | undefined, envText: () => string): readonly string[] {
  const text = value ??
    /^[ \t]*(?:export[ \t]+)?FW_ALLOWED_HOSTS[ \t]*=[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^#\r\n]*))/m
      .exec(envText())?.slice(1).find((one) => one !== undefined) ??
    "";
  return text.split(",").map((one) => one.trim()).filter((one) => one !== "");
}
