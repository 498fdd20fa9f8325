import { assertEquals, assertRejects } from "@std/assert";
import { type Connection, openConnection } from "../../data/redis/client.ts";
import { redisEntries } from "../../data/redis/cache.ts";
import { redisStores } from "../../data/redis/mod.ts";
import { markedCache } from "../../data/stores/marked_cache.ts";

Deno.test("redisStores: writes a cached value and its expiry in one command", async () => {
  let runs = 0;
  const refuse = (): Promise<never> => Promise.reject(new Error("not here"));
  const run = (): Promise<number> => Promise.resolve(++runs);
  const server: Connection = { send: refuse, read: refuse, run, open: refuse, close: () => {} };
  const entry = { cache: "c", name: "n", tags: [] };
  const cache = markedCache(redisEntries({ server, prefix: "", now: Date.now }));
  await cache.write(entry, { value: 1, ttlMs: 1_000, version: {} });
  assertEquals(runs, 1);
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

Deno.test("redisStores: the check names the fix for a refused user", async () => {
  const refuse = (): Promise<never> => Promise.reject(new Error("WRONGPASS invalid password"));
  const { check } = redisStores({ sendCommand: refuse, duplicate: () => {} });
  await assertRejects(
    async () => await check(new AbortController().signal),
    Error,
    "WRONGPASS invalid password. Fix: correct the user",
  );
});
