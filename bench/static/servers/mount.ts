import { App } from "@fw/fw";

const app = new App({
  addr: `127.0.0.1:${Deno.env.get("PORT")}`,
  mounts: { "/": Deno.env.get("BENCH_PUBLIC") ?? "" },
});
app.route({ pattern: "/{page}", methods: { GET: (c) => c.text(200, c.param("page")) } });
await app.listenAndServe();
