import { type Ctx, limit, type Next, type Result } from "@fw/fw";

// Each message costs what the model costs: thirty at once, then one every two seconds for each client.
const byClient = limit(0.5, 30);

/** Limits the chat; the MCP server is for those with its key. */
export function MiddlewarePOST(c: Ctx, next: Next): Result | Promise<Result> {
  return c.pattern === "/" ? byClient(c, next) : next();
}
