import type { Logger } from "../base/observe/logger.ts";
import type { Services } from "../base/ctx/services.ts";
import type { Application } from "../base/ctx/application.ts";
import type { Env } from "../base/env.ts";
import type { Languages } from "../i18n/languages.ts";
import type { BodySettings } from "../body/body.ts";
import type { CorsHeaders, DefaultHeaderSets } from "./default_headers.ts";
import type { Exchange } from "./exchange.ts";
import type { StreamRegistry } from "./sse/registry.ts";

/** The state that all requests to one application share, created once at boot. */
export interface Shared {
  /** The application. */
  readonly app: Application;
  /** Where it runs. */
  readonly env: Env;
  /** Its folder in development, whose sources error pages show; `undefined` in production. */
  readonly appDir: string | undefined;
  /** Its URL prefix. */
  readonly base: string;
  /** Its logger. */
  readonly log: Logger;
  /** What is done by layers above. */
  readonly services: Services<Exchange>;
  /** The signals that were handed out for requests in flight. */
  readonly signals: Set<AbortController>;
  /** How bodies are read. */
  readonly bodies: BodySettings;
  /** The streams that are open. */
  readonly streams: StreamRegistry;
  /** The id of the trace that Deno began; absent where it does not trace. */
  readonly activeTraceId: (() => string | undefined) | undefined;
  /** The default headers of responses. */
  readonly defaults: DefaultHeaderSets;
  /** The headers that the application's CORS policy adds to responses. */
  readonly corsHeaders: CorsHeaders | undefined;
  /** The languages of the application; `undefined` where it lists none. */
  readonly languages: Languages | undefined;
  /** Whether some proxies are believed. */
  readonly trustsProxies: boolean;
  /** Whether the framework's own listener, which has no TLS, receives the requests. */
  readonly isListening: boolean;
}

/**
 * One request of this process itself: of a test, or of a static export. It is passed in place of the server's
 * connection info, so no client can impersonate it: client data is never an object of this process.
 */
export class ProcessConnection implements Deno.ServeHandlerInfo {
  /** The address that the request seems to come from. */
  readonly remoteAddr: Deno.Addr;
  /** The response stays in this process. */
  readonly completed: Promise<void> = Promise.resolve();

  constructor(remoteAddr: Deno.Addr) {
    this.remoteAddr = remoteAddr;
  }
}

/** One request of a static export. */
export class ExportConnection extends ProcessConnection {
  /** The error that produced the response, or `undefined`. */
  error: unknown = undefined;

  constructor() {
    // No address: what asks for one fails closed.
    super({ transport: "unix", path: "" });
  }
}
