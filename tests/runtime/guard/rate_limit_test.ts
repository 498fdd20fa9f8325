import { assert, assertEquals, assertThrows } from "@std/assert";
import { App, limit, MemoryRateLimitStore, Off } from "../../../mod.ts";
import type { MiddlewareHandler, RateLimitStore, SecurityEvent, Settings } from "../../../mod.ts";
import { peer } from "../peer.ts";

interface Site {
  readonly app: App;
  readonly events: SecurityEvent[];
}

function newSite(settings: Settings, middleware: MiddlewareHandler = (_c, next) => next()): Site {
  const events: SecurityEvent[] = [];
  const take = (event: SecurityEvent) => void events.push(event);
  const app = new App({ logRequest: Off, logger: silent, onSecurityEvent: take, ...settings });
  app.route({ pattern: "/free", methods: { GET: (c) => c.text(200, "") } });
  app.route({
    pattern: "/x",
    middleware: [{ Middleware: middleware }],
    methods: { GET: (c) => c.text(200, ""), POST: (c) => c.text(200, "") },
  });
  return { app, events };
}

const lines: string[] = [];
const silent: NonNullable<Settings["logger"]> = {
  debug: () => {},
  info: () => {},
  warn: (message) => void lines.push(message),
  error: (message) => void lines.push(message),
  with: () => silent,
};

async function ask(
  { app }: Site,
  options: { readonly ip?: string; readonly path?: string; readonly method?: string } = {},
): Promise<[status: number, retryAfter: string | null]> {
  const { ip = "192.0.2.1", path = "/x", method = "GET" } = options;
  const response = await app.fetch(new Request(`http://localhost${path}`, { method }), peer(ip));
  return [response.status, response.headers.get("retry-after")];
}

Deno.test("a bucket allows its burst immediately and then its rate", () => {
  let now = 1_000;
  const store = new MemoryRateLimitStore({ now: () => now });
  const rule = { rate: 10, burst: 3 };
  assertEquals([1, 2, 3, 4].map(() => store.take("a", rule)), [0, 0, 0, 100]);
  now += 99;
  assertEquals(store.take("a", rule), 1);
  now += 1;
  assertEquals([store.take("a", rule), store.take("a", rule)], [0, 100]);
  now += 10_000;
  assertEquals([1, 2, 3, 4].map(() => store.take("a", rule)), [0, 0, 0, 100]);
});

Deno.test("fractional intervals lose no tokens", () => {
  let now = 0;
  const store = new MemoryRateLimitStore({ now: () => now });
  const rule = { rate: 3, burst: 1 };
  for (let i = 0; i < 3_000; i++, now += 1_000 / 3) assertEquals(store.take("a", rule), 0);
});

Deno.test("a refused request uses no token", () => {
  let now = 0;
  const store = new MemoryRateLimitStore({ now: () => now });
  const rule = { rate: 1, burst: 1 };
  store.take("a", rule);
  for (let i = 0; i < 100; i++) assert(store.take("a", rule) > 0);
  now = 1_000;
  assertEquals(store.take("a", rule), 0);
});

Deno.test("only full buckets are evicted; otherwise new clients share one", () => {
  let now = 0;
  const store = new MemoryRateLimitStore({ maxClients: 2, now: () => now });
  const rule = { rate: 1, burst: 2 };
  const take = (...keys: string[]): boolean[] => keys.map((key) => store.take(key, rule) === 0);
  assertEquals(take("a", "a", "b"), [true, true, true]);
  assertEquals(take("c", "d", "e"), [true, true, false], "one shared bucket of two");
  assertEquals(take("a", "b"), [false, true], "the first two kept theirs");
  assertEquals(store.size, 2);
  now = 2_000;
  assertEquals(take("a", "a", "a"), [true, true, false], "still its own");
  assertEquals(take("c", "c", "c"), [true, true, false], "took the full bucket of b");
  assertEquals(take("b", "b", "b"), [true, true, false], "shares, since none is full");
  assertEquals(take("d"), [false]);
});

Deno.test("limit sends 429 with Retry-After, reports a rate event and accepts other clients", async () => {
  const site = newSite({}, limit(0.5, 2));
  assertEquals([await ask(site), await ask(site)], [[200, null], [200, null]]);
  assertEquals(await ask(site), [429, "2"]);
  assertEquals(await ask(site, { ip: "192.0.2.2" }), [200, null]);
  assertEquals(await ask(site, { path: "/free" }), [200, null]);
  assertEquals(site.events.map(({ kind, ip }) => [kind, ip]), [["rate", "192.0.2.1"]]);
});

Deno.test("two limits have separate buckets", async () => {
  const rule = limit(1, 1);
  const [one, other] = [newSite({}, rule), newSite({}, limit(1, 1))];
  const found = [await ask(one), await ask(other), (await ask(one))[0]];
  assertEquals(found, [[200, null], [200, null], 429]);
});

Deno.test("limit counts IPv6 clients by their first 64 bits", async () => {
  const site = newSite({}, limit(1, 1));
  assertEquals((await ask(site, { ip: "2001:db8:0:1::1" }))[0], 200);
  assertEquals((await ask(site, { ip: "2001:db8:0:1:ffff::2" }))[0], 429);
  assertEquals((await ask(site, { ip: "2001:db8:0:2::1" }))[0], 200);
});

Deno.test("a flood from one IPv6 site leaves buckets for new clients", async () => {
  const store = new MemoryRateLimitStore({ maxClients: 2_400 });
  const site = newSite({}, limit(0.01, 2, { store }));
  let refused = 0;
  for (let index = 0; index < 3_000; index++) {
    const [status] = await ask(site, { ip: `2001:db8:bad:${index.toString(16)}::1` });
    if (status === 429) refused++;
  }
  assert(refused > 600, `${refused} refused`);
  const newcomers: number[] = [];
  for (let index = 0; index < 100; index++) {
    newcomers.push((await ask(site, { ip: `2001:db9:${index}::1` }))[0]);
  }
  assertEquals(newcomers, Array(100).fill(200));
});

Deno.test("requests refused by a client's own bucket use no token of its IPv6 site", async () => {
  const site = newSite({}, limit(1 / 60, 1));
  const statuses = new Set<number>();
  for (let index = 0; index < 1_200; index++) {
    statuses.add((await ask(site, { ip: "2001:db8:1:1::1" }))[0]);
  }
  assertEquals(statuses, new Set([200, 429]));
  assertEquals((await ask(site, { ip: "2001:db8:1:2::1" }))[0], 200);
});

Deno.test("config.rateLimit counts every route, every method and unmatched requests", async () => {
  const site = newSite({ rateLimit: { rate: 1, burst: 3 } });
  assertEquals((await ask(site))[0], 200);
  assertEquals((await ask(site, { path: "/nothing" }))[0], 404);
  assertEquals((await ask(site, { method: "POST" }))[0], 200);
  for (const path of ["/x", "/free", "/nothing"]) assertEquals((await ask(site, { path }))[0], 429);
  assertEquals(site.events.map(({ kind }) => kind), ["rate", "rate", "rate"]);
});

Deno.test("a custom store receives the limit and the client, and its wait is sent", async () => {
  const asked: unknown[] = [];
  const store: RateLimitStore = {
    take: (key, rule) => {
      asked.push([key, rule]);
      return Promise.resolve(asked.length > 1 ? 2_001 : 0);
    },
  };
  const site = newSite({}, limit(5, 10, { store, name: "api" }));
  assertEquals([await ask(site), await ask(site)], [[200, null], [429, "3"]]);
  const want = ["api 192.0.2.1", { rate: 5, burst: 10 }];
  assertEquals(asked, [want, want]);
});

const cases = [
  ["rejects", () => Promise.reject(new Error("down"))],
  ["throws", () => {
    throw new Error("down");
  }],
] as const;
for (const [name, take] of cases) {
  Deno.test(`a store that ${name} lets requests pass and is logged once a minute`, async () => {
    lines.length = 0;
    const rateLimit = { rate: 1, burst: 1, store: { take } };
    const cases = [newSite({}, limit(1, 1, { store: { take } })), newSite({ rateLimit })];
    for (const site of cases) {
      assertEquals([await ask(site), await ask(site)], [[200, null], [200, null]]);
    }
    const message = "rate limits are not checked: their store fails";
    assertEquals(lines, [message, message]);
  });
}

const values = [[0, 1], [-1, 1], [NaN, 1], [Infinity, 1], [1, 0], [1, 0.5], [1, NaN]] as const;
for (const [rate, burst] of values) {
  Deno.test(`limit(${rate}, ${burst}) is refused with the fix`, () => {
    assertThrows(() => limit(rate, burst), RangeError, `of limit(${rate}, ${burst}) to "`);
    const message = `of config.rateLimit to "`;
    assertThrows(() => new App({ rateLimit: { rate, burst } }).handler(), RangeError, message);
  });
}

for (const maxClients of [0, -1, 1.5, NaN, Infinity]) {
  Deno.test(`MemoryRateLimitStore refuses ${maxClients} clients`, () => {
    const message = `Cannot set maxClients to "${maxClients}": use an integer from 1 up.`;
    assertThrows(() => new MemoryRateLimitStore({ maxClients }), RangeError, message);
  });
}

const account = limit(1, 1, { key: (c) => c.query("account") });

async function statusOf(site: Site, path: string): Promise<number> {
  return (await site.app.fetch(new Request(`http://localhost${path}`))).status;
}

const keyRows: [name: string, paths: string[], statuses: number[]][] = [
  ["an account has one bucket", ["/x?account=ada", "/x?account=ada"], [200, 429]],
  ["two accounts have two buckets", ["/x?account=ada", "/x?account=grace"], [200, 200]],
  ["a request without a key counts by address", ["/x", "/x", "/x?account=ada"], [200, 429, 200]],
  ["an account named unknown counts as an account", ["/x?account=unknown", "/x"], [200, 200]],
  ["long accounts with the same prefix are distinct", [
    `/x?account=${"a".repeat(5_000)}b`,
    `/x?account=${"a".repeat(5_000)}c`,
    `/x?account=${"a".repeat(5_000)}b`,
  ], [200, 200, 429]],
];
for (const [name, paths, statuses] of keyRows) {
  Deno.test(`limit by key: ${name}`, async () => {
    const site = newSite({}, account);
    const found: number[] = [];
    for (const path of paths) found.push(await statusOf(site, path));
    assertEquals(found, statuses);
  });
}

Deno.test("limit by key: a failing key function is an error, and the request is refused", async () => {
  const site = newSite({}, limit(1, 1, { key: () => Promise.reject(new Error("no database")) }));
  assertEquals(await statusOf(site, "/x"), 500);
});

Deno.test("limit by key: refuses a key that is not a function at boot", () => {
  assertThrows(() => limit(1, 1, { key: "email" as never }), TypeError, "use a function");
});
