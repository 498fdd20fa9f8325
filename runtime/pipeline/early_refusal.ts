import { type HttpError, httpError } from "../base/errors/errors.ts";
import type { SecurityEvents } from "../base/observe/events.ts";
import { preferredFormat } from "../base/headers.ts";
import { type ErrorPages, renderOwnPage, renderProblem } from "../render/error_pages.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Outcome } from "./outcome.ts";

/** The refusals before any code of the application runs. */
export interface Refusals {
  /**
   * Responds with 400 or 414 to a request whose target is malformed or too long. The application might parse
   * the URL, which throws for some of these.
   *
   * @param url The URL as the server gave it; the context has another.
   */
  target(c: Exchange, url: string): Response | Promise<Response>;
  /** Responds with 400 to a request for a host that is not allowed: no page may build on it. */
  host(c: Exchange): Response | Promise<Response>;
}

/** Creates the refusals, with the framework's own text. */
export function createRefusals(
  parts: {
    readonly errorPages: ErrorPages;
    readonly events: SecurityEvents;
    readonly maxTargetChars: number;
  },
  { finish, lastResort }: Outcome,
): Refusals {
  const { errorPages, events, maxTargetChars } = parts;
  const refuse = (c: Exchange, error: HttpError): Response | Promise<Response> => {
    c.header("vary", "Accept");
    // Not c.request: to guard a body it would parse the URL.
    const isJson = preferredFormat(c.headers.get("accept")) === "json";
    try {
      const response = isJson
        ? renderProblem(c, error, errorPages)
        : renderOwnPage(c, error, { hasReload: false });
      return finish(c, response);
    } catch (inner) {
      return lastResort(c, inner);
    }
  };
  return {
    target: (c, url) => {
      const error = url.length > maxTargetChars
        ? httpError(414, "the request's URL is too long", { code: "target_too_long" })
        : httpError(400, "the request's host or path is malformed", { code: "bad_target" });
      const { status, code } = error;
      c.log.debug("request refused", { status, code, method: c.method });
      return refuse(c, error);
    },
    host: (c) => {
      events.report(c, "host");
      const hint = c.env === "dev" ? ": add it to config.allowedHosts (FW_ALLOWED_HOSTS)" : "";
      const message = `this host is not served here${hint}`;
      return refuse(c, httpError(400, message, { code: "host_not_allowed" }));
    },
  };
}
