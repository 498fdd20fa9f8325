/**
 * An application with default settings, whose processor time `costs_test.ts` measures; prints its
 * port.
 */
import process from "node:process";
import * as h from "../../html/mod.ts";
import {
  App,
  bool,
  createLogger,
  csrfInput,
  type Ctx,
  date,
  float,
  int,
  limit,
  list,
  struct,
  text,
  texts,
} from "../../mod.ts";
import { Cache } from "../../cache/mod.ts";
import { routeOf } from "../routes.ts";

const [folder = ""] = Deno.args;
const Item = struct({ name: text("max=5"), tags: texts("") });
const Everything = struct({
  text: text("min=2"),
  email: text("email").optional(),
  url: text("url").optional(),
  one: text("oneof=a b c").optional(),
  int: int("min=1").optional(),
  float: float("").optional(),
  date: date("").optional(),
  bool: bool("").optional(),
  list: texts("max=999999").optional(),
  items: list(Item).optional(),
});
const cache = new Cache({ name: "pages", maxEntries: 100 });

const app = new App({
  secret: "k".repeat(32),
  public: folder,
  mounts: { "/mount": { from: folder, index: true } },
  // Standard output is for the port.
  logger: createLogger({ write: () => {} }),
});
const answer = async (c: Ctx, work: Promise<unknown>): Promise<Response> => {
  await work;
  return c.text(200, "ok");
};
const params = Array.from({ length: 20 }, (_, index) => `{p${index}}`).join("/");
const page = (c: Ctx): h.Node => h.main(h.h1(c.pattern), h.form(h.method("post"), csrfInput(c)));

app.route({ pattern: "/cpu", methods: { GET: (c) => c.json(200, process.cpuUsage()) } });
app.route({ pattern: "/json", methods: { POST: (c) => answer(c, c.bindJson(Everything)) } });
app.route({ pattern: "/form", methods: { POST: (c) => answer(c, c.tryBind(Everything)) } });
app.route(routeOf("POST", "/file", (c) => answer(c, c.file("f", { optional: true }))));
app.route({ pattern: "/raw", methods: { POST: (c) => answer(c, c.request.text()) } });
app.route({ pattern: "/unread", methods: { POST: (c) => c.text(200, "ok") } });
app.route({ pattern: "/page", page, methods: { POST: (c) => answer(c, c.tryBind(Everything)) } });
app.route({ pattern: "/query", methods: { GET: (c) => answer(c, c.tryBindQuery(Everything)) } });
app.route({ pattern: "/one", methods: { GET: (c) => c.text(200, c.query("none") ?? "") } });
app.route(
  routeOf(
    "GET",
    "/cookies",
    (c) => c.text(200, (c.cookie("none") ?? "") + (c.signed("signed") ?? "")),
  ),
);
app.route({ pattern: "/flash", page: (c) => h.p(c.flashes().map(({ text }) => text)) });
app.route(
  routeOf("GET", "/accept", (c) => c.text(200, c.accepts("text/csv", "application/json") ?? "")),
);
app.route(routeOf("GET", "/tag", (c) => c.etag("v1") ? undefined : c.text(200, "ok")));
app.route(
  routeOf(
    "GET",
    "/cached",
    async (c) =>
      c.text(200, await cache.do({ name: c.query("k") ?? "", ttlMs: 60_000 }, () => "v")),
  ),
);
app.route({
  pattern: "/limited",
  middleware: [{ Middleware: limit(1e6, 1e6) }],
  methods: { GET: (c) => c.text(200, "ok") },
});
app.route({ pattern: `/p/${params}`, methods: { GET: (c) => c.text(200, c.param("p19")) } });
app.route({ pattern: "/rest/{path...}", methods: { GET: (c) => c.text(200, c.param("path")) } });

const server = Deno.serve(
  {
    port: 0,
    hostname: "127.0.0.1",
    onListen: ({ port }) => console.log(`"url":"http://127.0.0.1:${port}"`),
  },
  app.handler(),
);
await server.finished;
