import { assertEquals } from "@std/assert";
import { type Connection, openConnection } from "../../data/redis/client.ts";
import { redisEntries } from "../../data/redis/cache.ts";
import { markedCache } from "../../data/stores/marked_cache.ts";
import { redisPasskeys } from "../../data/redis/passkeys.ts";
import type { Place } from "../../data/redis/client.ts";

/** A server that supports only SET and GET, and records its commands. */
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

Deno.test("redisStores: writes a cached value and its expiry in one command", async () => {
  let runs = 0;
  const { place, sent } = createServer(() => Promise.resolve(++runs));
  const entry = { cache: "c", name: "n", tags: [] };
  await markedCache(redisEntries(place)).write(entry, { value: 1, ttlMs: 1_000, version: {} });
  assertEquals([runs, sent.length], [1, 0]);
});

Deno.test("redisPasskeys: refuses an id that another subject is adding", async () => {
  const paused = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  // The first adds its passkey after the second has finished.
  let runs = 0;
  const { place, sent } = createServer(async () => {
    // The second checks whether the id is a leftover.
    if (++runs > 1) return 0;
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
  assertEquals([await first, sent[0]?.slice(3)], ["added", ["NX", "PX", "10000"]]);
  assertEquals(sent.at(-1)?.length, 3);
});

Deno.test("openConnection: a command that fails late does not delay the others again", async () => {
  const given: PromiseWithResolvers<unknown>[] = [];
  const sendCommand = (): Promise<unknown> => {
    const command = Promise.withResolvers<unknown>();
    given.push(command);
    return command.promise;
  };
  const connection = openConnection({ sendCommand, duplicate: () => {} }, 400);
  const ask = (): Promise<string> =>
    connection.send("k", ["GET", "k"]).then(String, ({ name }) => name);
  assertEquals(await ask(), "TimeoutError");
  let tried = ask();
  while (given.length < 2) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    tried = ask();
  }
  given[0]?.reject(new Error("The command was aborted"));
  await Promise.resolve();
  assertEquals([await ask(), given.length], ["TimeoutError", 2]);
  given[1]?.resolve("back");
  assertEquals(await tried, "back");
});

Deno.test("openConnection: disposes an already closed client without an error", () => {
  let closed = 0;
  const client = {
    sendCommand: () => Promise.resolve(),
    duplicate: () => {},
    // Like npm:redis 5.
    destroy: () => {
      if (++closed > 1) throw new Error("The client is closed");
    },
  };
  const connection = openConnection(client, 400);
  connection.close();
  connection.close();
});
