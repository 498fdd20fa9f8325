/** Redis is killed and returns with its data, responds late, and fails over in a cluster. */
import { Cluster, Redis } from "npm:ioredis@6.0.0";
import { assert, assertEquals, assertFalse, assertRejects } from "@std/assert";
import { Cache } from "../../../cache/mod.ts";
import { type RedisClient, redisStores } from "../../../data/redis/mod.ts";
import { App, limit, provideStores, publish } from "../../../mod.ts";
import { createSessions } from "../../../auth/mod.ts";
import { testUnless } from "../../../tools/skip.ts";
import { noRedis, type RedisServer, startRedis } from "../../data/redis_server.ts";
import { Counts, lastCount, readCounts } from "./messages.ts";
import { quiet } from "../../ai/mcp/support.ts";

// The clients close their sockets after they report the end.
const late = { sanitizeOps: false, sanitizeResources: false };

function openClient(port: number): Redis & RedisClient {
  const client: unknown = new Redis({ port, host: "127.0.0.1", maxRetriesPerRequest: 1 });
  return client as Redis & RedisClient;
}

/** Creates an application with a guarded and limited route, and a cached page. */
function openApp(client: RedisClient, timeoutMs = 1_000): {
  readonly app: App;
  readonly get: (path: string, cookie?: string) => Promise<Response>;
} {
  const app = new App({ logRequest: () => false, logger: quiet, secret: "s".repeat(32) });
  provideStores(app, redisStores(client, { timeoutMs }));
  const sessions = createSessions({ stored: true });
  const cache = new Cache({ app, name: "pages" });
  let made = 0;
  const route = (
    pattern: string,
    GET: (c: Parameters<typeof sessions.user>[0]) => unknown,
    middleware: readonly object[] = [],
  ): void => {
    app.route({ pattern, methods: { GET }, middleware } as never);
  };
  route("/sign-in", async (c) => {
    await sessions.start(c, { subject: "42" });
    return c.text(200, "in");
  });
  route("/me", (c) => c.text(200, "me"), [
    { Middleware: limit(1_000, 1_000) },
    { Middleware: sessions.require },
  ]);
  route("/page", async (c) => {
    const page = await cache.do({ name: "page", ttlMs: 60_000 }, () => ++made);
    return c.text(200, String(page));
  }, [{ Middleware: limit(1_000, 1_000) }]);
  const get = async (path: string, cookie = ""): Promise<Response> => {
    const response = await app.fetch(
      new Request(`http://localhost${path}`, { headers: { cookie } }),
    );
    await response.clone().body?.cancel();
    return response;
  };
  return { app, get };
}

async function signIn(get: (path: string) => Promise<Response>): Promise<string> {
  const response = await get("/sign-in");
  assertEquals(response.status, 200);
  return response.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}

/** Requests a path until it has the expected response; returns the milliseconds. */
async function until(ask: () => Promise<number>, status: number): Promise<number> {
  const startMs = performance.now();
  while (await ask() !== status) {
    assert(performance.now() - startMs < 60_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return performance.now() - startMs;
}

testUnless(noRedis, {
  ...late,
  name:
    "redis is killed and returns with its data: only sessions get 503, and no sign-in or message is lost",
  fn: async () => {
    await using server = await startRedis({
      settings: ["--appendonly", "yes", "--appendfsync", "always"],
    });
    const client = openClient(server.port);
    const { app, get } = openApp(client);
    const cookie = await signIn(get);
    const first = await publish(app, Counts, 0);
    const reading = readCounts(app, first);
    assertEquals((await get("/me", cookie)).status, 200);
    assertEquals(await (await get("/page")).text(), "1");
    let published = 0;
    const acknowledged: number[] = [];
    const publishing = (async () => {
      while (published >= 0 && published < 2_000) {
        const n = ++published;
        await publish(app, Counts, n).then(() => acknowledged.push(n), () => {});
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    const reached = (count: number): Promise<number> =>
      until(() => Promise.resolve(Math.min(acknowledged.length, count)), count);
    await reached(50);
    const restarted = server.restart(3_000);
    let refused: Response | undefined;
    const downAfterMs = await until(async () => (refused = await get("/me", cookie)).status, 503);
    assertEquals(refused?.headers.get("retry-after"), "2");
    // Limits let requests pass, and the value is computed again.
    const page = await get("/page");
    assertEquals([page.status, Number(await page.text()) >= 1], [200, true]);
    await restarted;
    const backAfterMs = await until(async () => (await get("/me", cookie)).status, 200);
    await reached(acknowledged.length + 50);
    published = 2_000;
    await publishing;
    await publish(app, Counts, lastCount);
    const seen = await reading;
    assertEquals(acknowledged.filter((n) => !seen.includes(n)), []);
    assertEquals(new Set(seen).size, seen.length);
    assertEquals(seen.filter((event) => typeof event === "string"), []);
    console.log(
      `killed: 503 after ${downAfterMs.toFixed(0)} ms, served ${
        backAfterMs.toFixed(0)
      } ms after the server was back; ` +
        `${acknowledged.length} messages acknowledged, none missed`,
    );
    client.disconnect();
  },
});

testUnless(noRedis, {
  ...late,
  name:
    "redis is slow: within the deadline all works, beyond it sessions get 503 and no response is mixed up",
  fn: async () => {
    await using server = await startRedis();
    const [client, admin] = [openClient(server.port), openClient(server.port)];
    const { get } = openApp(client, 600);
    const cookie = await signIn(get);
    await admin.call("CLIENT", "PAUSE", "300", "ALL");
    const startMs = performance.now();
    assertEquals((await get("/me", cookie)).status, 200);
    const slowMs = performance.now() - startMs;
    assert(slowMs > 100, `${slowMs} ms`);
    // Longer than the deadlines of the limit and the session together, each of which may be 250 ms
    // late.
    await admin.call("CLIENT", "PAUSE", "4000", "ALL");
    assertEquals((await get("/me", cookie)).status, 503);
    const backMs = await until(async () => (await get("/me", cookie)).status, 200);
    const stores = redisStores(client, { timeoutMs: 600 });
    assert(await stores.once.take("t", 1_000));
    assertEquals(await stores.sessions.read("nobody"), undefined);
    await admin.call("CLIENT", "PAUSE", "1500", "ALL");
    await assertRejects(async () => await stores.once.take("u", 60_000), DOMException, "600 ms");
    await until(() => Promise.resolve(stores.sessions.read("x")).then(() => 200, () => 503), 200);
    // The call finally succeeded: the ticket is used, but no client was told that it got it.
    assertFalse(await stores.once.take("u", 60_000));
    console.log(
      `late: 200 after ${slowMs.toFixed(0)} ms, again ${backMs.toFixed(0)} ms after a 503`,
    );
    for (const each of [client, admin]) each.disconnect();
  },
});

testUnless(noRedis, {
  ...late,
  name: "a Redis cluster fails over: sessions return with the replica, and readers continue",
  fn: async () => {
    const settings = ["--cluster-enabled", "yes", "--cluster-node-timeout", "3000"];
    const servers: RedisServer[] = [];
    try {
      for (let n = 0; n < 6; n++) servers.push(await startRedis({ settings }));
      const nodes = servers.map(({ port }) => `127.0.0.1:${port}`);
      const { success, stdout } = await new Deno.Command("redis-cli", {
        args: ["--cluster", "create", ...nodes, "--cluster-replicas", "1", "--cluster-yes"],
      }).output();
      assert(success, new TextDecoder().decode(stdout));
      const cluster: unknown = new Cluster(
        servers.map(({ port }) => ({ host: "127.0.0.1", port })),
      );
      const client = cluster as Cluster & RedisClient;
      const { app, get } = openApp(client, 2_000);
      await until(async () => (await get("/sign-in")).status, 200);
      const cookies = [];
      for (let user = 0; user < 12; user++) cookies.push(await signIn(get));
      const first = await publish(app, Counts, 0);
      const reading = readCounts(app, first);
      await publish(app, Counts, 1);
      // The replicas have the same data as the servers.
      for (const { port } of servers) {
        const { stdout } = await new Deno.Command("redis-cli", {
          args: ["-p", String(port), "wait", "1", "2000"],
        }).output();
        assert(stdout.length > 0);
      }
      const [victim] = servers;
      assert(victim);
      Deno.kill(victim.pid, "SIGKILL");
      const startMs = performance.now();
      for (const cookie of cookies) {
        await until(async () => (await get("/me", cookie)).status, 200);
      }
      const tookMs = performance.now() - startMs;
      await until(() => publish(app, Counts, lastCount).then(() => 200, () => 503), 200);
      assert((await reading).includes(1));
      console.log(`failover: all ${cookies.length} sessions read after ${tookMs.toFixed(0)} ms`);
      client.disconnect();
    } finally {
      for (const server of servers) await server[Symbol.asyncDispose]();
    }
  },
});
