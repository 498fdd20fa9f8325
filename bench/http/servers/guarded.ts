import { App, type Ctx } from "@fw/fw";
import {
  createSessions,
  memorySessionStore,
  type SessionOptions,
  sqliteSessionStore,
} from "@fw/fw/auth";
import { DatabaseSync } from "node:sqlite";
import { payload, port } from "./data.mjs";

/** The file of the SQLite database, as an application would have one. */
function openDatabase(): DatabaseSync {
  const db = new DatabaseSync(Deno.makeTempFileSync({ prefix: "fw-bench-", suffix: ".sqlite" }));
  db.exec("pragma journal_mode = wal; pragma synchronous = normal");
  return db;
}

const stores: Readonly<Record<string, () => SessionOptions>> = {
  stateless: () => ({}),
  memory: () => ({ store: memorySessionStore() }),
  sqlite: () => ({ store: sqliteSessionStore(openDatabase()) }),
};

const guard = Deno.env.get("BENCH_GUARD") ?? "none";
const sessions = createSessions(stores[guard]?.() ?? {});
const app = new App({
  addr: `127.0.0.1:${port}`,
  secret: "s".repeat(32),
});
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
