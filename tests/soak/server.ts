/** The application that `soak_test.ts` runs in a separate process. */
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
    // Log lines are written as usual, but only the one with the address is read.
    write: (line) => line.includes('"msg":"listening"') ? console.log(line) : undefined,
  }),
});

// Only a flag provides the garbage collector, which no declarations include.
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
    // This last resort returns freed pages immediately; an ordinary collection does so seconds
    // later.
    gc({ type: "major", flavor: "last-resort" });
    // Memory released by finalizers is freed in the next round.
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return c.json(200, { rss: Deno.memoryUsage().rss });
}));
await app.listenAndServe();
