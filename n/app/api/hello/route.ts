import type { Ctx } from "@fw/fw";

/** GET /api/hello */
export function GET(c: Ctx): Response {
  return c.json(200, { message: `Hello, ${c.query("name") ?? "world"}!` });
}
