import { App, type Ctx, provideStores, type Stores } from "@fw/fw";
import { createSessions, memorySessionStore } from "@fw/fw/auth";
import { type RedisClient, redisStores } from "@fw/fw/redis";
import { openSqlite, sqliteStores } from "@fw/fw/sqlite";
import { payload, port } from "./data.mjs";

/** A file, as in a real application. */
const db = await openSqlite(Deno.makeTempFileSync({ prefix: "fw-bench-", suffix: ".sqlite" }));

const redis = Deno.env.get("BENCH_REDIS");
const client: unknown = redis &&
  await (await import("npm:redis@6.3.0")).createClient({ url: `redis://127.0.0.1:${redis}` })
    .connect();

const guard = Deno.env.get("BENCH_GUARD") ?? "none";
const app = new App({
  addr: `127.0.0.1:${port}`,
  secret: "s".repeat(32),
});
const stores: Readonly<Record<string, () => Stores>> = {
  memory: () => ({ sessions: memorySessionStore() }),
  sqlite: () => sqliteStores(db),
  redis: () => redisStores(client as RedisClient),
};
const provided = stores[guard]?.();
if (provided !== undefined) provideStores(app, provided);
const sessions = createSessions(provided === undefined ? {} : { stored: true });
app.route({
  pattern: "/sign-in",
  methods: {
    GET: async (c: Ctx) => {
      const subject = c.query("user") ?? "42";
      const email = `${subject}@example.org`;
      await sessions.start(c, { subject, email, name: "Ada Lovelace", roles: ["editor", "staff"] });
      return c.text(200, "signed in");
    },
  },
});
app.route({
  pattern: "/events",
  methods: { GET: (c) => c.json(200, payload) },
  ...(guard === "none" ? {} : { middleware: [{ Middleware: sessions.require }] }),
});
await app.listenAndServe();
