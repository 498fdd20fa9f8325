/** The application that the suites of metrics, traces and logs run in a separate process. */
import { App, configFromEnv, httpError } from "../../../mod.ts";
import { routeOf } from "../../routes.ts";

const app = new App({ ...configFromEnv(), addr: "127.0.0.1:0" });

const visits = app.metrics.counter("demo_visits_total", 'Visits, "by" city \\ place.', "city");
app.metrics.histogram("demo_size_bytes", "Sizes.", [10, 100], "kind").with("small").observe(7);
app.check("store", () => {});

app.route({
  pattern: "/events/{id}",
  methods: {
    GET: async (c) => {
      visits.with(c.query("city") ?? "none").inc();
      await new Promise((resolve) => setTimeout(resolve, 2));
      c.log.info("looked up");
      return c.json(200, { id: c.param("id") });
    },
    POST: async (c) => c.text(200, String((await c.formData()).get("password")).length + ""),
  },
});
app.route({ pattern: "/meant", methods: { GET: () => httpError(503, "the store is away") } });
app.route(routeOf("GET", "/broken", () => Promise.reject(new TypeError("a broken invariant"))));

/**
 * Logs a thousand lines and ends in the same turn of the event loop, before any of them is written.
 */
function logALot(): void {
  for (let index = 0; index < 1_000; index++) app.log.info("line", { index });
}

app.route(routeOf("GET", "/end/{how}", (c) => {
  logALot();
  const how = c.param("how");
  if (how === "exit") Deno.exit(3);
  if (how === "sigterm") Deno.kill(Deno.pid, "SIGTERM");
  if (how === "sigkill") Deno.kill(Deno.pid, "SIGKILL");
  return c.noContent();
}));

const [mode] = Deno.args;
if (mode === "crash") {
  logALot();
  throw new Error("nobody catches this");
}
if (mode === "reject") {
  logALot();
  Promise.reject(new Error("nobody awaits this"));
}
if (mode === "end") {
  logALot();
} else {
  await app.listenAndServe();
}
