import { type Ctx, KindAPI, type Result, use } from "@fw/fw";
import { Mcp } from "@/lib/mcp.ts";

/** An API route: errors are problem documents, and no CSRF token is needed. */
export const Kind = KindAPI;

/** Refuses to open a stream for server messages. */
export function GET(c: Ctx): Result | Promise<Result> {
  return use(c, Mcp).handlers.GET(c);
}

/** Handles a message. */
export function POST(c: Ctx): Result | Promise<Result> {
  return use(c, Mcp).handlers.POST(c);
}

/** Refuses to end a session, because the server keeps none. */
export function DELETE(c: Ctx): Result | Promise<Result> {
  return use(c, Mcp).handlers.DELETE(c);
}
