/** Options of `app.handler`. */
export interface HandlerOptions {
  /** Answers what no route and no file of the application matches. */
  readonly next?: (request: Request, info?: Deno.ServeHandlerInfo) => Response | Promise<Response>;
}

/** A fetch handler, as hosts take it. */
export type FetchHandler = (request: Request, info?: Deno.ServeHandlerInfo) => Promise<Response>;
