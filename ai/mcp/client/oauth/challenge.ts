/** What a server says about the token that it wants (RFC 6750, section 3, and RFC 9728). */
export interface Challenge {
  /** Where the metadata of the resource is. */
  readonly resourceMetadata: string | undefined;
  /** The scopes that the request needs. */
  readonly scopes: readonly string[] | undefined;
  /** What is wrong with the token that was sent. */
  readonly error: string | undefined;
}

/** How much of the header is looked at. */
const maxChars = 8_192;

/**
 * Parses `WWW-Authenticate` for the scheme `Bearer`; other schemes are skipped.
 *
 * @returns `undefined` where the server does not ask for a bearer token.
 */
export function parseChallenge(header: string | null): Challenge | undefined {
  const text = (header ?? "").slice(0, maxChars);
  const found = /(?:^|,)\s*bearer(?:\s+|$)/i.exec(text);
  if (found === null) return undefined;
  const params = parseParams(text.slice(found.index + found[0].length));
  const scope = params.get("scope");
  return {
    resourceMetadata: params.get("resource_metadata"),
    scopes: scope === undefined ? undefined : scope.split(" ").filter((each) => each !== ""),
    error: params.get("error"),
  };
}

/** Parses `name=value` pairs until another scheme begins. */
function parseParams(text: string): ReadonlyMap<string, string> {
  const params = new Map<string, string>();
  const pair = /\s*,?\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))/y;
  for (let found = pair.exec(text); found !== null; found = pair.exec(text)) {
    const [, name = "", quoted, plain = ""] = found;
    const value = quoted?.replaceAll(/\\(.)/g, "$1") ?? plain;
    if (!params.has(name.toLowerCase())) params.set(name.toLowerCase(), value);
  }
  return params;
}
