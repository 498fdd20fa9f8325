import type { Ctx, Next } from "@fw/fw";

/** Tells the browser's developer tools how long the answer took to make. */
export async function Middleware(c: Ctx, next: Next): Promise<Response> {
  const startMs = performance.now();
  const response = await next();
  c.header("server-timing", `app;dur=${(performance.now() - startMs).toFixed(2)}`);
  return response;
}
