import type { Ctx } from "@fw/fw";
import { payload } from "../../../../servers/data.mjs";

export function GET(c: Ctx): Response {
  return c.json(200, payload);
}
