// deno-lint-ignore-file no-import-prefix -- benches pin their peers
import { Hono } from "npm:hono@4.13.19";
import { serveStatic } from "npm:hono@4.13.19/deno";

const app = new Hono();
app.use("*", serveStatic({ root: Deno.env.get("BENCH_PUBLIC") ?? "" }));
app.get("/:page", (c) => c.text(c.req.param("page")));
Deno.serve(
  {
    port: Number(Deno.env.get("PORT")),
    hostname: "127.0.0.1",
    onListen: () => undefined,
  },
  app.fetch,
);
