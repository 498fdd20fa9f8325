import type { OpenBound } from "../base/open_counter.ts";
import type { Ctx } from "../base/ctx/ctx.ts";
import { type HttpError, httpError } from "../base/errors/errors.ts";

const texts: Readonly<Record<OpenBound, string>> = {
  client: "too many are open from this client",
  site: "too many are open from this network",
  all: "too many are open",
};

/** Returns the 429 for one stream or socket too many, and writes what the operator can do. */
export function openRefusal(c: Ctx, kind: "stream" | "socket", bound: OpenBound): HttpError {
  c.log.warn(`one ${kind} too many was refused`, {
    limit: `config.openLimits.${bound}`,
    ...(bound === "all" ? {} : { fix: "behind a proxy, list it in config.trustedProxies" }),
  });
  return httpError(429, `${texts[bound]}; close one, or try again later`, {
    code: `too_many_${kind}s`,
  });
}
