import { observabilityPaths } from "../base/config/config.ts";
import type { ObservabilitySettings } from "../base/config/settings.ts";
import type { Location, Target } from "../base/ctx/target.ts";
import { decodePath, pathEnd, stripBase } from "../base/url/path.ts";
import type { PrefixedPath } from "../i18n/languages.ts";
import type { CompiledRoute, Runtime } from "./runtime.ts";

const COLON = 0x3a;

/** The last checked origin, with its slash: most servers have only one. */
let knownOrigin = "";
let knownHost = "";

/**
 * Parses the target of a request. The path has to be found in the URL, which the server joins from the `Host`
 * header and the request target without checking either: `Host: a/admin?` with the target `/x` gives
 * `http://a/admin?/x`. A host that could shift the path is refused before anything is parsed.
 *
 * @returns The target; `undefined` for a request that must be refused.
 */
export function readTarget(request: Request, maxChars: number): Target | undefined {
  // Each is a call into the server, so they are read once per request (`bench/http`).
  const { url, method } = request;
  if (url.length > maxChars) return undefined;
  let hostHeader: string | null | undefined;
  if (knownOrigin === "" || !url.startsWith(knownOrigin)) {
    const origin = parseOrigin(url);
    if (origin === undefined) return undefined;
    const host = origin.slice(authorityStart(origin), -1);
    hostHeader = request.headers.get("host");
    if (hostHeader && hostHeader !== host) return undefined;
    knownOrigin = origin;
    knownHost = host;
  }
  const pathStart = knownOrigin.length - 1;
  // The target starts with a slash, so a URL with a single one has the path that was sent; only a second one
  // could come from the host. Reading a header costs as much as routing (`bench/http`), but a path of two
  // segments needs it, because the server passes the same URL for a shifted path (`bench/RESULTS.md`). So an
  // absolute target of the known origin with a path of one segment passes with another `Host`. The host of
  // the target applies (RFC 9112, section 3.2.2), and code that decides by the header reads both.
  if (url.indexOf("/", pathStart + 1) >= 0) {
    hostHeader ??= request.headers.get("host");
    // The absolute form of a target overrides Host: two different hosts are an attack on a proxy. HTTP/2
    // carries the authority elsewhere, and the server checks it; a host application that creates a Request
    // has already parsed its URL.
    if (hostHeader && hostHeader !== knownHost) return undefined;
  }
  const end = pathEnd(url, pathStart);
  const path = url.slice(pathStart, end);
  return { url, method, host: knownHost, hostHeader, path, pathStart, pathEnd: end };
}

export function unknownTarget({ method }: Request): Target {
  const path = "/";
  return { url: path, method, host: "", hostHeader: undefined, path, pathStart: 0, pathEnd: 1 };
}

/** Returns the part of the URL up to its path, or `undefined` if it has no valid host. */
function parseOrigin(url: string): string | undefined {
  const authority = authorityStart(url);
  const slash = url.indexOf("/", authority);
  if (slash <= authority || !isHost(url.slice(authority, slash))) return undefined;
  const origin = url.slice(0, slash + 1);
  // Hosts such as 1.2.3.999 and ports above 65535 look right and make `new URL` throw.
  return /^http(?:s|\+unix)?:/.test(origin) && URL.canParse(origin) ? origin : undefined;
}

function authorityStart(url: string): number {
  if (url.charCodeAt(4) === COLON) return 7;
  if (url.charCodeAt(5) === COLON) return 8;
  return url.indexOf("://") + 3;
}

/** Reports whether the text is a host with an optional port (RFC 9112, section 3.2). */
function isHost(host: string): boolean {
  return host.length <= 260 &&
    /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(host);
}

/** What a path outside the router serves; `health` is the readiness as well. */
export type Endpoint = keyof ReturnType<typeof observabilityPaths>;

/** The destination of a target; a file still takes precedence over anything but a literal route. */
export interface Located extends Location {
  /**
   * A route by its literal path or by parameters; or, without a route: an endpoint, a route's path except for a
   * trailing slash or for the spelling of its language, the base path without its slash, no match, a path
   * outside the base path, a malformed path.
   */
  readonly kind:
    | "literal"
    | "parameters"
    | "endpoint"
    | "slash"
    | "spelling"
    | "base"
    | "nothing"
    | "outside"
    | "malformed";
  readonly route: CompiledRoute | undefined;
  readonly near?: CompiledRoute | undefined;
  readonly endpoint?: Endpoint;
}

/** Lists the endpoints by the length of their paths: a `Map` would hash every path (`bench/router`). */
function listEndpoints(
  settings: ObservabilitySettings,
  base: string,
): readonly (readonly Located[] | undefined)[] {
  const byLength: Located[][] = [];
  const paths = Object.entries(observabilityPaths(settings)) as [Endpoint, string][];
  for (const [endpoint, path] of paths) {
    const located = { ...placeless("endpoint", base + path), endpoint };
    (byLength[located.path.length] ??= []).push(located);
  }
  return byLength;
}

/** Creates the single lookup of a request: endpoint, route, or the redirect to one. */
export function createLocate(
  { app, base, router, languages, findProblems }: Runtime,
): (target: Target) => Located {
  const endpoints = listEndpoints(app.config.observability, base);
  return ({ path: sent }) => {
    const endpoint = endpoints[sent.length]?.find(({ path }) => path === sent);
    if (endpoint !== undefined) return endpoint;
    // A path that equals a literal route is already canonical, so it is not scanned (`bench/http`).
    let path = base === "" ? sent : stripBase(base, sent);
    let match = path === undefined ? undefined : router.find(path);
    // As with `c.href("/")`, so that relative links of the start page work.
    if (match !== undefined && sent === base) return placeless("base", "/");
    if (match?.isLiteral !== true) {
      const decoded = decodePath(sent);
      if (decoded === undefined) return placeless("malformed", sent);
      if (decoded !== sent) {
        path = stripBase(base, decoded);
        match = path === undefined ? undefined : router.find(path);
      }
      if (path === undefined) return placeless("outside", decoded);
      if (match !== undefined && decoded === base) return placeless("base", path);
      // No literal route starts with a language: `compileRoutes` refuses it.
      const prefixed = match?.isLiteral === true ? undefined : languages?.parsePrefix(path);
      if (prefixed !== undefined) return locateBehind(prefixed, path);
      if (match === undefined) return withoutRoute(path);
    }
    const kind = match.isLiteral ? "literal" : "parameters";
    return { kind, path: path ?? sent, route: match.value, captures: match.params };
  };

  function locateBehind({ language, rest, isCanonical }: PrefixedPath, outer: string): Located {
    const path = rest === "" ? "/" : rest;
    const match = router.find(path);
    if (match === undefined) return { ...withoutRoute(path), language, outer };
    if (!isCanonical || rest === "") {
      return { ...placeless("spelling", path), near: match.value, language, outer };
    }
    const kind = match.isLiteral ? "literal" : "parameters";
    return { kind, path, route: match.value, captures: match.params, language, outer };
  }

  /** Classifies a path without a route: a route's path with a slash at its end, or nothing. */
  function withoutRoute(path: string): Located {
    const isSlashed = path.length > 1 && path.endsWith("/");
    const near = isSlashed ? router.find(path.slice(0, -1))?.value : undefined;
    const kind = near === undefined ? "nothing" : "slash";
    const problems = findProblems?.(path);
    return { kind, path, route: undefined, captures: undefined, near, problems };
  }
}

function placeless(kind: Located["kind"], path: string): Located {
  return { kind, path, route: undefined, captures: undefined };
}
