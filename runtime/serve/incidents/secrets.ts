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

/** Texts that are secret whatever the field is called: tokens, private keys, passwords in URLs. */
const secretTexts: readonly RegExp[] = [
  // A JSON Web Token: header and claims are base64 of JSON objects. It starts where a word does, so that
  // each character is looked at once.
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
];

const urlCredentials = /\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/@?#]{1,256}@/gi;

export function hideSecrets(text: string): string {
  let hidden = text.replace(urlCredentials, `$1${leftOutText}@`);
  for (const form of secretTexts) hidden = hidden.replace(form, leftOutText);
  return hidden;
}
