import { type Ctx, limit, type Next, type Result } from "@fw/fw";

// Each message costs a model call, so a client may send thirty at once, then one every two seconds.
const byClient = limit(0.5, 30);

/** Limits the chat; the MCP server is protected by its key. */
export function MiddlewarePOST(c: Ctx, next: Next): Result | Promise<Result> {
  return c.pattern === "/" ? byClient(c, next) : next();
}
