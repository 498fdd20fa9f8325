import { leftOutText } from "../../base/observe/incident.ts";

/** Parts of names that are secret wherever they stand, such as in `resetToken` and `client_secret`. */
const secretPart =
  /passw|passphrase|passcode|pwd|secret|token|code|credential|authori[sz]|oauth|csrf|session|jwt|nonce|verifier|assertion|apikey|senha|segredo|kennwort|contrase\u00f1a|wachtwoord|c\u00f3digo|chave|cardn|creditcard|ccn(?:um|o)/;

/** Words of names that are secret as a whole word: as a part they are in too many others. */
const secretWords: ReadonlySet<string> = new Set(
  "pass passe auth pin otp totp mfa sid sig signature state key card cvc cvv iban ssn hash".split(
    " ",
  ),
);

/** Fails closed: `country_code` counts, since `code` alone is what providers call the key to an account. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return secretPart.test(words.join("")) ||
    words.some((word) => secretWords.has(word.replace(/\d+$/, "")));
}

/** Elements of HTML whose names look secret. */
const harmlessElements: ReadonlySet<string> = new Set(["code", "pass"]);

/** Checks for a value of a secret name, such as `?token=…`; only the format knows where it ends. */
export function namesSecret(text: string): boolean {
  // A name before what separates it from its value, in JSON, in a query, in a header and in XML.
  // Inside, so that a start does not pay for the classes of Unicode (`bench/start`).
  const namedValues =
    /(?<![\p{L}\p{N}_.[\]-])([\p{L}\p{N}_.[\]-]+)(?:\\{0,8}["']|%22)?\s{0,4}([:=>]|%3[ad])/giu;
  for (const [, name = "", sign] of text.matchAll(namedValues)) {
    if (isSecretName(name) && !(sign === ">" && harmlessElements.has(name))) return true;
  }
  return false;
}

/** Returns a string without what is secret in it: whole, in parts, or not at all. */
function clean(text: string): string {
  return namesSecret(text) ? leftOutText : hideSecrets(text);
}

/** Texts that are secret whatever the field is called: tokens, private keys, passwords in URLs. */
const secretTexts: readonly RegExp[] = [
  // A JSON Web Token: header and claims are base64 of JSON objects. It starts where a word does, so that
  // each character is looked at once.
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
];

const urlCredentials = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@?#]{1,256}@/gi;

/** Replaces values that were left out elsewhere: an error often quotes what it could not take. */
export function hideValues(text: string, values: Iterable<string>): string {
  let hidden = text;
  // The longest first, so that a value inside another one does not break it.
  for (const value of [...new Set(values)].sort((a, b) => b.length - a.length)) {
    if (value.length >= minValueChars) hidden = hidden.replaceAll(value, leftOutText);
  }
  return hidden;
}

const minValueChars = 4;

export function hideSecrets(text: string): string {
  let hidden = text.replace(urlCredentials, `$1${leftOutText}@`);
  for (const form of secretTexts) hidden = hidden.replace(form, leftOutText);
  return hidden;
}

export interface Redacted<T> {
  readonly value: T;
  readonly names: readonly string[];
  /** The texts and numbers that were left out. */
  readonly values: readonly string[];
}

/** Removes members whose names look secret; `undefined` for what cannot be looked through. */
export function redactJson(text: string): Redacted<string> | undefined {
  const names = new Set<string>();
  const values = new Set<string>();
  const leave = (name: string, member: unknown): unknown => {
    names.add(name);
    collect(member, values);
    return placeholderOf(member);
  };
  try {
    const value: unknown = JSON.parse(text, (name, member: unknown) => {
      if (name !== "" && isSecretName(name)) return leave(name, member);
      if (typeof member === "string") return clean(member);
      return isPair(member) ? { ...member, value: leave("value", member.value) } : member;
    });
    return { value: JSON.stringify(value), names: [...names], values: [...values] };
  } catch {
    return undefined;
  }
}

/** Reports whether a member says in one place what it is called and in another what its value is. */
function isPair(member: unknown): member is { readonly value: unknown } {
  if (typeof member !== "object" || member === null || !Object.hasOwn(member, "value")) {
    return false;
  }
  return ["name", "key", "field", "id"].some((key) => {
    const name = Object.hasOwn(member, key) ? (member as Record<string, unknown>)[key] : undefined;
    // `key` is a secret name itself: what it said has been left out already.
    return typeof name === "string" && (name === leftOutText || isSecretName(name));
  });
}

function collect(member: unknown, values: Set<string>): void {
  if (typeof member === "string" || typeof member === "number") values.add(String(member));
  else if (typeof member === "object" && member !== null) {
    for (const inner of Object.values(member)) collect(inner, values);
  }
}

/** Returns a value of the same type, so that a schema takes the body as before. */
function placeholderOf(member: unknown): unknown {
  if (typeof member === "string") return leftOutText;
  if (typeof member === "number") return 0;
  return Array.isArray(member) ? [] : null;
}

export function redactQuery(query: string): Redacted<string> {
  const names = new Set<string>();
  const values = new Set<string>();
  const pieces = query.slice(1).split("&").map((piece) => {
    const equals = piece.indexOf("=");
    const [name, value] = equals < 0
      ? ["", decode(piece)]
      : [decode(piece.slice(0, equals)), decode(piece.slice(equals + 1))];
    // A name that holds a value is none.
    if (clean(name) !== name || (equals < 0 && isSecretName(value))) {
      names.add("a parameter without a value");
      values.add(value);
      return "left-out";
    }
    if (!isSecretName(name) && clean(value) === value) return piece;
    names.add(equals < 0 ? "a parameter without a value" : name);
    values.add(value);
    return equals < 0 ? "left-out" : `${piece.slice(0, equals)}=left-out`;
  });
  return {
    value: query === "" ? "" : `?${pieces.join("&")}`,
    names: [...names],
    values: [...values],
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
