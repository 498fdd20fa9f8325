import { App, Off } from "@fw/fw";
import { payload, port } from "./payload.ts";

const app = new App({
  addr: `127.0.0.1:${port}`,
  ...(Deno.env.get("BENCH_LOG") === "off" ? { logRequest: Off } : {}),
});
app.route({ pattern: "/", methods: { GET: (c) => c.text(200, "home") } });
app.route({ pattern: "/events", methods: { GET: (c) => c.json(200, payload) } });
app.route({
  pattern: "/api/events/{id}",
  methods: { GET: (c) => c.json(200, { ...payload, id: c.param("id") }) },
});
await app.listenAndServe();
