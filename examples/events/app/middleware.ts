import type { Ctx, Next } from "@fw/fw";

/** Reports the response time to the browser's developer tools. */
export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  const startMs = performance.now();
  const response = await next();
  c.header("server-timing", `app;dur=${(performance.now() - startMs).toFixed(2)}`);
  return response;
}
