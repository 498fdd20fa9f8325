import { assertEquals, assertLess } from "@std/assert";
import { cpuMs } from "../../../cpu_time.ts";
import { Redaction } from "../../../../runtime/serve/incidents/describe.ts";
import {
  hideSecrets,
  isSecretName,
  namesSecret,
} from "../../../../runtime/serve/incidents/secrets.ts";

const secret = `
  password newPassword2 user[password] passwd Passwort Kennwort contraseña wachtwoord PWD access_token
  resetToken client-secret code verificationCode card.number apiKey api_key _csrf otp PIN state senha
  código cardnumber cc-number cvv2
`.trim().split(/\s+/);

Deno.test("isSecretName: matches names in several languages and no other words", () => {
  assertEquals(secret.filter((name) => !isSecretName(name)), []);
  const plain = ["", ..."title author keyword footprint spinner passenger statement".split(" ")];
  assertEquals(plain.filter(isSecretName), []);
});

const named: readonly (readonly [string, boolean])[] = [
  ['{"password":"p"}', true],
  ['{\\"password\\" : \\"p\\"}', true],
  ["password=p", true],
  ["a=1&user[password]=p", true],
  ["/reset?token=p", true],
  ["<password>p</password>", true],
  ['<a secret="p">', true],
  ['mutation { login(password: "p") }', true],
  ["senha: p", true],
  ["I forgot my password, and the token is gone.", false],
  ["https://example.org/?page=2&q=x", false],
  ["<code>x = 1</code>", false],
  ["", false],
];

for (const [text, isNamed] of named) {
  Deno.test(`namesSecret: ${text}`, () => assertEquals(namesSecret(text), isNamed));
}

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl";

const texts: readonly (readonly [string, string, string])[] = [
  ["a web token", `sent ${jwt}!`, "sent [left out]!"],
  ["a bearer", "Authorization: Bearer abcdefghij.1", "Authorization: [left out]"],
  ["a URL", "at postgres://ada:hunter2@db/app", "at postgres://[left out]@db/app"],
  [
    "a private key",
    "x -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- y",
    "x [left out] y",
  ],
  ["an address", "mail ada@example.org", "mail ada@example.org"],
];

for (const [name, text, hidden] of texts) {
  Deno.test(`hideSecrets: ${name}`, () => assertEquals(hideSecrets(text), hidden));
}

const queries: readonly (readonly [string, string, readonly string[]])[] = [
  ["?next=%2Freset%3Ftoken%3Dp", "?next=left-out", ["next"]],
  ["?tokenp", "?left-out", ["a parameter without a value"]],
  ["?%7B%22password%22:%22p%22%7D=1", "?left-out", ["a parameter without a value"]],
  ["", "", []],
  ["?q=a+b&page=2", "?q=a+b&page=2", []],
  ["?q=a&code=abc&state=x", "?q=a&code=left-out&state=left-out", ["code", "state"]],
  ["?%63ode=abc", "?%63ode=left-out", ["code"]],
  [`?next=${jwt}`, "?next=left-out", ["next"]],
  ["?a=%zz&b", "?a=%zz&b", []],
];

for (const [query, value, left] of queries) {
  Deno.test(`Redaction.query: ${query}`, () => {
    const redaction = new Redaction();
    assertEquals(redaction.query(query), value);
    assertEquals([...redaction.leftOut], left.map((name) => `query "${name}"`));
  });
}

for (const piece of ["a", "a.", "a:", "a ", "\\", '"', "password "]) {
  Deno.test(`namesSecret: 64 KiB of ${piece} take less than 0.2 s of processor time`, () => {
    const startMs = cpuMs();
    namesSecret("x" + piece.repeat(65_536 / piece.length));
    assertLess(cpuMs() - startMs, 200);
  });
}

for (const piece of ["eyJ-", "eyJaaaaaaaa.", "Bearer ", "-----BEGIN ", "a://", "x://a:"]) {
  Deno.test(`hideSecrets: 64 KiB of ${piece} take less than 0.2 s of processor time`, () => {
    const text = piece.repeat(65_536 / piece.length);
    const startMs = cpuMs();
    hideSecrets(text);
    assertLess(cpuMs() - startMs, 200);
  });
}
