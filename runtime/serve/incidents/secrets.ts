import { leftOutText } from "../../base/incident.ts";

/** Parts of names that are secret wherever they stand, such as in `resetToken` and `client_secret`. */
const secretPart =
  /passw|passphrase|passcode|pwd|secret|token|code|credential|authori[sz]|oauth|csrf|session|jwt|nonce|verifier|assertion|apikey|senha|segredo|c\u00f3digo|chave/;

/** Words of names that are secret as a whole word: as a part they are in too many others. */
const secretWords: ReadonlySet<string> = new Set(
  "pass passe auth pin otp totp mfa sid sig signature state key card cvc cvv iban ssn hash".split(
    " ",
  ),
);

/**
 * Checks whether a field's name looks like that of a secret. It fails closed: `country_code` is taken for one,
 * because `code` alone is what a provider calls the key to an account.
 */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase().split(/[^\p{L}\p{N}]+/u);
  return secretPart.test(words.join("")) || words.some((word) => secretWords.has(word));
}

/** Texts that are secret whatever the field is called: tokens, private keys, passwords in URLs. */
const secretTexts: readonly RegExp[] = [
  // A JSON Web Token: header and claims are base64 of JSON objects. It starts where a word does, so that
  // each character is looked at once.
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
];

/** The user and the password of a URL. */
const urlCredentials = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@?#]{1,256}@/gi;

/** Replaces the parts of a text that are secret by their form. */
export function hideSecrets(text: string): string {
  let hidden = text.replace(urlCredentials, `$1${leftOutText}@`);
  for (const form of secretTexts) hidden = hidden.replace(form, leftOutText);
  return hidden;
}

/** What is kept of a value, and the names of what was left out of it. */
export interface Redacted<T> {
  /** What is kept. */
  readonly value: T;
  /** The names of the members that were left out. */
  readonly names: readonly string[];
}

/**
 * Removes the members of a JSON value whose names look secret.
 *
 * @param text The JSON.
 * @returns The rest as JSON; `undefined` for what is no JSON, or is nested too deep to look through: then
 * nothing is known of what it holds.
 */
export function redactJson(text: string): Redacted<string> | undefined {
  const names = new Set<string>();
  try {
    const value: unknown = JSON.parse(text, (name, member: unknown) => {
      if (name !== "" && isSecretName(name)) {
        names.add(name);
        return placeholderOf(member);
      }
      return typeof member === "string" ? hideSecrets(member) : member;
    });
    return { value: JSON.stringify(value), names: [...names] };
  } catch {
    return undefined;
  }
}

/** A value of the same type, so that a schema takes the body as before. */
function placeholderOf(member: unknown): unknown {
  if (typeof member === "string") return leftOutText;
  if (typeof member === "number") return 0;
  return Array.isArray(member) ? [] : null;
}

/**
 * Removes the values of a query whose names look secret.
 *
 * @param query The query with its `?`, or `""`.
 */
export function redactQuery(query: string): Redacted<string> {
  const names = new Set<string>();
  const pieces = query.slice(1).split("&").map((piece) => {
    const equals = piece.indexOf("=");
    const name = decode(equals < 0 ? piece : piece.slice(0, equals));
    if (!isSecretName(name)) {
      const value = decode(piece);
      return hideSecrets(value) === value ? piece : encodeURIComponent(hideSecrets(value));
    }
    names.add(name);
    return equals < 0 ? encodeURIComponent(leftOutText) : `${piece.slice(0, equals)}=left-out`;
  });
  return { value: query === "" ? "" : `?${pieces.join("&")}`, names: [...names] };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
