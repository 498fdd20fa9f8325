/** The application that `soak_test.ts` runs in a process of its own. */
import * as h from "../../html/mod.ts";
import { App, createLogger, csrfInput, notFound, struct, text } from "../../mod.ts";
import { routeOf } from "../routes.ts";

const [folder = ""] = Deno.args;

const app = new App({
  addr: "127.0.0.1:0",
  public: folder,
  maxBodyBytes: 512,
  rateLimit: { rate: 1e9, burst: 1e9 },
  cors: { origins: ["https://app.example"] },
  secret: new Uint8Array(32).fill(7),
  logger: createLogger({
    // Lines are written as ever; only that of the address is read.
    write: (line) => line.includes('"msg":"listening"') ? console.log(line) : undefined,
  }),
});

// The collector is there by a flag alone: no declarations know it.
const { gc } = globalThis as unknown as {
  gc(options: { type: "major"; flavor: "last-resort" }): void;
};

const Title = struct({ title: text("required,max=40") });

app.route({
  pattern: "/json/{id}",
  methods: {
    GET: (c) => c.json(200, { id: c.param("id"), page: c.query("page") }),
    POST: async (c) => c.json(200, await c.bind(Title)),
  },
});
app.route({
  pattern: "/page",
  page: (c) => {
    c.set("seen", c.requestId);
    return h.main(h.h1("Soak"), h.form(h.method("post"), csrfInput(c), h.input(h.name("title"))));
  },
  methods: {
    POST: async (c) => {
      const { title } = await c.bind(Title);
      c.flash("success", title);
      c.setSigned("title", title, 60_000);
      return c.text(200, title);
    },
  },
});
app.route({ pattern: "/lost", methods: { GET: () => notFound() } });
app.route({
  pattern: "/late",
  page: (c) =>
    h.main(c.defer(new Promise((resolve) => setTimeout(() => resolve(h.p("late")), 1)), h.p("…"))),
});
app.route({
  pattern: "/slow",
  methods: {
    GET: async (c) => {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 50);
        c.signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
      });
      return c.text(200, "slow");
    },
  },
});
app.route({
  pattern: "/events",
  methods: {
    GET: (c) =>
      c.stream(async (s) => {
        for (let index = 0; !s.signal.aborted; index++) {
          await s.send("tick", String(index));
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, 1_000);
            s.signal.addEventListener("abort", () => (clearTimeout(timer), resolve()));
          });
        }
      }),
  },
});
app.route(routeOf("GET", "/memory", async (c) => {
  for (let round = 0; round < 5; round++) {
    // The last resort gives freed pages back at once; an ordinary collection does so seconds later.
    gc({ type: "major", flavor: "last-resort" });
    // What finalizers let go of is left to the next round.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return c.json(200, { rss: Deno.memoryUsage().rss });
}));
await app.listenAndServe();
