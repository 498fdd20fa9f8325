/** Turns a setting off; leaving the setting out means its default. */
export const Off: unique symbol = Symbol.for("fw.Off");

/** Disables a deadline. */
export const NoTimeout: number = Infinity;

/** The server's timeouts in milliseconds; {@link NoTimeout} disables one. */
export interface Timeouts {
  /**
   * How long the server keeps serving after SIGINT or SIGTERM, with a failing readiness probe and
   * `Connection: close`; it ends earlier after 200 ms without a request. 0 disables it. @default 2000
   */
  drainMs: number;
  /** Time for uploads before the drain, for requests in flight after it, and for `Shutdown`. @default 5000 */
  shutdownMs: number;
  /**
   * The maximum time between two bytes of a request body. A body that takes longer also needs the average
   * rate `bodyLimits.minBytesPerSecond`. With `listener: "node"` also the timeout of the head. @default 60000
   */
  readMs: number;
  /**
   * The handler timeout, without the time spent reading the body: the client gets 503. It does not limit a
   * stream. With `listener: "node"` it is also how long a client may stall while it receives. @default 60000
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

/** Maximum number of event streams, and of sockets, open at once; further ones get 429. */
export interface OpenLimits {
  /** Per client: an IPv4 address, or the first 64 bits of an IPv6 address. @default 64 */
  client: number;
  /** Per site: a /24 of IPv4, a /48 of IPv6. @default 512 */
  site: number;
  /** In total. @default 10000 */
  all: number;
}

/** The security headers: a value replaces the default, `Off` omits the header; a response keeps its own. */
export interface SecuritySettings {
  /**
   * The whole `Content-Security-Policy` of HTML; `{nonce}` in it becomes the nonce of the request. @default
   * scripts and styles of the site itself or with the nonce, nothing inline, no plug-ins, no other base,
   * forms to the site itself, no framing
   */
  csp?: string | typeof Off;
  /** More sources by directive, such as `{ "img-src": ["https://cdn.example"] }`. */
  cspExtra?: Readonly<Record<string, readonly string[]>>;
  /** Whether the host sends these seven headers, so that the application does not. @default false */
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
  /** Headers that other sites may send. @default Content-Type, Authorization, FW-Fragment, `csrf.header` */
  headers?: readonly string[];
  /** The response headers that other sites may read. @default none beyond those that are always readable */
  expose?: readonly string[];
  /** Whether browsers send cookies along; not together with the origin `*`. @default false */
  credentials?: boolean;
  /** Time for which a browser may cache the preflight response; 0 omits the header. @default 0 */
  maxAgeSeconds?: number;
}

/** The rate limit of a client, as a token bucket that refills. */
export interface RateLimit {
  /** The sustained rate, in requests per second. */
  rate: number;
  /** The burst size, in requests. */
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

/** The names of the CSRF cookie, form field and header; an absent or empty one keeps its default. */
export interface CsrfNames {
  /**
   * The name of the cookie, used exactly as given. @default "fw_csrf", over HTTPS "__Host-fw_csrf"; below a
   * base path "fw_csrf.shop" and "__Secure-fw_csrf.shop"
   */
  cookie?: string;
  /** The form field. @default "_csrf" */
  field?: string;
  /** The request header. @default "X-CSRF-Token" */
  header?: string;
}

/** Settings of the health probes and the metrics. */
export interface ObservabilitySettings {
  /**
   * The path of the probes: `/live` and `/ready` below it, and readiness at the path itself. `Off` omits
   * them. @default "/_fw/health"
   */
  health: string | typeof Off;
  /**
   * The path at which Prometheus reads the metrics; variable `FW_METRICS`. Without it, requests are not
   * measured. @default none
   */
  metrics: string | undefined;
  /**
   * The token that grants access to details and metrics as `Authorization: Bearer <token>`: 32 characters or
   * more; variable `FW_OBS_TOKEN`. @default none
   */
  token: string | undefined;
  /**
   * The clients that need no token, as addresses or CIDRs; variable `FW_OBS_TRUSTED`. They must reach the
   * application directly, or through `trustedProxies`, and ask for an address, `localhost` or a name in
   * `allowedHosts`. @default none
   */
  trusted: readonly string[];
  /**
   * The clients that see which check failed and why; `Off` hides it from all of them. @default all clients in
   * development, authorised clients in production
   */
  details: typeof Off | undefined;
  /** Timeout of a check, in milliseconds; `NoTimeout` disables it. @default 2000 */
  timeoutMs: number;
  /** Lifetime of a readiness result, in milliseconds; 0 or `NoTimeout` checks each time. @default 1000 */
  cacheForMs: number;
  /** Maximum number of series of a metric. @default 1000 */
  maxSeries: number;
  /**
   * The folder that keeps requests answered with a 5xx, so that `fw incident` can write a test of them;
   * variable `FW_INCIDENTS`. Cookies, authorization, tokens and fields that look secret are left out. The
   * process needs `--allow-read` and `--allow-write` for it. @default none
   */
  incidents: string | undefined;
}
