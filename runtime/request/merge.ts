import { extendVary } from "../base/headers.ts";
import { keepPrivate } from "./cache_privacy.ts";
import { appendCors, type HeaderPair, missingDefaults } from "./default_headers.ts";
import type { Exchange } from "./exchange.ts";
import { writeFlashes } from "./flash.ts";
import { appendHeaders } from "./responses.ts";
import { bindValidators } from "./token_tag.ts";

/**
 * Merges staged headers into the response: they replace those of the same name, `Vary` and `Set-Cookie`
 * append, and user-specific responses are kept out of shared caches. Then missing default headers are
 * added. The response of a page route to `GET` or `HEAD` varies by `FW-Fragment`. A foreign response is
 * rebuilt once at most, never changed; a 101 passes untouched.
 */
export function mergeHeaders(c: Exchange, response: Response): Response {
  writeFlashes(c, response);
  if (response.status === 101) return response;
  const staged = c.stagedHeaders;
  const isOwn = response === c.own?.response;
  const hasDefaults = isOwn && c.own?.carries !== "nothing" &&
    staged?.has("content-type") !== true;
  const cors = c.cors?.(c.headers.get("origin"));
  const lacksVary = c.lacksVary(response);
  // A response that the context built behind a guard is already marked as user-specific.
  if (
    staged === undefined && (hasDefaults || c.audience === "anybody") &&
    (c.audience !== "browser" || response.headers.has("cache-control"))
  ) {
    const gaps = hasDefaults ? [] : missingDefaults(response, c);
    if (gaps.length === 0 && cors === undefined && !lacksVary) return response;
    // A body that is already being read can be sent for HEAD only, which discards it.
    if (!isOwn && response.body?.locked === true) return response;
    const merged = isOwn ? response : new Response(response.body, response);
    appendHeaders(merged.headers, gaps);
    finishHeaders(merged.headers, { lacksVary, cors });
    return merged;
  }
  const merged = isOwn ? response : new Response(response.body, response);
  for (const [name, value] of staged ?? []) {
    if (name === "vary") extendVary(merged.headers, value);
    else if (name === "set-cookie") merged.headers.append(name, value);
    else merged.headers.set(name, value);
  }
  keepPrivate(c, merged.headers, { hasDefaults });
  bindValidators(c, merged);
  if (!hasDefaults) appendHeaders(merged.headers, missingDefaults(merged, c));
  finishHeaders(merged.headers, { lacksVary, cors });
  return merged;
}

/** Adds what the request decides: the `Vary` of a page and the headers of the CORS policy. */
function finishHeaders(
  headers: Headers,
  options: { readonly lacksVary: boolean; readonly cors: readonly HeaderPair[] | undefined },
): void {
  if (options.lacksVary) extendVary(headers, "FW-Fragment");
  if (options.cors !== undefined) appendCors(headers, options.cors);
}
