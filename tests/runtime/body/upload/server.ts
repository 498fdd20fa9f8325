/**
 * Accepts uploads and reports the memory they took, in a separate process because the client's
 * memory must not count. Logs its URL.
 */
import { App, Off } from "../../../../mod.ts";
import { routeOf } from "../../app/support.ts";

const [spoolDir = ""] = Deno.args;
const timeouts = { readMs: 30_000 };
const app = new App({ addr: "127.0.0.1:0", logRequest: Off, spoolDir, timeouts });
let peakBytes = 0;
setInterval(() => peakBytes = Math.max(peakBytes, Deno.memoryUsage().rss), 10);

app.route({
  pattern: "/upload",
  middleware: [{
    MiddlewarePOST: async (c, next) => {
      c.allowBody(300_000_000);
      return await next();
    },
  }],
  methods: {
    POST: async (c) => {
      const file = await c.file("f");
      const path = await file.save(spoolDir);
      const saved = (await Deno.stat(path)).size;
      await Deno.remove(path);
      return c.json(200, { size: file.size, saved });
    },
  },
});

app.route(routeOf("GET", "/peak", (c) => {
  const bytes = Math.max(peakBytes, Deno.memoryUsage().rss);
  peakBytes = 0;
  return c.json(200, { bytes });
}));

await app.listenAndServe();
