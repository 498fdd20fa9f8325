import type { Application } from "../base/ctx/application.ts";
import type { ListenAddress } from "../base/env.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";

export interface HttpListener {
  readonly hostname: string;
  readonly port: number;
  /** Settles when everything has ended. */
  readonly finished: Promise<void>;
  /** Stops accepting connections and waits for the requests in flight, without a limit. */
  shutdown(): Promise<void>;
}

/** Logs an unexpected error: the pipeline handles every error itself. */
export function reportUnhandled({ log }: Application, error: unknown): void {
  log.error("the server failed to respond", { error });
}

export function listenDeno(
  app: Application,
  { hostname, port }: ListenAddress,
  pipeline: Pipeline,
): HttpListener {
  const { compress, reusePort } = app.config;
  // Without the flag Deno would end the process; this function exists only with it.
  if (reusePort && !("listenDatagram" in Deno)) {
    throw new TypeError(
      'Cannot share the port: run Deno with --unstable-net, or write "unstable": ["net"] in deno.json.',
    );
  }
  const server = Deno.serve({
    hostname,
    port,
    automaticCompression: compress,
    reusePort,
    onListen: () => {},
    onError: (error) => {
      reportUnhandled(app, error);
      return new Response("Internal Server Error", { status: 500 });
    },
  }, pipeline);
  const { addr, finished } = server;
  return { ...addr, finished, shutdown: () => server.shutdown() };
}

/** The maximum head limit that `node:http` accepts, in bytes. */
export const maxNodeHeaderBytes = 1_048_576;
