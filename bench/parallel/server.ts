/** A guarded page with sessions in SQLite, shared by all processes; started directly and with `deno serve`. */
import { App, type Ctx, provideStores } from "@fw/fw";
import { createSessions } from "@fw/fw/auth";
import * as h from "@fw/fw/h";
import { openSqlite, sqliteStores } from "@fw/fw/sqlite";

const port = Deno.env.get("PORT") ?? "0";
const app = new App({
  addr: `127.0.0.1:${port}`,
  secret: "s".repeat(32),
  logRequest: () => false,
  reusePort: Deno.env.get("BENCH_REUSE") === "on",
});
provideStores(app, sqliteStores(await openSqlite(Deno.env.get("BENCH_STORES") ?? ":memory:")));
const sessions = createSessions({ stored: true });
app.route({
  pattern: "/sign-in",
  methods: {
    GET: async (c: Ctx) => {
      await sessions.start(c, { subject: c.query("user") ?? "42" });
      return c.text(200, "signed in");
    },
  },
});

/** A typical list: about two milliseconds of work. */
function list(): h.Node {
  const rows = Array.from({ length: 1_000 }, (_, n) =>
    h.tr(
      h.td(h.a(h.href(`/events/${n}`), `Event ${n} & more`)),
      h.td(h.class("number"), String(n * 7)),
      h.td(new Date(n * 86_400_000).toISOString()),
    ));
  return h.table(h.tbody(rows));
}

app.route({
  pattern: "/events",
  methods: { GET: (c) => c.html(200, h.main(h.h1("Events"), list())) },
  middleware: [{ Middleware: sessions.require }],
});
if (import.meta.main && Deno.env.get("BENCH_SERVE") !== "on") await app.listenAndServe();

export default { fetch: app.fetch };
