import { deriveKey, equalSecrets, randomToken } from "../../../runtime/addon.ts";
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { secretBytes } from "../../../runtime/base/crypto.ts";

Deno.test("equalSecrets compares the UTF-8 bytes", () => {
  const rows: readonly [a: string, b: string, want: boolean][] = [
    ["", "", true],
    ["a", "a", true],
    ["a", "b", false],
    ["a", "aa", false],
    ["", "a", false],
    ["é", "é", true],
    ["é", "e\u0301", false],
    ["a\0", "a", false],
  ];
  for (const [a, b, want] of rows) assertEquals(equalSecrets(a, b), want, `${a} ${b}`);
});

Deno.test("randomToken returns the requested number of random bytes as base64url", () => {
  assertMatch(randomToken(), /^[A-Za-z0-9_-]{43}$/);
  assertMatch(randomToken(16), /^[A-Za-z0-9_-]{22}$/);
  assertEquals(new Set(Array.from({ length: 1_000 }, () => randomToken())).size, 1_000);
});

Deno.test("deriveKey depends on secret and purpose (RFC 5869)", () => {
  const key = deriveKey("s".repeat(32), "a");
  assertEquals([key.length, deriveKey(secretBytes("s".repeat(32)), "a")], [32, key]);
  assertNotEquals(deriveKey("s".repeat(32), "b"), key);
  assertNotEquals(deriveKey("t".repeat(32), "a"), key);
  // Test case 3 of the RFC: no salt, no info; its first 32 bytes.
  const vector = deriveKey(new Uint8Array(22).fill(0x0b), "");
  assert(
    vector.toHex().startsWith("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"),
  );
});
