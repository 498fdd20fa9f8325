import { type Ctx, KindAPI, type Result, use } from "@fw/fw";
import { Mcp } from "@/lib/mcp.ts";

/** Errors are problem documents, and no form posts here. */
export const Kind = KindAPI;

/** Refuses a stream beside the calls. */
export function GET(c: Ctx): Result | Promise<Result> {
  return use(c, Mcp).handlers.GET(c);
}

/** Answers a message. */
export function POST(c: Ctx): Result | Promise<Result> {
  return use(c, Mcp).handlers.POST(c);
}

/** Refuses to end a session: the server keeps none. */
export function DELETE(c: Ctx): Result | Promise<Result> {
  return use(c, Mcp).handlers.DELETE(c);
}
