import { hideUserInfo } from "../../base/diagnose/error_text.ts";

/** The placeholder for an omitted string. */
export const leftOutText = "[left out]";

export const maxKeptBodyBytes = 65_536;

/**
 * Parts that make a name secret wherever they occur, such as in `resetToken` and `client_secret`. No regular
 * expression, because compiling one of so many words takes half a millisecond of a start (`bench/start`).
 */
const secretParts: readonly string[] = (
  "passw passphrase passcode pwd secret token code credential authoris authoriz oauth csrf session jwt nonce " +
  "verifier assertion apikey senha segredo kennwort contrase\u00f1a wachtwoord c\u00f3digo chave cardn " +
  "creditcard ccnum ccno"
).split(" ");

/** Words that make a name secret as a whole word; as a part they occur in too many other names. */
const secretWords: ReadonlySet<string> = new Set(
  "pass passe auth pin otp totp mfa sid sig signature state key card cvc cvv iban ssn hash".split(
    " ",
  ),
);

/** Checks whether a name looks secret. `country_code` does, because providers name a login key `code`. */
export function isSecretName(name: string): boolean {
  const lower = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase();
  // Compiling Unicode classes takes a third of a millisecond of a start (`bench/start`).
  const words = lower.split(/[\x80-\uffff]/.test(lower) ? /[^\p{L}\p{N}]+/u : /[\W_]+/);
  const joined = words.join("");
  return secretParts.some((part) => joined.includes(part)) ||
    words.some((word) => secretWords.has(word.replace(/(?<!\d)\d+$/, "")));
}

/** Elements of HTML whose names look secret. */
const harmlessElements: ReadonlySet<string> = new Set(["code", "pass"]);

/** Checks for a value of a secret name, such as `?token=…`; only a parser of the format knows its end. */
export function namesSecret(text: string): boolean {
  // A name before its separator in JSON, a query, a header or XML. Created here, so that Unicode classes do
  // not slow down a start (`bench/start`).
  const namedValues =
    /(?<![\p{L}\p{N}_.[\]-])([\p{L}\p{N}_.[\]-]+)(?:\\{0,8}["']|%22)?\s{0,4}([:=>]|%3[ad])/giu;
  for (const [, name = "", sign] of text.matchAll(namedValues)) {
    if (isSecretName(name) && !(sign === ">" && harmlessElements.has(name))) return true;
  }
  return false;
}

/** Texts that are secret whatever the field's name: tokens, private keys, passwords in URLs. */
const secretTexts: readonly RegExp[] = [
  // A JSON Web Token: header and claims are base64 of JSON objects. It starts at a word boundary, so that
  // each character is read once.
  /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?/g,
  /\b(?:Bearer|Basic)\s+[\w.~+/=-]{8,}/gi,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*PRIVATE KEY-----)?/g,
];

/** A parameter of a URL; the query of the request itself was cleaned before. */
const parameter = /([?&]([\w.-]{1,64})=)(?!left-out)[^\s&#"'<>()]+/g;

export function hideSecrets(text: string): string {
  let hidden = hideUserInfo(text, leftOutText)
    .replace(parameter, (all, start, name) => isSecretName(name) ? start + leftOutText : all);
  for (const form of secretTexts) hidden = hidden.replace(form, leftOutText);
  return hidden;
}
