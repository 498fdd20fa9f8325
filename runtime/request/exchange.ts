export type { MatchedRoute } from "../base/ctx/target.ts";
export type { RequestCtx as Exchange } from "./request_ctx.ts";
