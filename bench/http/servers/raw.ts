import { payload, port } from "./payload.ts";

Deno.serve({ port, hostname: "127.0.0.1", onListen() {} }, () =>
  new Response(JSON.stringify(payload), { headers: { "content-type": "application/json" } }));
