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

export function listenDeno(options: {
  readonly address: ListenAddress;
  readonly pipeline: Pipeline;
  readonly compress: boolean;
  readonly reusePort: boolean;
  readonly onError: (error: unknown) => void;
}): HttpListener {
  const { address, pipeline, compress, reusePort, onError } = options;
  // Without the flag Deno would end the process; this function exists only with it.
  if (reusePort && !("listenDatagram" in Deno)) {
    throw new TypeError(
      'Cannot share the port: run Deno with --unstable-net, or write "unstable": ["net"] in deno.json.',
    );
  }
  const server = Deno.serve({
    hostname: address.hostname,
    port: address.port,
    automaticCompression: compress,
    reusePort,
    onListen: () => {},
    onError: (error) => {
      onError(error);
      return new Response("Internal Server Error", { status: 500 });
    },
  }, pipeline);
  const { hostname, port } = server.addr;
  const { finished } = server;
  return { hostname, port, finished, shutdown: () => server.shutdown() };
}

/** The maximum head limit that `node:http` accepts, in bytes. */
export const maxNodeHeaderBytes = 1_048_576;
