import type { Logger } from "./logger.ts";

/** The kind of a blocked request: a forged form, a sign-in, a body, a flood, a failure, a foreign host. */
export type SecurityEventKind = "csrf" | "auth" | "body" | "rate" | "panic" | "host";

export const securityEventKinds: readonly SecurityEventKind[] = [
  "csrf",
  "auth",
  "body",
  "rate",
  "panic",
  "host",
];

/** A blocked request, or a failure in the application. */
export interface SecurityEvent {
  /** Kind of the event. */
  readonly kind: SecurityEventKind;
  /** The client's address, where it is known. */
  readonly ip: string | undefined;
  /** The request's path as it was sent, with `{name}` in place of a parameter whose name looks secret. */
  readonly path: string;
  /** The request's id. */
  readonly requestId: string;
  /** The cause in one word, if the reporter set it. */
  readonly reason: string | undefined;
}

/** The request that an event is about: a `Ctx`. */
export interface SecuritySubject {
  /** The request's id. */
  readonly requestId: string;
  /** A logger whose lines carry the request's id. */
  readonly log: Logger;
}

/** Receives reports of blocked requests: `app.security`. */
export interface Security {
  /** Writes the log line `security`, with a `reason` in one word, and calls `config.onSecurityEvent`. */
  report(c: SecuritySubject, kind: SecurityEventKind, options?: { readonly reason?: string }): void;
}

/** Receives every event with the request that caused it. */
export type SecurityListener = (event: SecurityEvent, c: SecuritySubject) => void | Promise<void>;

/** Dispatches events to its listeners in order; a failing listener does not affect the others. */
export class SecurityEvents implements Security {
  readonly #locate: (c: SecuritySubject) => Pick<SecurityEvent, "ip" | "path">;
  readonly #listeners: SecurityListener[] = [];
  readonly #refused = new WeakSet<SecuritySubject>();

  /** @param locate Returns the client's address and the path of a request. */
  constructor(locate: (c: SecuritySubject) => Pick<SecurityEvent, "ip" | "path">) {
    this.#locate = locate;
  }

  subscribe(listener: SecurityListener): void {
    this.#listeners.push(listener);
  }

  /** Reports a response with 401 or 403, unless the refusal was already reported where it happened. */
  reportRefusal(c: SecuritySubject, status: number): void {
    if (!this.#refused.has(c)) this.report(c, "auth", { reason: String(status) });
  }

  report(
    c: SecuritySubject,
    kind: SecurityEventKind,
    options: { readonly reason?: string } = {},
  ): void {
    const { reason } = options;
    if (kind === "auth" || kind === "csrf") this.#refused.add(c);
    const { ip, path } = this.#locate(c);
    const event: SecurityEvent = { kind, ip, path, requestId: c.requestId, reason };
    for (const listener of this.#listeners) {
      Promise.try(listener, event, c)
        .catch((error) => c.log.error("a security event listener failed", { error }));
    }
  }
}
