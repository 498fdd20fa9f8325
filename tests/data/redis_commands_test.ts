import { assertEquals } from "@std/assert";
import type { Connection } from "../../data/redis/client.ts";
import { redisCache } from "../../data/redis/cache.ts";
import { redisPasskeys } from "../../data/redis/passkeys.ts";
import type { Place } from "../../data/redis/place.ts";

/** A server that knows SET and GET alone, and notes what it is sent. */
function createServer(onRun: () => Promise<unknown>): {
  readonly place: Place;
  readonly sent: readonly (readonly string[])[];
} {
  const values = new Map<string, string>();
  const sent: (readonly string[])[] = [];
  const server: Connection = {
    send: (key, args) => {
      sent.push(args);
      if (args[0] === "GET") return Promise.resolve(values.get(key) ?? null);
      if (args[0] !== "SET" || args.includes("NX") && values.has(key)) return Promise.resolve(null);
      values.set(key, args[2] ?? "");
      return Promise.resolve("OK");
    },
    read: (key) => Promise.resolve(values.get(key) ?? null),
    run: onRun,
    open: () => Promise.reject(new Error("not here")),
    close: () => {},
  };
  return { place: { server, prefix: "", now: Date.now }, sent };
}

Deno.test("redisCache: a value and its expiry are one command", async () => {
  let runs = 0;
  const { place, sent } = createServer(() => Promise.resolve(++runs));
  const entry = { cache: "c", name: "n", tags: [] };
  await redisCache(place).write(entry, { value: 1, ttlMs: 1_000, version: {} });
  assertEquals([runs, sent.length], [1, 0]);
});

Deno.test("redisPasskeys: an id that another subject is adding exists", async () => {
  const paused = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  let runs = 0;
  const { place, sent } = createServer(async () => {
    // The first adds its passkey once the second has answered; the second finds a claim that expires.
    if (runs++ > 0) return 0;
    paused.resolve();
    await resumed.promise;
    return "added";
  });
  const store = redisPasskeys(place);
  const add = (subject: string) =>
    store.add(
      { id: "id", subject, userHandle: subject } as Parameters<typeof store.add>[0],
      { max: 5 },
    );
  const first = add("a");
  await paused.promise;
  assertEquals(await add("b"), "exists");
  resumed.resolve();
  assertEquals(await first, "added");
  assertEquals(sent[0]?.slice(3), ["NX", "PX", "10000"]);
  assertEquals(sent.at(-1)?.length, 3);
});
