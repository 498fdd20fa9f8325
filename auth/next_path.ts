import type { Ctx } from "../mod.ts";
import { pageQuery } from "../runtime/addon.ts";

/** The longest target that is carried along: beyond it a link is a mistake or an attack. */
const maxNextChars = 2_048;

/** Number of times that escapes are decoded, as a proxy on the way might. */
const maxDecodes = 3;

/**
 * Parses where a browser wants to go after the sign-in: a normalised path inside the application, however the
 * author of the link wrote it; `undefined` for another host, scheme or base path.
 */
export function parseNext(text: string | undefined, base: string): string | undefined {
  if (text === undefined || text.length > maxNextChars || !isLocal(text)) return undefined;
  const url = URL.parse(text, "http://next.invalid");
  if (url === null || url.host !== "next.invalid" || url.username !== "" || url.password !== "") {
    return undefined;
  }
  const { pathname } = url;
  // Dot segments are gone now: what is left may start with two slashes, or lie outside the base path.
  const isInside = base === "" || pathname === base || pathname.startsWith(`${base}/`);
  if (!isInside || !isLocal(pathname)) return undefined;
  const inner = pathname.slice(base.length);
  if (inner !== "" && !isLocal(inner)) return undefined;
  return pathname + url.search + url.hash;
}

/** Reports whether a path stays on its host, also for a reader that decodes escapes too early or too often. */
function isLocal(text: string): boolean {
  if (!/^\/(?![/\\])/.test(text) || /[\p{Cc}\\]/u.test(text)) return false;
  let path = text.slice(0, /[?#]|$/.exec(text)?.index);
  for (let decodes = 0; decodes < maxDecodes && path.includes("%"); decodes++) {
    try {
      path = decodeURIComponent(path);
    } catch {
      if (decodes === 0) return false;
      // A literal percent sign; some readers decode what stands beside it all the same.
      path = path.replace(/%[0-7][\da-f]/gi, decodeURIComponent);
    }
    if (/^\/[/\\]/.test(path) || /[\p{Cc}\\]/u.test(path)) return false;
    // A proxy that decodes and then resolves dot segments would leave the base path.
    if (/(?:^|\/)\.\.?(?:\/|$)/.test(path)) return false;
  }
  return true;
}

/** Reads the parameter `next`; one that is refused is a security event, since only an attacker writes it. */
export function checkNext(c: Ctx): string | undefined {
  const text = c.query("next");
  const next = parseNext(text, c.base);
  if (next === undefined && text !== undefined && text !== "") {
    c.app.security.report(c, "auth", { reason: "next-refused" });
  }
  return next;
}

/** Returns the URL path of a path of the application, with base path and language, as `c.href` does. */
export function appPath(c: Ctx, path: string): string {
  // Without the types of the routes. A path may hold a query, which a pattern cannot.
  const paths = c as unknown as { href(pattern: string): string };
  return paths.href("/").replace(/\/$/, "") + path;
}

/**
 * Returns where to send a browser after the sign-in: the path in the query parameter `next`, which the
 * guards set, if it is one inside this application.
 *
 * @param options `fallback` is the path of the application for every other value, without the base path
 * and without a language, which are added as `c.href` adds them. @default "/"
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
  return checkNext(c) ?? appPath(c, options.fallback ?? "/");
}

/** Returns the path of the sign-in page that leads back to the requested page, not to its action. */
export function loginTarget(c: Ctx, loginPath: string): string {
  const { pathname, search } = c.url;
  const next = [pathname + pageQuery(search), pathname]
    .map((text) => parseNext(text, c.base))
    .find((text) => text !== undefined);
  const target = appPath(c, loginPath);
  if (next === undefined) return target;
  return `${target}${target.includes("?") ? "&" : "?"}next=${encodeURIComponent(next)}`;
}
