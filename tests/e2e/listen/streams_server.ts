/** The application that `streams_test.ts` runs in a process of its own. */
import { App, NoTimeout, Off } from "../../../mod.ts";
import { routeOf } from "../../routes.ts";

const app = new App({
  addr: "127.0.0.1:0",
  logRequest: Off,
  openLimits: { client: 10_000, site: 10_000 },
});
app.route(routeOf("GET", "/idle", (c) =>
  c.stream(async (s) => {
    await s.send("hello", "1");
    // It does not listen to its signal: the server has to close it.
    await new Promise(() => {});
  }, { heartbeatMs: Deno.args.includes("quiet") ? NoTimeout : 1_000 })));
app.route(routeOf("GET", "/memory", (c) => c.json(200, { rss: Deno.memoryUsage().rss })));
await app.listenAndServe();
