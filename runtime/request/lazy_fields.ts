import type { Logger } from "../base/logger.ts";
import type { Client } from "../base/services.ts";
import type { RequestBody } from "../body/body.ts";
import type { MatchedRoute } from "./shared.ts";

/** What few requests touch: apart, so that the context of the others stays small (`bench/http`). */
export class RareFields {
  /** The request as handlers see it. */
  guarded: Request | undefined = undefined;
  /** The body, once something has asked for it. */
  body: RequestBody | undefined = undefined;
  /** The parsed URL. */
  url: URL | undefined = undefined;
  /** The parsed query. */
  search: URLSearchParams | undefined = undefined;
  /** The header `Cookie`, `""` for none. */
  cookies: string | undefined = undefined;
  /** What `c.set` keeps. */
  values: Map<unknown, unknown> | undefined = undefined;
  /** The logger with the ids of the request. */
  log: Logger | undefined = undefined;
  /** The signal, as handlers see it. */
  signal: AbortSignal | undefined = undefined;
  /** What aborts the framework's own signal. */
  controller: AbortController | undefined = undefined;
  /** The staged answer that waits to be handed out. */
  staged: Response | undefined = undefined;
  /** Whether an answer was staged. */
  isWritten = false;
  /** Who sent the request. */
  client: Client | undefined = undefined;
  /** The route that was asked for, of a request that is refused before it. */
  refusedRoute: MatchedRoute | undefined = undefined;
  /** Origins besides its own to which the page may send forms. */
  formActions: readonly string[] | undefined = undefined;
  /** Whether the handler must answer in time. */
  hasWriteDeadline = true;
}
