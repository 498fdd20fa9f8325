import { extendVary, variesBy } from "../base/headers.ts";
import { guardedControl, privateControl } from "./default_headers.ts";
import type { Audience, Exchange } from "./exchange.ts";

/** The headers that only shared caches read and that override `Cache-Control` there. */
const sharedControls: readonly string[] = ["cdn-cache-control", "surrogate-control"];

/** The headers besides `Cache-Control` that set how long a cache may keep a response. */
const lifetimes: readonly string[] = ["expires", "age", ...sharedControls];

const audiences: readonly Audience[] = ["anybody", "browser", "user", "guarded"];

/**
 * Drops staged cache headers and validators so that an error, or a redirect to the sign-in, is not cached
 * and served to other clients or revalidated with the tag of a response that was never sent. A 404 may
 * still be cached.
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

/**
 * Keeps a response that shows messages once out of every cache: a stored one would show them again, and its
 * validators would stand for the page without them.
 */
export function forgetShown(c: Exchange): void {
  for (const name of ["etag", "last-modified", ...lifetimes]) c.stagedHeaders?.delete(name);
  const control = c.stagedHeaders?.get("cache-control") ?? "";
  if (!forbidsStoring(control)) c.header("cache-control", "no-store");
}

function forbidsKeeping(control: string): boolean {
  return /\bno-(?:store|cache)\b(?!=)/i.test(control);
}

/**
 * Forbids caching an error that applies to one client or is temporary, unless its response sets its own
 * policy.
 */
export function forbidCopy(
  c: Exchange,
  { response, status }: { readonly response: Response; readonly status: number },
): Response {
  if (c.isSealed || !isPassing(status)) return response;
  const given = response.headers.get("cache-control");
  const isDefault = response === c.own?.response && given === privateControl;
  if (c.stagedHeaders?.has("cache-control") || (given !== null && !isDefault)) return response;
  // Setting the header on the response itself avoids a merge.
  if (response === c.own?.response) response.headers.set("cache-control", "no-store");
  else c.header("cache-control", "no-store");
  return response;
}

/** Checks whether the same request, from another client or a little later, would get a different response. */
function isPassing(status: number): boolean {
  return status === 401 || status === 403 || status === 408 || status === 429 || status >= 500;
}

/** Adds `Cookie` to `Vary`, since the request's cookies determine the response. */
export function addVaryCookie(c: Exchange): void {
  if (c.isSealed) return;
  if (!variesBy(c.stagedHeaders?.get("vary") ?? null, "cookie")) c.header("vary", "Cookie");
}

/**
 * Marks whom a response is made for; a narrower mark from before stays. Unless the application sets
 * `Cache-Control`, a response for a user is `private` and one behind a guard `no-store`, so that the back
 * button shows nothing after signing out.
 */
export function markPersonal(c: Exchange, audience: Audience = "browser"): void {
  if (audiences.indexOf(audience) <= audiences.indexOf(c.audience)) return;
  c.audience = audience;
  // A response that was built before lacks the header.
  if (audience !== "user" && c.own !== undefined) c.own = { ...c.own, carries: "nothing" };
}

/**
 * Removes what lets a shared cache store a response that sets a cookie or is made for one browser: not
 * every cache honours `Vary`.
 *
 * @param options `hasDefaults`: it carries the default headers, the `no-store` of a guard among them.
 */
export function keepPrivate(
  c: Exchange,
  headers: Headers,
  options: { readonly hasDefaults: boolean },
): void {
  const { audience, stagedHeaders } = c;
  if (audience === "anybody" && stagedHeaders?.has("set-cookie") !== true) return;
  for (const name of sharedControls) headers.delete(name);
  const isOpen = ["last-modified", "expires", "etag"].some((name) => headers.has(name));
  const given = headers.get("cache-control");
  // An application that sets a validator wants its response to be stored and revalidated.
  const isDefault = options.hasDefaults && audience === "guarded" && given === guardedControl &&
    stagedHeaders?.has("cache-control") !== true;
  const control = isDefault && isOpen ? null : given;
  if (control === null) {
    // Without a policy caches choose a time by themselves (RFC 9111, section 4.2.2), or their operator does.
    // Behind a guard the default headers, which follow, say `no-store`.
    const isNamed = audience === "browser" || audience === "user";
    if (isNamed || isOpen) headers.set("cache-control", privateControl);
  } else if (!/\b(?:private|no-store)\b(?!=)/i.test(control)) {
    const own = control.split(",").map((directive) => directive.trim())
      .filter((directive) => !/^(?:public|s-maxage(?:=.*)?)$/i.test(directive));
    headers.set("cache-control", ["private", ...own].join(", "));
  }
  if (audience === "guarded") varyUnlessForgotten(headers);
}

/** A response for one user that a browser stores must not be shown to the next one. */
function varyUnlessForgotten(headers: Headers): void {
  const control = headers.get("cache-control");
  if (control === null || forbidsStoring(control)) return;
  extendVary(headers, "Cookie");
}

/** Checks whether caches may store a redirect: fragment requests get a 204 in its place. */
export function isKeptRedirect(
  { stagedHeaders }: Exchange,
  { status, headers }: Response,
): boolean {
  if (status === 301 || status === 308) return true;
  const isRedirect = status === 302 || status === 303 || status === 307;
  const control = stagedHeaders?.get("cache-control") ?? headers.get("cache-control");
  return isRedirect && control !== null && !forbidsStoring(control);
}

function forbidsStoring(control: string): boolean {
  return /\bno-store\b(?!=)/i.test(control);
}
