import { EventEmitter } from "node:events";
import { Redis } from "npm:ioredis@6.0.0";
import { Redis as Valkey } from "npm:iovalkey@0.4.0";
import { createClient } from "npm:redis@6.3.0";
import { assert, assertEquals, assertFalse, assertRejects, assertThrows } from "@std/assert";
import type { IoRedisClient } from "../../../data/redis/client.ts";
import { type RedisClient, redisStores } from "../../../data/redis/mod.ts";
import { channel, type ChannelEvent, publish, type Stores, subscribe } from "../../../mod.ts";
import { testUnless } from "../../../tools/skip.ts";
import { newSession } from "../../auth/store_suite.ts";
import { freePort } from "../../free_port.ts";
import { makeCertificate, reasonWithoutPrograms } from "../../programs.ts";
import { testCuts } from "../cut_suite.ts";
import { noRedis, type RedisServer, startRedis } from "../redis_server.ts";
import { replica } from "../../runtime/base/stores/channel_suite.ts";
import { testStoreChannels, testStores } from "../stores_suite.ts";

interface Opened {
  readonly client: RedisClient;
  readonly close: () => void | Promise<void>;
}

/** The common members of both clients, whose own types differ in details. */
interface IoClient {
  once(event: "close", listener: () => void): unknown;
  disconnect(): void;
}

function openIo(Client: typeof Redis | typeof Valkey, port: number): Opened {
  const made: unknown = Client === Redis
    ? new Redis({ port, host: "127.0.0.1" })
    : new Valkey({ port, host: "127.0.0.1" });
  const client = made as IoClient & RedisClient;
  return {
    client,
    close: () =>
      new Promise<void>((resolve) => {
        client.once("close", resolve);
        client.disconnect();
      }),
  };
}

const clients: readonly (readonly [
  name: string,
  open: (port: number) => Promise<Opened> | Opened,
])[] = [
  ["npm:redis", async (port) => {
    const client = createClient({ url: `redis://127.0.0.1:${port}` });
    await client.connect();
    return { client: client as unknown as RedisClient, close: () => client.destroy() };
  }],
  ["npm:ioredis", (port) => openIo(Redis, port)],
  ["npm:iovalkey", (port) => openIo(Valkey, port)],
];

if (noRedis !== undefined) {
  testUnless(noRedis, { name: "Redis: the stores", fn: () => {} });
} else {
  let server: RedisServer | undefined;
  Deno.test.beforeAll(async () => {
    server = await startRedis();
  });
  Deno.test.afterAll(async () => {
    await server?.[Symbol.asyncDispose]();
  });
  // The clients close their sockets after they report the end.
  const late = { sanitizeOps: false, sanitizeResources: false };
  let prefixes = 0;
  for (const [name, open] of clients) {
    // Valkey's client is a fork of ioredis.
    const test = name === "npm:iovalkey" ? testStoreChannels : testStores;
    test(name, async (now) => {
      const port = server?.port ?? 0;
      const [one, other] = [await open(port), await open(port)];
      const prefix = `t${++prefixes}:`;
      const make = ({ client }: Opened): Required<Stores> =>
        redisStores(client, { prefix, now, timeoutMs: 20_000 }) as Required<Stores>;
      return {
        one: make(one),
        other: make(other),
        close: async () => {
          await one.close();
          await other.close();
        },
      };
    }, late);
  }

  let redis: ReturnType<typeof openIo> | undefined;
  Deno.test.afterAll(() => redis?.close());
  testCuts("redis", (step) => {
    redis ??= openIo(Redis, server?.port ?? 0);
    const { client } = redis as { readonly client: IoRedisClient };
    const cut: IoRedisClient = {
      call: (command, ...args) => step(() => client.call(command, ...args)),
      duplicate: () => client.duplicate(),
    };
    const prefix = `cut${++prefixes}:`;
    return redisStores(cut, { prefix, timeoutMs: 20_000 }) as Required<Stores>;
  }, late);

  Deno.test({
    ...late,
    name: "redis: keeps at most the 1,000 most recently used sessions of an owner",
    fn: async () => {
      const { client, close } = openIo(Redis, server?.port ?? 0);
      const { sessions } = redisStores(client, { prefix: "many:", timeoutMs: 20_000 });
      const add = async (from: number, to: number): Promise<void> => {
        const ids = Array.from({ length: to - from }, (_, at) => from + at);
        await Promise.all(ids.map(async (n) => {
          const usedAtMs = Date.now() + n;
          const times = { usedAtMs, expiresAtMs: usedAtMs + 90_000, endsAtMs: usedAtMs + 90_000 };
          await sessions.create(newSession(`s${n}`, times));
        }));
      };
      await add(0, 1_000);
      for (let n = 1_000; n < 1_003; n++) await add(n, n + 1);
      const kept = await sessions.list({ provider: "", subject: "42" });
      assertEquals([kept.length, kept[0]?.id, kept.at(-1)?.id], [1_000, "s1002", "s3"]);
      assertEquals(await sessions.read("s2"), undefined);
      await close();
    },
  });

  testUnless(await reasonWithoutPrograms("openssl"), {
    ...late,
    name: "redis: the stores work over TLS and refuse an unknown certificate",
    fn: async () => {
      const folder = await Deno.makeTempDir();
      const { certificate, key } = await makeCertificate(folder, "localhost");
      const ca = await Deno.readTextFile(certificate);
      const port = freePort();
      const files = ["--tls-cert-file", certificate, "--tls-key-file", key];
      const trusted = ["--tls-ca-cert-file", certificate, "--tls-auth-clients", "no"];
      const settings = ["--tls-port", String(port), ...files, ...trusted];
      await using _server = await startRedis({ settings });
      const url = `rediss://localhost:${port}`;
      const node = createClient({ url, socket: { tls: true, ca } });
      await node.connect();
      const io = new Redis(url, { tls: { ca } });
      const rows = Object.entries({ node, io }) as unknown as [string, RedisClient][];
      for (const [name, client] of rows) {
        const stores = redisStores(client, { timeoutMs: 20_000, prefix: `${name}:` });
        const app = replica(stores);
        const Counts = channel<number>("counts");
        const after = await publish(app, Counts, 0);
        await publish(app, Counts, 1);
        // A reader has its own connection.
        for await (const event of subscribe(app, Counts, { after })) {
          assertEquals(event.kind === "message" && event.value, 1);
          break;
        }
        assert(await stores.once.take("a", 60_000));
      }
      const stranger = createClient({ url, socket: { tls: true, reconnectStrategy: false } });
      stranger.on("error", () => {});
      await assertRejects(() => stranger.connect(), Error, "self-signed certificate");
      node.destroy();
      const closed = Promise.withResolvers<void>();
      io.once("close", closed.resolve);
      io.disconnect();
      await closed.promise;
      await Deno.remove(folder, { recursive: true });
    },
  });

  Deno.test({
    ...late,
    name:
      "redis: a server that hangs fails in time and is reused after its return, and readers miss nothing",
    fn: async () => {
      const own = await startRedis();
      const { client, close } = openIo(Redis, own.port);
      const stores = redisStores(client, { timeoutMs: 2_000 }) as Required<Stores>;
      const app = replica(stores);
      const Counts = channel<number>("counts");
      const first = await publish(app, Counts, 0);
      const begun = Promise.withResolvers<void>();
      const reading = Array.fromAsync({
        async *[Symbol.asyncIterator](): AsyncGenerator<ChannelEvent<number>> {
          for await (const event of subscribe(app, Counts, { after: first })) {
            yield event;
            begun.resolve();
            if (event.kind === "message" && event.value === 2) return;
          }
        },
      });
      await publish(app, Counts, 1);
      // A reader that starts while the server hangs is refused.
      await begun.promise;
      Deno.kill(own.pid, "SIGSTOP");
      await assertRejects(async () => await stores.sessions.read("x"), DOMException, "2000 ms");
      const startMs = performance.now();
      for (let n = 0; n < 10; n++) {
        const run = async () => await stores.check(AbortSignal.timeout(9_000));
        await assertRejects(run, DOMException);
      }
      // At most one of them has contacted the server.
      assert(performance.now() - startMs < 9_000);
      Deno.kill(own.pid, "SIGCONT");
      const read = async (): Promise<unknown> => await stores.sessions.read("x");
      while (!await read().then(() => true, () => false)) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      assert(await stores.once.take("t", 1_000));
      await publish(app, Counts, 2);
      assertEquals((await reading).map((event) => event.kind === "message" && event.value), [1, 2]);
      await own[Symbol.asyncDispose]();
      // A server that lost its data does not know a reader's position, and the reader gets a gap.
      const again = await startRedis({ port: own.port });
      await publish(app, Counts, 7).catch(() => publish(app, Counts, 7));
      const events = [];
      for await (const event of subscribe(app, Counts, { after: first })) {
        events.push(event.kind === "gap" ? event.missed : event.value);
        if (event.kind === "message") break;
      }
      assertEquals(events, [Infinity, 7]);
      await close();
      await again[Symbol.asyncDispose]();
    },
  });

  Deno.test({
    ...late,
    name: "redis: a full server refuses writes and keeps acknowledged ones",
    fn: async () => {
      await using full = await startRedis({
        settings: ["--maxmemory", "3mb", "--maxmemory-policy", "noeviction"],
      });
      const { client, close } = openIo(Redis, full.port);
      const { once } = redisStores(client, { timeoutMs: 20_000 }) as Required<Stores>;
      let taken = 0;
      await assertRejects(
        async () => {
          for (; taken < 100_000; taken += 500) {
            await Promise.all(
              Array.from(
                { length: 500 },
                (_, n) => once.take(`${"x".repeat(180)}${taken + n}`, 60_000),
              ),
            );
          }
        },
        Error,
        "OOM",
      );
      // A used name stays used: a full server causes an error, never "first".
      const again = await Promise.resolve(once.take(`${"x".repeat(180)}0`, 60_000)).catch(() =>
        false
      );
      assertFalse(again);
      await close();
    },
  });

  Deno.test("redisStores: an error event without a listener does not end the process", () => {
    const client = Object.assign(new EventEmitter(), {
      call: () => Promise.resolve(null),
      duplicate: () => undefined,
    });
    redisStores(client);
    client.emit("error", new Error("ECONNRESET"));
  });

  Deno.test("redisStores: batches the reads of one turn, and commands of npm:redis share a signal", async () => {
    const sent: [args: readonly string[], options: { abortSignal: AbortSignal }][] = [];
    const { sessions, once } = redisStores({
      sendCommand: (...command: [readonly string[], { abortSignal: AbortSignal }]) => {
        sent.push(command);
        return Promise.resolve(command[0].slice(1).map(() => null));
      },
      duplicate: () => undefined,
    });
    const ids = ["a", "b", "c"];
    await Promise.all([...ids.map((id) => sessions.read(id)), once.take("t", 1)]);
    const [[take, first], [read, second]] = sent as [typeof sent[0], typeof sent[0]];
    assertEquals([take[0], read], ["SET", ["MGET", ...ids.map((id) => `fw:session:${id}`)]]);
    assertEquals([sent.length, first], [2, { timeout: undefined, ...second }]);
    assert(first.abortSignal === second.abortSignal);
  });

  Deno.test("redisStores refuses invalid options", () => {
    const client = { call: () => Promise.resolve(null), duplicate: () => undefined };
    assertThrows(() => redisStores(client, { prefix: "a{b}" }), TypeError, "without braces");
    assertThrows(() => redisStores(client, { timeoutMs: 0 }), RangeError, "timeoutMs is 0");
    assertThrows(() => redisStores({} as RedisClient), TypeError, "pass a client of");
  });
}
