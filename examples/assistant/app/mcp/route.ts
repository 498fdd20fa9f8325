import { type Ctx, KindAPI, type Result, use } from "@fw/fw";
import { Mcp } from "@/lib/mcp.ts";

/** Errors are problem documents, and no form posts here. */
export const Kind = KindAPI;

/** Opens the stream of a session. */
export function GET(c: Ctx): Result | Promise<Result> {
  return use(c, Mcp).handlers.GET(c);
}

/** Answers a message. */
export function POST(c: Ctx): Result | Promise<Result> {
  return use(c, Mcp).handlers.POST(c);
}

/** Closes a session. */
export function DELETE(c: Ctx): Result | Promise<Result> {
  return use(c, Mcp).handlers.DELETE(c);
}
