import { preferredFormat } from "../base/headers.ts";
import type { Exchange } from "../request/exchange.ts";

/** Reports whether the client's `Accept` decides the format of an error. */
export function isNegotiated({ route }: Exchange): boolean {
  return route?.isPage !== true && route?.kind === undefined;
}

/** Decides the format of an error: by the route, then the client, then the path. */
export function prefersPage(c: Exchange): boolean {
  const { route } = c;
  if (!isNegotiated(c)) return route?.isPage === true || route?.kind === "page";
  const preferred = preferredFormat(c.request.headers.get("accept"));
  if (preferred !== undefined) return preferred === "html";
  return route === undefined && !/^\/api(\/|$)/.test(c.path);
}
