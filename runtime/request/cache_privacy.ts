import { variesBy } from "../base/headers.ts";
import { guardedControl } from "./default_headers.ts";
import type { Ctx } from "../base/types.ts";

/** What speaks to shared caches alone, and overrules `Cache-Control` there. */
const sharedControls: readonly string[] = ["cdn-cache-control", "surrogate-control"];

/** What tells caches how long a copy may be kept, beside `Cache-Control`. */
const lifetimes: readonly string[] = ["expires", "age", ...sharedControls];

/**
 * Who an answer is made for: anybody, one browser (it holds a token), a user who is signed in, or a user
 * whom a guard let pass.
 */
export type Audience = "anybody" | "browser" | "user" | "guarded";

const audiences: readonly Audience[] = ["anybody", "browser", "user", "guarded"];

/** What is needed of the context, whose class imports this file. */
export interface CopySubject extends Ctx {
  /** Whether the head has been sent. */
  readonly isSealed: boolean;
  /** The last answer that the context itself made. */
  made: Response | undefined;
  /** The headers that were staged. */
  stagedHeaders: Headers | undefined;
  /** The last answer that carries the default headers already. */
  dressed: Response | undefined;
  /** Who the answer is made for. */
  audience: Audience;
}

/**
 * Takes back how long the answer that failed was to be kept, and by what a copy of it was to be known:
 * a cache would give the error, or the way to the sign-in, to others, and ask with the tag of what it
 * never got. That something is not there may be kept.
 */
export function forgetCopy({ stagedHeaders }: CopySubject, status: number): void {
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
  c: CopySubject,
  { response, status }: { readonly response: Response; readonly status: number },
): Response {
  if (c.isSealed || !isPassing(status)) return response;
  if (c.stagedHeaders?.has("cache-control") || response.headers.has("cache-control")) {
    return response;
  }
  // A header of the answer itself costs no merge.
  if (response === c.made) response.headers.set("cache-control", "no-store");
  else c.header("cache-control", "no-store");
  return response;
}

/** Whether the same request, of somebody else or a little later, would have another answer. */
function isPassing(status: number): boolean {
  return status === 401 || status === 403 || status === 408 || status === 429 || status >= 500;
}

/** Says that the cookies of a request decide what the answer is. */
export function varyByCookie(c: CopySubject): void {
  if (c.isSealed) return;
  if (!variesBy(c.stagedHeaders?.get("vary") ?? null, "cookie")) c.header("vary", "Cookie");
}

/**
 * Says who the answer is made for; who it was made for before counts if that is narrower. Unless the
 * application says how long it may be kept, the answer for a user is `private` and that behind a guard
 * `no-store`: the back button must show nothing after the sign-out.
 */
export function markPersonal(c: CopySubject, audience: Audience = "browser"): void {
  if (audiences.indexOf(audience) <= audiences.indexOf(c.audience)) return;
  c.audience = audience;
  // What was made before lacks the header.
  if (audience === "guarded") c.dressed = undefined;
}

/**
 * Takes from an answer that sets a cookie, or holds what was made for one browser, what lets a shared
 * cache keep it: not every one heeds `Vary`.
 *
 * @param options `isDressed`: it carries the default headers, the `no-store` of a guard among them.
 */
export function keepPrivate(
  c: CopySubject,
  headers: Headers,
  options: { readonly isDressed: boolean },
): void {
  const { audience, stagedHeaders } = c;
  if (audience === "anybody" && stagedHeaders?.has("set-cookie") !== true) return;
  for (const name of sharedControls) headers.delete(name);
  const isOpen = ["last-modified", "expires", "etag"].some((name) => headers.has(name));
  const given = headers.get("cache-control");
  // An application that tells versions apart wants its answer to be kept and asked for again.
  const isDefault = options.isDressed && audience === "guarded" && given === guardedControl &&
    stagedHeaders?.has("cache-control") !== true;
  const control = isDefault && isOpen ? null : given;
  if (control === null) {
    // With a date and nothing else caches choose a time by themselves (RFC 9111, section 4.2.2).
    const isKept = audience === "user" || isOpen;
    if (isKept) headers.set("cache-control", "private");
  } else if (!/\b(?:private|no-store)\b(?!=)/i.test(control)) {
    const own = control.split(",").map((directive) => directive.trim())
      .filter((directive) => !/^(?:public|s-maxage(?:=.*)?)$/i.test(directive));
    headers.set("cache-control", ["private", ...own].join(", "));
  }
  if (audience === "guarded") varyUnlessForgotten(headers);
}

/** What a browser keeps of an answer for a user must not be shown to the next one. */
function varyUnlessForgotten(headers: Headers): void {
  const control = headers.get("cache-control");
  if (control === null || forbidsStoring(control)) return;
  if (!variesBy(headers.get("vary"), "cookie")) headers.append("vary", "Cookie");
}

function forbidsStoring(control: string): boolean {
  return /\bno-store\b(?!=)/i.test(control);
}
