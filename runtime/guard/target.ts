import { scanPath } from "../base/path.ts";

/** Where the path of a request stands in its URL. */
export interface FoundPath {
  /** The index of its first character. */
  readonly start: number;
  /** The index after its last character. */
  readonly end: number;
  /** Whether the path is in canonical form as it stands. */
  readonly isCanonical: boolean;
}

const COLON = 0x3a;
const SLASH = 0x2f;

/** The host that was checked last: on most servers the only one there is. */
let knownHost = "";

/**
 * Finds the path in the URL of a request, which the server glues together from the `Host` header
 * and the request target without looking at either: `Host: a/admin?` with the target `/x` gives
 * `http://a/admin?/x`. A host that could shift the path is refused before anything is parsed.
 *
 * @returns `undefined` for a request that must be answered 400.
 */
export function findPath(request: Request): FoundPath | undefined {
  const url = request.url;
  const authority = authorityStart(url);
  const host = request.headers.get("host");
  let start: number;
  if (host === null) {
    // HTTP/2 carries the authority elsewhere and the server checks it; a host application that
    // makes a Request has parsed its URL already.
    start = url.indexOf("/", authority);
  } else {
    if (host !== knownHost) {
      if (!isHost(host)) return undefined;
      knownHost = host;
    }
    start = authority + host.length;
    // The absolute form of a target overrides Host: two different hosts are an attack on a proxy.
    if (!url.startsWith(host, authority)) return undefined;
  }
  if (url.charCodeAt(start) !== SLASH) return undefined;
  const found = scanPath(url, start);
  return found < 0
    ? { start, end: ~found, isCanonical: false }
    : { start, end: found, isCanonical: true };
}

function authorityStart(url: string): number {
  if (url.charCodeAt(4) === COLON) return 7;
  if (url.charCodeAt(5) === COLON) return 8;
  return url.indexOf("://") + 3;
}

/** Whether the text is a host with an optional port (RFC 9112, section 3.2). */
function isHost(host: string): boolean {
  return host.length <= 260 &&
    /^(?:[A-Za-z0-9._~-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.test(host);
}
