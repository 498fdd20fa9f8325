import type {
  CorsPolicy,
  CsrfNames,
  ObservabilitySettings,
  Off,
  OpenLimits,
  RateLimit,
  SecuritySettings,
  Timeouts,
} from "../config/settings.ts";
import type { Env, Variables } from "../env.ts";
import type { FileSource, MountSettings } from "../file_source.ts";
import type { SecurityEvent } from "../observe/events.ts";
import type { Logger } from "../observe/logger.ts";
import type { Ctx } from "./ctx.ts";
import type { BodyLimits } from "./input.ts";

/**
 * The settings of an application: `configFromEnv` fills them from the environment, `Config` of `setup.ts`
 * changes them, and the first request freezes them.
 */
export interface Config {
  /**
   * Values that win over the variables of the environment, such as `{ EVENTS_DB: ":memory:" }` in a test; an
   * empty one hides the environment's. {@link variable} reads them. @default {}
   */
  variables: Variables;
  /** Address of `listenAndServe`; variables `ADDR` and `PORT`. @default ":3000" */
  addr: string;
  /**
   * Server implementation: Deno's own, or `node:http`, which also bounds the time of a request's head, of an
   * idle connection and of a client that does not read, at about four times the cost. @default "deno"
   */
  listener: "deno" | "node";
  /**
   * Whether several processes of one user may share the port (Linux); variable `FW_REUSE_PORT` (`on`,
   * `off`). Deno needs `--unstable-net` for it. @default false
   */
  reusePort: boolean;
  /**
   * Whether Deno's listener compresses text of 64 bytes or more with brotli or gzip, as the client accepts
   * it. `Cache-Control: no-transform` and `listener: "node"` leave responses as they are, and so do
   * `app.handler()` and `app.fetch`. @default true
   */
  compress: boolean;
  /** The environment: development or production; variable `FW_ENV`. @default "prod" */
  env: Env;
  /** Receives the log. @default JSON lines in production, text in development */
  logger: Logger | undefined;
  /**
   * The static files that are served at the root: a folder, which production indexes at boot, or a {@link
   * FileSource}. A file wins over a route with parameters, never over a literal one. @default `public/`
   * beside the application
   */
  public: string | URL | FileSource | undefined;
  /**
   * Static files below URL prefixes such as `/uploads`: folders or {@link FileSource}s, the longest prefix
   * first; a file missing there is looked up in `public`. With `{ from, index: true }` a path that ends in a
   * slash serves the `index.html` below it. @default none
   */
  mounts: Readonly<Record<string, string | URL | FileSource | MountSettings>>;
  /**
   * The `Cache-Control` of static files in production; a URL with the file's fingerprint (`c.asset`) is
   * `immutable` for a year. Development sends `no-cache`. @default "public, max-age=0, must-revalidate"
   */
  staticCacheControl: string | undefined;
  /**
   * Changes the headers of a static file; `name` is its URL path without the leading slash. Production calls
   * it once for each encoding of a file. `ETag`, `Content-Length` and `Content-Encoding` are set afterwards.
   */
  staticHeaders: ((name: string, headers: Headers) => void) | undefined;
  /** The URL prefix of the application; variable `FW_BASE_PATH`. @default "" */
  basePath: string;
  /** Timeouts of the server. */
  timeouts: Timeouts;
  /** The maximum size of a request body, unless `c.allowBody` overrides it. @default 1048576 (1 MiB) */
  maxBodyBytes: number;
  /** Limits on the content of a body. */
  bodyLimits: BodyLimits;
  /** Limits of open event streams and sockets. */
  openLimits: OpenLimits;
  /**
   * The folder in which uploads wait for the end of their request. @default the system's temporary folder;
   * `.fw/spool` if Deno may write there but not everywhere
   */
  spoolDir: string | undefined;
  /**
   * Decides whether a completed request is logged; a 5xx always is. Health probes and metrics scrapes are
   * logged at debug level. `"all"` also logs requests without a route, so any client can fill the log.
   * @default every request that matched a route; development adds the others at the level `debug`
   */
  logRequest:
    | ((c: Ctx, status: number, durationMs: number) => boolean)
    | "all"
    | typeof Off
    | undefined;
  /** `Off` leaves the reload script of `fw dev` out of pages; variable `FW_DEV_RELOAD=off`. */
  devReload: typeof Off | undefined;
  /**
   * Key that signs cookies, 32 bytes or more (a string counts as UTF-8); variable `FW_SECRET`. @default
   * none; development generates one for each process
   */
  secret: string | Uint8Array | undefined;
  /** The secret that is being rotated out, which only verifies; variable `FW_SECRET_PREVIOUS`. */
  previousSecret: string | Uint8Array | undefined;
  /** The names of the CSRF cookie, form field and header. */
  csrf: CsrfNames;
  /** Whether the routes of `route.ts` files check the CSRF token regardless of their kind. @default false */
  csrfForApi: boolean;
  /** The security headers. */
  security: SecuritySettings;
  /**
   * The proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed, as addresses or CIDRs;
   * variable `FW_TRUSTED_PROXIES`. @default none
   */
  trustedProxies: readonly string[];
  /**
   * The origin under which browsers reach the application, such as `https://example.org`; variable
   * `FW_ORIGIN`. `c.url` and the links of mails begin with it, and forms and WebSockets of its pages pass
   * whatever `Host` a proxy forwards. In production, cookies of an `https` origin are `Secure`, and HSTS is
   * sent.
   * @default the origin of the request
   */
  publicOrigin: string | undefined;
  /** The time zone of readers whose own is unknown, such as `Europe/Lisbon`. @default "UTC" */
  zone: string;
  /**
   * The hosts under which the application may be called, such as `*.example.com`; variable
   * `FW_ALLOWED_HOSTS`. @default any
   */
  allowedHosts: readonly string[];
  /** Which other sites may call from a browser. @default none */
  cors: CorsPolicy;
  /** Rate limit of one client, over all routes and files. @default no limit */
  rateLimit: RateLimit | undefined;
  /** Called for every security event, after its log line; a failure in it is logged. */
  onSecurityEvent: ((event: SecurityEvent) => void | Promise<void>) | undefined;
  /** Settings of the health probes and the metrics. */
  observability: ObservabilitySettings;
  /** Returns the `type` of a problem document for its status. @default "about:blank" */
  problemType: ((status: number) => string | undefined) | undefined;
  /**
   * The application's messages of validation rules, by the keys of `validationMessages`;
   * `validationMessagesPtBr` has them all in Portuguese. @default those of the process
   */
  validationMessages: Readonly<Record<string, string>> | undefined;
  /**
   * The application's words of the component kit, by the keys of `ui.labels`; `ui.labelsPtBr` has them all
   * in Portuguese. @default those of the process
   */
  labels: Readonly<Record<string, string>> | undefined;
  /**
   * The languages of the application as tags (BCP 47), such as `["en", "pt-PT"]`. Each request gets one of
   * them as `c.language`: from its path (`languagePrefix`), the cookie `fw_lang` or `Accept-Language` (RFC
   * 4647, lookup), else the first. All texts of the framework use it. @default none: `c.language` is always
   * "en"
   */
  languages: readonly string[];
  /**
   * Whether each route is also served below a language prefix, such as `/pt-PT/events`; `c.href` and `href`
   * then keep the language of the request. @default false
   */
  languagePrefix: boolean;
  /**
   * Overrides of the framework's texts by language (built in: English, European and Brazilian Portuguese).
   * `validationMessages` and `labels` then apply to the first language only. @default none
   */
  languageTexts: Readonly<Record<string, LanguageTexts>>;
}

/** The framework's texts in one language; absent ones keep the framework's words. */
export interface LanguageTexts {
  /** The messages of validation rules, by the keys of `validationMessages`. */
  readonly validationMessages?: Readonly<Record<string, string>>;
  /** The words of the component kit, by the keys of `ui.labels`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Texts of the error pages: a status such as `404` is the heading, `404.text` the sentence below it. */
  readonly errorPages?: Readonly<Record<string, string>>;
}

/** The settings of an application that differ from the defaults. */
export type Settings =
  & Partial<Omit<Config, "timeouts" | "bodyLimits" | "openLimits" | "observability">>
  & {
    /** Timeouts of the server. */
    readonly timeouts?: Partial<Timeouts>;
    /** Limits on the content of a body. */
    readonly bodyLimits?: Partial<BodyLimits>;
    /** Limits of open event streams and sockets. */
    readonly openLimits?: Partial<OpenLimits>;
    /** Settings of the health probes and the metrics. */
    readonly observability?: Partial<ObservabilitySettings>;
  };
