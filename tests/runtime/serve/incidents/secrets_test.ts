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
  ["a long password", `at redis://:${"hunter2".repeat(99)}/@db/1`, "at redis://[left out]@db/1"],
  [
    "a query",
    "https://a.example/?a=1&api_key=hunter2 failed",
    "https://a.example/?a=1&api_key=[left out] failed",
  ],
  ["an address", "mail ada@example.org", "mail ada@example.org"],
];

for (const [name, text, hidden] of texts) {
  Deno.test(`hideSecrets: ${name}`, () => assertEquals(hideSecrets(text), hidden));
}

const cases = [
  [
    '[{"name":"password","value":"p"},{"name":"a","value":"b"}]',
    '[{"name":"password","value":"[left out]"},{"name":"a","value":"b"}]',
  ],
  ['{"key":"api_token","value":5}', null],
  ['{"payload":"{\\"password\\":\\"p\\"}"}', '{"payload":"[left out]"}'],
  ['{"url":"/reset?token=p"}', '{"url":"[left out]"}'],
] as const;
for (const [json, kept] of cases) {
  Deno.test(`Redaction.json: removes every secret from ${json}`, () => {
    assertEquals(new Redaction().json(json), kept ?? '{"key":"[left out]","value":0}');
  });
}

Deno.test("Redaction.json: members at every depth keep their type", () => {
  const user = { password: "p", pin: 1234, list: [{ token: ["a"] }, { note: jwt }] };
  const json = JSON.stringify({ title: "x", user, secret: { deep: true } });
  const redaction = new Redaction();
  assertEquals(
    redaction.json(json),
    JSON.stringify({
      title: "x",
      user: { password: "[left out]", pin: 0, list: [{ token: [] }, { note: "[left out]" }] },
      secret: null,
    }),
  );
  const names = ["password", "pin", "token", "secret"];
  assertEquals([...redaction.leftOut], names.map((name) => `member "${name}"`));
  assertEquals(redaction.error("short p, long 1234"), "short p, long [left out]");
});

for (const text of ["{", "", '{"password":"p"', "[".repeat(60_000) + "]".repeat(60_000)]) {
  Deno.test(`Redaction.json: drops ${text.slice(0, 20)} (${text.length})`, () => {
    assertEquals(new Redaction().json(text), undefined);
  });
}

Deno.test("Redaction.json: accepts any depth of nesting", () => {
  for (let depth = 2_000; depth < 6_000; depth += 50) {
    const text = `{"password":${"[".repeat(depth)}1${"]".repeat(depth)}}`;
    const kept = new Redaction().json(text);
    assertEquals(kept ?? '{"password":[]}', '{"password":[]}');
  }
});

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

for (const piece of ["a", "a.", "a:", "a ", "\\", '"', "password ", "1"]) {
  Deno.test(`namesSecret: 64 KiB of ${piece} take less than 0.2 s of processor time`, () => {
    const startMs = cpuMs();
    namesSecret(`x ${piece.repeat(65_536 / piece.length)}x=`);
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
