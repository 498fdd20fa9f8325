/** The application that `listen_test.ts` runs in a separate process; its output is its log. */
import { App, configFromEnv, createLogger, Off } from "../../../mod.ts";
import { routeOf } from "../../routes.ts";

const [shutdownMs = "5000"] = Deno.args;
const [, drainMs] = /drain=(\d+)/.exec(Deno.args.join()) ?? [];

const { env, secret } = configFromEnv();
const app = new App({
  env,
  secret,
  addr: Deno.env.get("ADDR") || "127.0.0.1:0",
  listener: Deno.args.includes("node") ? "node" : "deno",
  timeouts: {
    shutdownMs: Number(shutdownMs),
    ...(drainMs === undefined ? {} : { drainMs: Number(drainMs) }),
  },
  logger: createLogger({ level: "debug" }),
  ...(Deno.args.includes("quiet") ? { logRequest: Off } : {}),
}, {
  setup: {
    Shutdown: (): void | Promise<void> => {
      app.log.info("Shutdown ran");
      if (Deno.args.includes("stuck-shutdown")) return new Promise(() => {});
      if (Deno.args.includes("failing-shutdown")) throw new Error("the store is gone");
    },
  },
});

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

app.route(routeOf("GET", "/slow/{ms}", async (c) => {
  const ms = Number(c.param("ms"));
  if (ms > 0) c.log.info("slow began");
  await wait(ms);
  return c.text(200, "finished");
}));
app.route(routeOf("POST", "/upload", async (c) => {
  c.log.info("upload began");
  return c.text(200, (await c.file("f")).name);
}));
app.route(routeOf("GET", "/stuck", (c) => {
  c.log.info("stuck began");
  return new Promise(() => {});
}));
app.route(routeOf("GET", "/heedful", async (c) => {
  const ended = new Promise((resolve) => c.signal.addEventListener("abort", resolve));
  c.log.info("heedful began");
  await ended;
  c.log.info("heedful heard", { reason: c.signal.reason });
  return c.text(200, "cut");
}));
app.route(routeOf("GET", "/after/{kind}", (c) => {
  const kind = c.param("kind");
  if (kind === "rejection") setTimeout(() => Promise.reject(new Error("late rejection")), 5);
  if (kind === "null") setTimeout(() => Promise.reject(null), 5);
  if (kind === "throw") {
    setTimeout(() => {
      throw new Error("late throw");
    }, 5);
  }
  return c.text(200, "answered");
}));
app.route(routeOf("GET", "/panic", () => {
  throw new Error("for its security event, which tells the peer");
}));

if (Deno.args.includes("timer")) setInterval(() => {}, 1_000);
if (Deno.args.includes("self-stop")) setTimeout(() => app.shutdown(), 50);

await app.listenAndServe();
app.log.info("listenAndServe came back");
