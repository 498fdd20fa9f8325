/** Turns a setting off where a missing value would mean its default. */
export const Off: unique symbol = Symbol.for("fw.Off");

/** Disables a deadline. */
export const NoTimeout: number = Infinity;

/** The server's timeouts in milliseconds; {@link NoTimeout} disables one. */
export interface Timeouts {
  /**
   * Time to serve on after SIGINT or SIGTERM, not ready and with `Connection: close`; it ends earlier when
   * no request has come for 200 ms. 0 disables it. @default 2000
   */
  drainMs: number;
  /** Time for requests in flight after the drain. @default 5000 */
  shutdownMs: number;
  /**
   * Timeout of a request body without a byte. Beyond it, a body also needs the average rate
   * `bodyLimits.minBytesPerSecond`. With `listener: "node"` also the timeout of the head. @default 60000
   */
  readMs: number;
  /**
   * The handler timeout, without the time spent reading the body: the client gets 503. It does not bound
   * what a stream sends. With `listener: "node"` also how long a client may stall while it receives.
   * @default 60000
   */
  writeMs: number;
  /** Lifetime of a connection without a request; with `listener: "node"` only. @default 60000 */
  idleMs: number;
  /**
   * The maximum size of a request's target and, with `listener: "node"`, of its whole head, in bytes. Deno's
   * listener accepts 64 KiB. Both accept 128 headers. @default 16384
   */
  maxHeaderBytes: number;
}

/** Maximum number of event streams, and of sockets, open at once; one more is a 429. */
export interface OpenLimits {
  /** Of one client: an address, of IPv6 its first 64 bits. @default 64 */
  client: number;
  /** Of one site: a /24 of IPv4, a /48 of IPv6. @default 512 */
  site: number;
  /** In all. @default 10000 */
  all: number;
}

/**
 * The security headers: a value replaces the default, `Off` leaves the header out; a response keeps its own.
 */
export interface SecuritySettings {
  /**
   * The whole `Content-Security-Policy` of HTML; `{nonce}` in it becomes the nonce of the request. @default
   * scripts and styles of the site itself or with the nonce, nothing inline, no plug-ins, no other base,
   * forms to the site itself, no framing
   */
  csp?: string | typeof Off;
  /** More sources by directive, such as `{ "img-src": ["https://cdn.example"] }`. */
  cspExtra?: Readonly<Record<string, readonly string[]>>;
  /** Whether a host sends the headers: the application then writes none of the seven. @default false */
  delegated?: boolean;
  /** Returns the nonce of the host that sends the policy. Without it the application generates its own. */
  nonce?: (request: Request) => string | undefined;
  /** `Strict-Transport-Security`, over HTTPS only. @default "max-age=31536000" */
  strictTransportSecurity?: string | typeof Off;
  /** `X-Frame-Options`: `DENY` or `SAMEORIGIN`, which `frame-ancestors` follows. @default "DENY" */
  frameOptions?: string | typeof Off;
  /** `X-Content-Type-Options`. @default "nosniff" */
  contentTypeOptions?: string | typeof Off;
  /** `Referrer-Policy`. @default "strict-origin-when-cross-origin" */
  referrerPolicy?: string | typeof Off;
  /** `Permissions-Policy`. @default "camera=(), geolocation=(), microphone=()" */
  permissionsPolicy?: string | typeof Off;
  /** `Cross-Origin-Opener-Policy`. @default "same-origin" */
  crossOriginOpenerPolicy?: string | typeof Off;
}

/** Which other sites may call from a browser, and how (the Fetch standard, "CORS protocol"). */
export interface CorsPolicy {
  /** Exact origins such as `https://app.example`, or the single entry `*`; none turns CORS off. */
  origins?: readonly string[];
  /** The methods that other sites may use. @default GET, HEAD, POST, PUT, PATCH, DELETE */
  methods?: readonly string[];
  /** The request headers that they may send. @default Content-Type, Authorization, FW-Fragment, `csrf.header` */
  headers?: readonly string[];
  /** The response headers that they may read. @default none beyond those that are always readable */
  expose?: readonly string[];
  /** Whether browsers send cookies along; not together with the origin `*`. @default false */
  credentials?: boolean;
  /** Time for which a browser may cache the preflight response; 0 omits the header. @default 0 */
  maxAgeSeconds?: number;
}

/** The rate limit of a client, as a token bucket that refills. */
export interface RateLimit {
  /** Requests a second in the long run. */
  rate: number;
  /** Requests at once. */
  burst: number;
  /** Store of the buckets. @default the memory of this process: each replica counts its own share */
  store?: RateLimitStore;
}

/** The store of the clients' token buckets. */
export interface RateLimitStore {
  /**
   * Takes one token from a bucket, whose name is printable ASCII of 100 characters at most.
   *
   * @returns 0 if a token was available, otherwise the milliseconds until the next one.
   */
  take(
    key: string,
    limit: { readonly rate: number; readonly burst: number },
  ): number | Promise<number>;
}

/** The names by which the CSRF token travels; an absent or empty one keeps its default. */
export interface CsrfNames {
  /**
   * The cookie, by exactly this name. @default "fw_csrf", over HTTPS "__Host-fw_csrf"; below a base path
   * "fw_csrf.shop" and "__Secure-fw_csrf.shop"
   */
  cookie?: string;
  /** The form field. @default "_csrf" */
  field?: string;
  /** The request header. @default "X-CSRF-Token" */
  header?: string;
}
