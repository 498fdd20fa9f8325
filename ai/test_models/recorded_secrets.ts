const hidden = "HIDDEN";

/** The request headers that describe the content; the values of all others may be secret. */
const openHeaders = new Set(["accept", "content-type", "content-length", "user-agent"]);

const openParameters = new Set(["api-version", "beta", "alt"]);

const keyForms = [
  /\b(?:sk|pk|rk|gsk|xai|key)[-_][A-Za-z0-9_-]{16,}/g,
  /\bBearer\s+[A-Za-z0-9._~+/=-]{8,}/gi,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\b(?:gh[opsur]|github_pat|glpat|hf|r8|npm|nvapi|pplx|xox[abeprs])[-_][A-Za-z0-9_-]{16,}/g,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*?-----END [A-Z ]*PRIVATE KEY-----/g,
  /\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]*/g,
];

export function secretsOf(request: Request): readonly string[] {
  const values: string[] = [];
  for (const [name, value] of request.headers) if (!openHeaders.has(name)) values.push(value);
  const url = new URL(request.url);
  const basic = values.flatMap(basicSecrets);
  const login = [url.username, url.password].map(decodeURIComponent);
  const fragment = url.hash.slice(1);
  return secretsIn([...values, ...basic, ...login, fragment, ...querySecrets(url)]);
}

function basicSecrets(header: string): readonly string[] {
  const [, encoded] = /^basic\s+([A-Za-z0-9+/=]+)$/i.exec(header) ?? [];
  if (encoded === undefined) return [];
  try {
    const text = new TextDecoder().decode(Uint8Array.fromBase64(encoded));
    return [text, ...text.split(":")];
  } catch {
    return [];
  }
}

/** Lists the values of query parameters that may be secret, both encoded and decoded. */
export function querySecrets({ search, searchParams }: URL): readonly string[] {
  const decoded = [...searchParams].filter(([name]) => !openParameters.has(name))
    .map(([, value]) => value);
  const written = search.slice(1).split("&").map((pair) => pair.slice(pair.indexOf("=") + 1));
  // The value of an open parameter is not secret in any spelling.
  const open = [...searchParams].filter(([name]) => openParameters.has(name));
  return [...decoded, ...written.filter((text) => !open.some(([, value]) => value === text))];
}

export function secretsIn(values: readonly string[]): readonly string[] {
  // The token of "Bearer …" may appear without its scheme.
  const words = values.flatMap((value) => value.split(/\s+/)).filter((word) => word.length >= 8);
  // Hiding shorter strings would garble messages, since a header may have the value "1".
  const texts = values.filter((text) => text.length >= 6);
  const forms = [...texts, ...words].flatMap((text) => [
    text,
    encodeURIComponent(text.toWellFormed()),
    JSON.stringify(text).slice(1, -1),
  ]);
  return [...new Set(forms)].sort((one, other) => other.length - one.length);
}

/**
 * Matches names of secret values by their ending. `token` alone also names a member of log probabilities, and keys
 * of caches and tables are not secret.
 */
const secretName =
  String.raw`[\w.-]*(?:(?<!(?:cache|primary|foreign|sort|partition|idempotency|public)[-_.]?)key|` +
  String.raw`[-_.a-z]token|secret|passw(?:or)?d|passphrase|credentials?|authorization|signature)`;

/** Matches members of JSON, including JSON inside a string, and fields of forms and queries. */
const secretMembers = [
  new RegExp(String.raw`("${secretName}"\s*:\s*")(?:[^"\\]|\\.)*`, "gi"),
  new RegExp(String.raw`(\\"${secretName}\\"\s*:\s*\\")(?:[^"\\]|\\\\.)*`, "gi"),
  new RegExp(String.raw`((?:^|[?&])(?:token|sig|${secretName})=)[^&#\s"'\\]+`, "gi"),
];

/** Replaces the secrets and strings that look like keys. */
export function hideRecordedSecrets(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets) safe = safe.replaceAll(secret, hidden);
  for (const form of keyForms) safe = safe.replace(form, hidden);
  for (const member of secretMembers) safe = safe.replace(member, `$1${hidden}`);
  return safe;
}

/** Reports whether a string contains a secret in escapes or split across the events of a stream. */
export function spellsSecret(text: string, secrets: readonly string[]): boolean {
  const joined = new Map<string, string>();
  const collect = (value: unknown, place: string): void => {
    if (typeof value === "string") joined.set(place, (joined.get(place) ?? "") + value);
    else if (typeof value === "object" && value !== null) {
      for (const [name, each] of Object.entries(value)) collect(each, `${place}/${name}`);
    }
  };
  const lines = text.split(/\r\n|\r|\n/).map((line) => line.replace(/^data:/, ""));
  for (const part of [text, ...lines]) {
    try {
      collect(JSON.parse(part), "");
    } catch {
      // Not JSON, and already searched as plain text.
    }
  }
  return [...joined.values()].some((each) =>
    secrets.some((secret) => each.includes(secret)) ||
    keyForms.some((form) => each.search(form) >= 0)
  );
}

/** Hides secret parts of a URL: the login, the fragment, and every parameter not known to be open. */
export function hideUrl(text: string, secrets: readonly string[]): string {
  const url = new URL(text);
  url.username = "";
  url.password = "";
  url.hash = "";
  const pairs = [...url.searchParams].map(([name, value]) =>
    openParameters.has(name) ? [name, value] : value === "" ? [hidden, ""] : [name, hidden]
  );
  url.search = pairs.length === 0 ? "" : String(new URLSearchParams(pairs));
  return hideRecordedSecrets(url.href, secrets);
}
