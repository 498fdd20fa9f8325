import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { parseDevice } from "../../auth/session_record.ts";
import { RecentTexts } from "../../auth/recent_texts.ts";
import { isRsaKey } from "../../auth/rsa_key.ts";
import { appKeys, setGate } from "../../runtime/addon.ts";
import { type Ctx, httpError, type MiddlewareHandler } from "../../mod.ts";
import { testRequest } from "../../runtime/testing/mod.ts";
import { quietApp } from "./support.ts";

const agents: readonly (readonly [agent: string | null, device: string])[] = [
  [null, ""],
  ["", ""],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    "Chrome on Windows",
  ],
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0",
    "Edge on Windows",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
    "Safari on macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
    "Safari on iPhone",
  ],
  [
    "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36",
    "Samsung Internet on Android",
  ],
  [
    "Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36",
    "Chrome on ChromeOS",
  ],
  ["curl/8.5.0", "curl"],
  ["Mozilla/5.0", ""],
  ["<script>alert(1)</script>/1", ""],
  [`${"a".repeat(100_000)}/1`, ""],
  [`${" ".repeat(600)}Firefox/1 Linux`, ""],
];

for (const [agent, device] of agents) {
  Deno.test(`parseDevice: ${agent?.slice(0, 60)} is ${JSON.stringify(device)}`, () => {
    assertEquals(parseDevice(agent), device);
  });
}

Deno.test("RecentTexts: finds stored strings and no similar ones", () => {
  const recent = new RecentTexts<number>();
  const list = Array.from({ length: 500 }, (_, at) => `cookie-${at}.${"x".repeat(20)}${at * 7919}`);
  list.forEach((text, at) => recent.put(text, at));
  const found = list.filter((text, at) => recent.find(text) === at).length;
  assert(found > 490, String(found));
  // The suffix is equal, and so is the slot.
  const [text = ""] = list;
  assertEquals(recent.find(`dookie${text.slice(6)}`), undefined);
  assertEquals([recent.find(`${text}x`), recent.find("")], [undefined, undefined]);
  recent.put(text, 9);
  assertEquals(recent.find(text), 9);
});

Deno.test("RecentTexts: stays within its limit", () => {
  const recent = new RecentTexts<number>();
  const texts = Array.from({ length: 50_000 }, (_, at) => `${at}-${Math.imul(at, 2_654_435_761)}`);
  texts.forEach((text, at) => recent.put(text, at));
  assert(texts.filter((text) => recent.find(text) !== undefined).length <= 4_096);
});

Deno.test("setGate: a gate accepts, or refuses by a returned, thrown or rejected error", async () => {
  const refusals: Readonly<Record<string, () => ReturnType<Parameters<typeof setGate>[1]>>> = {
    returned: () => httpError(403, "no"),
    thrown: () => {
      throw httpError(403, "no");
    },
    later: () => Promise.resolve(httpError(403, "no")),
    rejected: () => Promise.reject(httpError(403, "no")),
    passed: () => undefined,
    "passed later": () => Promise.resolve(undefined),
  };
  for (const [name, gate] of Object.entries(refusals)) {
    const app = quietApp();
    let runs = 0;
    const never: MiddlewareHandler = () => Promise.reject(new Error("the gate runs instead"));
    app.route({
      pattern: "/a",
      kind: "api",
      methods: { GET: (c: Ctx) => c.json(200, ++runs) },
      middleware: [{ Middleware: setGate(never, gate) }],
    });
    const status = name.startsWith("passed") ? 200 : 403;
    await testRequest(app, "GET", "/a").wantStatus(status);
    assertEquals([name, runs], [name, status === 200 ? 1 : 0]);
  }
});

Deno.test("appKeys: derives one key per purpose and secret, and none without a secret", () => {
  const keysOf = (settings: Parameters<typeof quietApp>[0], purpose: string): string[] => {
    const app = quietApp(settings);
    app.handler();
    return appKeys(app, purpose).map((key) => key.toHex());
  };
  const secrets = { secret: "1".repeat(32), previousSecret: "2".repeat(32) };
  const [current, previous] = keysOf(secrets, "a");
  assertEquals(keysOf({ secret: "1".repeat(32) }, "a"), [current]);
  assertEquals(keysOf({ secret: "2".repeat(32) }, "a"), [previous]);
  assertNotEquals(keysOf(secrets, "b")[0], current);
  assertEquals([keysOf({ env: "prod" }, "a"), keysOf({}, "a").length], [[], 1]);
});

Deno.test("isRsaKey: refuses a modulus of the faulty generator (ROCA)", () => {
  const primes = Array.from({ length: 166 }, (_, at) => at + 2)
    .filter((n) => Array.from({ length: n - 2 }, (_, at) => at + 2).every((d) => n % d !== 0));
  const product = primes.reduce((all, prime) => all * BigInt(prime), 1n);
  const bytesOf = (n: bigint): Uint8Array => Uint8Array.fromHex(n.toString(16).padStart(512, "0"));
  const exponent = new Uint8Array([1, 0, 1]);
  const start = (1n << 2_047n) / product * product + product;
  for (const power of [1n, 7n, 1_000n]) {
    // Modulo each small prime it is a power of 65537; adding two changes that.
    const roca = start + 65_537n ** power % product;
    assert(!isRsaKey(bytesOf(roca), exponent));
    assert(isRsaKey(bytesOf(roca + 2n), exponent));
  }
});
