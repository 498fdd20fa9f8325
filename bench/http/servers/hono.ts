// deno-lint-ignore-file no-import-prefix -- benches pin their peers
import { Hono } from "npm:hono@4.13.19";
import { logger } from "npm:hono@4.13.19/logger";
import { payload, port } from "./payload.ts";

const app = new Hono();
if (Deno.env.get("BENCH_LOG") === "on") app.use(logger());
app.get("/", (c) => c.text("home"));
app.get("/events", (c) => c.json(payload));
app.get("/api/events/:id", (c) => c.json({ ...payload, id: c.req.param("id") }));
Deno.serve({ port, hostname: "127.0.0.1", onListen() {} }, app.fetch);
