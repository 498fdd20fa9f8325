/** What stands in the place of a secret. */
const hidden = "HIDDEN";

/** The request headers that describe the content; the values of all others may be secret. */
const openHeaders = new Set(["accept", "content-type", "content-length", "user-agent"]);

/** The query parameters that may be written. */
const openParameters = new Set(["api-version", "beta", "alt"]);

/** Forms of keys that are known by sight, wherever they come from. */
const keyForms = [
  /\b(?:sk|pk|rk|gsk|xai|key)[-_][A-Za-z0-9_-]{16,}/g,
  /\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*/g,
];

/** Lists the texts of a request that must not be written. */
export function secretsOf(request: Request): readonly string[] {
  const secrets = new Set<string>();
  for (const [name, value] of request.headers) {
    if (openHeaders.has(name)) continue;
    secrets.add(value);
    // The token of "Bearer …" may appear without its scheme.
    for (const word of value.split(/\s+/)) if (word.length >= 8) secrets.add(word);
  }
  for (const [name, value] of new URL(request.url).searchParams) {
    if (!openParameters.has(name)) secrets.add(value);
  }
  return [...secrets].filter((text) => text.length >= 6).sort((a, b) => b.length - a.length);
}

/** Replaces the secrets, and whatever looks like a key. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets) safe = safe.replaceAll(secret, hidden);
  for (const form of keyForms) safe = safe.replace(form, hidden);
  return safe;
}

/** Replaces the values of query parameters, and a user name and password. */
export function hideUrl(text: string): string {
  const url = new URL(text);
  url.username = "";
  url.password = "";
  for (const name of [...url.searchParams.keys()]) {
    if (!openParameters.has(name)) url.searchParams.set(name, hidden);
  }
  return url.href;
}
