import { variesBy } from "../base/headers.ts";
import { key } from "../base/keys.ts";
import type { Exchange } from "./exchange.ts";

/** What speaks to shared caches alone, and overrules `Cache-Control` there. */
const sharedControls: readonly string[] = ["cdn-cache-control", "surrogate-control"];

/** What tells caches how long a copy may be kept, beside `Cache-Control`. */
const lifetimes: readonly string[] = ["expires", "age", ...sharedControls];

/** Whom a response was made for: one browser, or one user. */
const Scope = key<"browser" | "user">("fw.cache_privacy");

/**
 * Takes back how long the answer that failed was to be kept, and by what a copy of it was to be known:
 * a cache would give the error, or the way to the sign-in, to others, and ask with the tag of what it
 * never got. That something is not there may be kept.
 */
export function forgetCopy({ stagedHeaders }: Exchange, status: number): void {
  if (stagedHeaders === undefined) return;
  stagedHeaders.delete("etag");
  stagedHeaders.delete("last-modified");
  if (status === 404 || status === 410) return;
  for (const name of lifetimes) stagedHeaders.delete(name);
  const control = stagedHeaders.get("cache-control");
  if (control !== null && !forbidsKeeping(control)) stagedHeaders.delete("cache-control");
}

function forbidsKeeping(control: string): boolean {
  return /\bno-(?:store|cache)\b(?!=)/i.test(control);
}

/**
 * Says that nobody may keep an error that holds for one client or for a moment, unless its answer says
 * otherwise.
 */
export function forbidCopy(
  c: Exchange,
  { response, status }: { readonly response: Response; readonly status: number },
): Response {
  if (c.isSealed || !isPassing(status)) return response;
  if (c.stagedHeaders?.has("cache-control") || response.headers.has("cache-control")) {
    return response;
  }
  // A header of the answer itself costs no merge.
  if (response === c.own?.response) response.headers.set("cache-control", "no-store");
  else c.header("cache-control", "no-store");
  return response;
}

/** Whether the same request, of somebody else or a little later, would have another answer. */
function isPassing(status: number): boolean {
  return status === 401 || status === 403 || status === 408 || status === 429 || status >= 500;
}

/** Says that the cookies of a request decide what the answer is. */
export function addVaryCookie(c: Exchange): void {
  if (c.isSealed) return;
  if (!variesBy(c.stagedHeaders?.get("vary") ?? null, "cookie")) c.header("vary", "Cookie");
}

/**
 * Marks a response as made for one browser, so that no shared cache stores it.
 *
 * @param scope `"user"` for a response that must say so even if nothing else allows caching.
 * @default "browser"
 */
export function markPersonal(c: Exchange, scope: "browser" | "user" = "browser"): void {
  if (scope === "user" || c.get(Scope) === undefined) c.set(Scope, scope);
}

/**
 * Takes from an answer that sets a cookie, or holds what was made for one browser, what lets a shared
 * cache keep it: not every one heeds `Vary`.
 */
export function keepPrivate(c: Exchange, headers: Headers): void {
  const scope = c.get(Scope);
  if (scope === undefined && c.stagedHeaders?.has("set-cookie") !== true) return;
  for (const name of sharedControls) headers.delete(name);
  const control = headers.get("cache-control");
  if (control === null) {
    // With a date and nothing else caches choose a time by themselves (RFC 9111, section 4.2.2).
    const isKept = scope === "user" || headers.has("last-modified") || headers.has("expires");
    if (isKept) headers.set("cache-control", "private");
    return;
  }
  if (/\b(?:private|no-store)\b(?!=)/i.test(control)) return;
  const own = control.split(",").map((directive) => directive.trim())
    .filter((directive) => !/^(?:public|s-maxage(?:=.*)?)$/i.test(directive));
  headers.set("cache-control", ["private", ...own].join(", "));
}
