import { assertEquals, assertLess } from "@std/assert";
import { cpuMs } from "../../../cpu_time.ts";
import {
  hideSecrets,
  isSecretName,
  redactJson,
  redactQuery,
} from "../../../../runtime/serve/incidents/secrets.ts";

const names: readonly (readonly [string, boolean])[] = [
  ["password", true],
  ["newPassword2", true],
  ["user[password]", true],
  ["passwd", true],
  ["Passwort", true],
  ["PWD", true],
  ["access_token", true],
  ["resetToken", true],
  ["client-secret", true],
  ["code", true],
  ["verificationCode", true],
  ["card.number", true],
  ["apiKey", true],
  ["api_key", true],
  ["_csrf", true],
  ["otp", true],
  ["PIN", true],
  ["state", true],
  ["senha", true],
  ["código", true],
  ["title", false],
  ["author", false],
  ["keyword", false],
  ["footprint", false],
  ["spinner", false],
  ["passenger", false],
  ["statement", false],
  ["", false],
];

for (const [name, isSecret] of names) {
  Deno.test(`isSecretName: ${JSON.stringify(name)}`, () => {
    assertEquals(isSecretName(name), isSecret);
  });
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

Deno.test("redactJson: members at every depth keep their type", () => {
  const json = JSON.stringify({
    title: "x",
    user: { password: "p", pin: 1234, list: [{ token: ["a"] }, { note: jwt }] },
    secret: { deep: true },
  });
  assertEquals(redactJson(json), {
    value: JSON.stringify({
      title: "x",
      user: {
        password: "[left out]",
        pin: 0,
        list: [{ token: [] }, { note: "[left out]" }],
      },
      secret: null,
    }),
    names: ["password", "pin", "token", "secret"],
  });
});

for (const text of ["{", "", '{"password":"p"', "[".repeat(60_000) + "]".repeat(60_000)]) {
  Deno.test(`redactJson: nothing is kept of ${text.slice(0, 20)} (${text.length})`, () => {
    assertEquals(redactJson(text), undefined);
  });
}

const queries: readonly (readonly [string, string, readonly string[]])[] = [
  ["", "", []],
  ["?q=a+b&page=2", "?q=a+b&page=2", []],
  ["?q=a&code=abc&state=x", "?q=a&code=left-out&state=left-out", ["code", "state"]],
  ["?%63ode=abc", "?%63ode=left-out", ["code"]],
  [`?next=${jwt}`, "?next%3D%5Bleft%20out%5D", []],
  ["?a=%zz&b", "?a=%zz&b", []],
];

for (const [query, value, left] of queries) {
  Deno.test(`redactQuery: ${query}`, () => {
    assertEquals(redactQuery(query), { value, names: left });
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
