import { checkCorsShape } from "../base/config/table.ts";
import { hideCredentials } from "../base/diagnose/error_text.ts";
import { isToken } from "../base/headers.ts";
import type { CorsPolicy } from "../base/config/settings.ts";
import type { CorsHeaders, HeaderPair } from "../base/headers.ts";

export interface Cors {
  readonly headers: CorsHeaders;
  /** @param served The methods of the route, if it has the requested one: no others are announced. */
  readonly preflight: (
    origin: string,
    method: string,
    served: readonly string[] | undefined,
  ) => readonly HeaderPair[] | "origin" | "method";
}

const defaultMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/** Compiles a policy (Fetch, "CORS protocol"); `undefined` for one without origins. */
export function compileCors(policy: CorsPolicy, name: string, header: string): Cors | undefined {
  checkCorsShape(policy, { name });
  checkPolicy(policy, name);
  const { origins = [], expose = [], credentials = false, maxAgeSeconds = 0 } = policy;
  if (origins.length === 0) return undefined;
  const methods = policy.methods ?? defaultMethods;
  const isOpen = origins.includes("*");
  const listed = new Set(origins);
  const allows = (origin: string): boolean => isOpen || listed.has(origin);
  // Also for requests without an `Origin`, so that a cache does not reuse the response for another site.
  const vary: HeaderPair = ["vary", "Origin"];
  const grant = (origin: string): HeaderPair[] => [
    ["access-control-allow-origin", isOpen ? "*" : origin],
    ...(credentials ? [["access-control-allow-credentials", "true"] as const] : []),
    vary,
  ];
  const exposed: HeaderPair[] = expose.length === 0
    ? []
    : [["access-control-expose-headers", expose.join(", ")]];
  const isAnyMethod = methods.includes("*");
  const announce = (served: readonly string[] = methods): HeaderPair => [
    "access-control-allow-methods",
    served.filter((method) => isAnyMethod || methods.includes(method)).join(", "),
  ];
  const headers = policy.headers ?? ["Content-Type", "Authorization", header, "FW-Fragment"];
  const permits: HeaderPair[] = [["access-control-allow-headers", headers.join(", ")]];
  if (maxAgeSeconds > 0) permits.push(["access-control-max-age", String(maxAgeSeconds)]);
  return {
    headers: (origin) =>
      origin !== null && allows(origin) ? [...grant(origin), ...exposed] : [vary],
    preflight: (origin, method, served) => {
      if (!allows(origin)) return "origin";
      if (!methods.includes(method) && !isAnyMethod) return "method";
      return [...grant(origin), announce(served), ...permits];
    },
  };
}

/** @throws {TypeError} or {RangeError} naming the setting, its value and the fix. */
function checkPolicy(policy: CorsPolicy, name: string): void {
  const { origins = [], credentials = false, maxAgeSeconds = 0 } = policy;
  const fail = (setting: keyof CorsPolicy, value: string, fix: string): never => {
    throw new TypeError(`Cannot set ${name}.${setting} to "${value}": ${fix}.`);
  };
  const isOpen = origins.includes("*");
  if (isOpen && origins.length > 1) {
    fail("origins", origins.map(hideCredentials).join(", "), 'write "*" alone, or origins only');
  }
  if (isOpen && credentials) {
    fail("origins", "*", "any site could act for a signed-in user; list the origins");
  }
  for (const origin of isOpen ? [] : origins) {
    const fix = originFix(origin);
    if (fix !== undefined) fail("origins", hideCredentials(origin), fix);
  }
  for (const setting of ["methods", "headers", "expose"] as const) {
    for (const entry of policy[setting] ?? []) {
      if (!isToken(entry)) fail(setting, entry, "write one name per entry");
      if (entry === "*" && credentials) {
        fail(
          setting,
          entry,
          "browsers take it literally together with credentials; list the names",
        );
      }
      if (setting === "methods" && entry !== entry.toUpperCase()) {
        fail(setting, entry, `methods are in capitals; write "${entry.toUpperCase()}"`);
      }
    }
  }
  if (Number.isInteger(maxAgeSeconds) && maxAgeSeconds >= 0) return;
  throw new RangeError(
    `Cannot set ${name}.maxAgeSeconds to "${maxAgeSeconds}": use an integer number of seconds from 0 up.`,
  );
}

const originForm =
  /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._-]+(?::\d{1,5})?$|^https?:\/\/\[[0-9a-f:]+\](?::\d{1,5})?$/;

/** Returns the fix for an origin that no browser sends: it would never match. */
function originFix(origin: string): string | undefined {
  const isWeb = /^https?:/i.test(origin);
  const sent = isWeb ? URL.parse(origin)?.origin : undefined;
  if (originForm.test(origin) && (!isWeb || sent === origin)) return undefined;
  if (origin.includes("*")) return 'list each origin; only "*" alone stands for more than one';
  return sent !== undefined && originForm.test(sent)
    ? `write "${sent}", as browsers do`
    : 'write scheme and host in lower case, such as "https://app.example", without path and slash';
}
