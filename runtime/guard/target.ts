const COLON = 0x3a;
const SLASH = 0x2f;

/** The host that was checked last: on most servers the only one there is. */
let knownHost = "";

/**
 * Finds the path in the URL of a request, which the server glues together from the `Host` header
 * and the request target without looking at either: `Host: a/admin?` with the target `/x` gives
 * `http://a/admin?/x`. A host that could shift the path is refused before anything is parsed.
 *
 * @param url The request's `url`, which is read once a request: it is no field but a call.
 * @returns The index of the path's first character; -1 for a request that must be answered 400.
 */
export function findPathStart(request: Request, url: string): number {
  const authority = authorityStart(url);
  const host = request.headers.get("host");
  if (host === null) {
    // HTTP/2 carries the authority elsewhere and the server checks it; a host application that
    // makes a Request has parsed its URL already.
    return url.indexOf("/", authority);
  }
  if (host !== knownHost) {
    if (!isHost(host)) return -1;
    knownHost = host;
  }
  // The absolute form of a target overrides Host: two different hosts are an attack on a proxy.
  if (!url.startsWith(host, authority)) return -1;
  const start = authority + host.length;
  return url.charCodeAt(start) === SLASH ? start : -1;
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
