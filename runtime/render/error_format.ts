import { preferredFormat } from "../base/headers.ts";
import type { RequestCtx } from "../request/request_ctx.ts";

/** Reports whether the client's `Accept` decides the format of an error. */
export function isNegotiated({ route }: RequestCtx): boolean {
  return route?.isPage !== true && route?.kind === undefined;
}

/** Decides the format of an error: by the route, then the client, then the path. */
export function prefersPage(c: RequestCtx): boolean {
  const { route } = c;
  if (!isNegotiated(c)) return route?.isPage === true || route?.kind === "page";
  const preferred = preferredFormat(c.request.headers.get("accept"));
  if (preferred !== undefined) return preferred === "html";
  return route === undefined && !/^\/api(\/|$)/.test(c.path);
}
