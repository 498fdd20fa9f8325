import { type Ctx, type Key, key } from "../mod.ts";
import { pageQuery } from "../runtime/addon.ts";

/** Maximum length of a target; a longer link is a mistake or an attack. */
const maxNextChars = 2_048;

/** Number of times escapes are decoded, because proxies may decode them as well. */
const maxDecodes = 3;

/**
 * Parses the target after a sign-in into a normalised path inside the application. Returns `undefined` for
 * another host, scheme or base path, however the link spells it.
 */
export function parseNext(text: string | undefined, base: string): string | undefined {
  if (text === undefined || text.length > maxNextChars || !isLocal(text)) return undefined;
  const url = URL.parse(text, "http://next.invalid");
  if (url?.host !== "next.invalid") return undefined;
  const { pathname } = url;
  // `URL` resolved dot segments, so the path may start with two slashes or lie outside the base path.
  const isInside = pathname === base || pathname.startsWith(`${base}/`);
  const inner = pathname.slice(base.length);
  if (!isInside || (inner !== "" && !isLocal(inner))) return undefined;
  return pathname + url.search + url.hash;
}

/** Reports whether a path stays on its host, even for a reader that decodes escapes too early or too often. */
function isLocal(text: string): boolean {
  if (!/^\/(?![/\\])/.test(text) || /[\p{Cc}\\]/u.test(text)) return false;
  let path = text.slice(0, /[?#]|$/.exec(text)?.index);
  for (let decodes = 0; decodes < maxDecodes && path.includes("%"); decodes++) {
    try {
      path = decodeURIComponent(path);
    } catch {
      if (decodes === 0) return false;
      // A literal percent sign; some readers still decode the escapes next to it.
      path = path.replace(/%[0-7][\da-f]/gi, decodeURIComponent);
    }
    if (/^\/[/\\]/.test(path) || /[\p{Cc}\\]/u.test(path)) return false;
    // A proxy that decodes and then resolves dot segments would leave the base path.
    if (/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return false;
  }
  return true;
}

/** Reads the parameter `next`. A refused value is a security event, because only an attacker would send it. */
export function checkNext(c: Ctx): string | undefined {
  const text = c.query("next");
  const next = parseNext(text, c.base);
  if (next === undefined && text !== undefined && text !== "") {
    c.app.security.report(c, "auth", { reason: "next-refused" });
  }
  return next;
}

/** Returns an application path with its base path and language, as `c.href` does. */
export function appPath(c: Ctx, path: string): string {
  // Bypasses the route types, because a path may contain a query, which a pattern cannot.
  const paths = c as unknown as { href(pattern: string): string };
  return paths.href("/").replace(/\/$/, "") + path;
}

/** The `next` of the sign-in that a provider's response ends. */
export const pendingNext: Key<string> = key("fw.next");

/**
 * Returns the path to redirect to after the sign-in: the query parameter `next`, which the guards set,
 * if it is a path inside this application. After `callback` of a provider has refused a sign-in, it is the
 * `next` of that sign-in.
 *
 * @param options `fallback` is the application path for every other value, without base path and
 * language, which are added as by `c.href`. @default "/"
 * @returns A path with its base path, safe to redirect to.
 * @example
 * ```ts
 * import { nextPath } from "@fw/fw/auth";
 * import { testRoute } from "@fw/fw/testing";
 *
 * const route = {
 *   pattern: "/login",
 *   methods: { GET: (c: import("@fw/fw").Ctx) => c.redirect(nextPath(c, { fallback: "/account" })) },
 * };
 * await testRoute(route, "GET", "/login?next=/events").wantHeader("location", "/events");
 * await testRoute(route, "GET", "/login?next=//evil.example").wantHeader("location", "/account");
 * ```
 */
export function nextPath(c: Ctx, options: { readonly fallback?: string } = {}): string {
  return c.get(pendingNext) ?? checkNext(c) ?? appPath(c, options.fallback ?? "/");
}

/**
 * Returns the path of the sign-in page with `next` set to the requested page, not to its action; without `next`
 * for a route that `GET` cannot show.
 */
export function loginTarget(c: Ctx, loginPath: string): string {
  const target = appPath(c, loginPath);
  const route = c.app.routes.find(({ pattern }) => pattern === c.pattern);
  if (route !== undefined && route.page === undefined && route.methods?.GET === undefined) {
    return target;
  }
  const { pathname, search } = c.url;
  const next = [pathname + pageQuery(search), pathname]
    .map((text) => parseNext(text, c.base))
    .find((text) => text !== undefined);
  if (next === undefined) return target;
  return `${target}${target.includes("?") ? "&" : "?"}next=${encodeURIComponent(next)}`;
}
