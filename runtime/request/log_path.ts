import type { RequestCtx } from "./request_ctx.ts";

/**
 * Returns the path as it was sent, with `{name}` in place of each parameter whose name looks secret: the token
 * of a link by mail opens an account to everyone who reads the log.
 */
export function logPath(c: RequestCtx): string {
  const { target, location } = c;
  const route = c.route ?? location?.route ?? location?.near;
  const hidden = route?.secretSegments;
  if (route === undefined || hidden === undefined) return target.path;
  const parts = target.path.split("/");
  // Before the route's own: the base path and the language.
  const first = c.base.split("/").length + (location?.language === undefined ? 0 : 1);
  const rest = parts.slice(first + hidden.length);
  const isLonger = rest.some((part) => part !== "") && !route.pattern.endsWith("...}");
  // Fails closed: in a path of another shape, no segment is known to be harmless.
  if (parts.length < first + hidden.length || isLonger) return route.pattern;
  const own = hidden.map((name, index) => name ?? parts[first + index]);
  const isRestHidden = hidden.at(-1)?.endsWith("...}") === true;
  return [...parts.slice(0, first), ...own, ...isRestHidden ? [] : rest].join("/");
}
