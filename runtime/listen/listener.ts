import type { Application } from "../base/ctx/application.ts";
import type { ListenAddress } from "../base/env.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";

export interface HttpListener {
  readonly hostname: string;
  readonly port: number;
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
  const serve = (at: number): Deno.HttpServer<Deno.NetAddr> =>
    Deno.serve({
      hostname,
      port: at,
      automaticCompression: compress,
      reusePort,
      onListen: () => {},
      onError: (error) => {
        reportUnhandled(app, error);
        return new Response("Internal Server Error", { status: 500 });
      },
    }, pipeline);
  let server = serve(port);
  const { addr } = server;
  let isClosing = false;
  /** Listens again after Deno gave up the port, which it does while no file can be opened. */
  const keepServing = async (): Promise<void> => {
    for (let serving = server.finished;;) {
      try {
        return await serving;
      } catch (error) {
        // Another process took the port meanwhile, and may keep it.
        if (error instanceof Deno.errors.AddrInUse) throw error;
        const fix = "raise the limit of open files, LimitNOFILE of systemd";
        app.log.error("no connection can be accepted", { error, fix });
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
      if (isClosing) return;
      serving = Promise.try(() => (server = serve(addr.port)).finished);
    }
  };
  return {
    ...addr,
    finished: keepServing(),
    shutdown: () => {
      isClosing = true;
      return server.shutdown();
    },
  };
}

/** The pause before listening again, in milliseconds. */
const retryMs = 500;

/** The maximum head limit that `node:http` accepts, in bytes. */
export const maxNodeHeaderBytes = 1_048_576;

/**
 * The number of checks without a request (at least 200 ms) after which the clients are considered gone. Time
 * alone is not enough: on an overloaded machine it passes while requests wait to be read.
 */
const quietChecks = 10;

/** The maximum time that responses are held back while the listener closes, in milliseconds. */
const maxHoldMs = 1_000;
const checkMs = 20;

/** Makes the clients of a server go elsewhere before it closes. */
interface Drain {
  /** Handles requests, and asks clients to reconnect during the drain. */
  readonly pipeline: Pipeline;
  /**
   * Responds with `Connection: close`, first until the requests with a body have their responses, then until no
   * more requests arrive, or the time is up. Then responses are held back, because the connection of a client
   * that reconnects while the listener closes would be lost.
   */
  run(times: { readonly drainMs: number; readonly shutdownMs: number }): Promise<void>;
  release(): void;
}

export function createDrain(pipeline: Pipeline): Drain {
  let isDraining = false;
  let activeCount = 0;
  let arrivedCount = 0;
  let held: PromiseWithResolvers<void> | undefined;
  // Deno's listener reads no more of a body once it closes.
  const sending = new Set<Promise<Response>>();
  const answer: Pipeline = (request, info) => {
    const response = pipeline(request, info);
    if (request.method === "GET" || !(response instanceof Promise)) return response;
    sending.add(response);
    const remove = (): boolean => sending.delete(response);
    response.then(remove, remove);
    return response;
  };
  const answerLast: Pipeline = async (request, info) => {
    arrivedCount++;
    activeCount++;
    try {
      const response = await answer(request, info);
      await held?.promise;
      return withClose(response);
    } finally {
      activeCount--;
    }
  };
  /** Waits until no more requests arrive; returns whether that was in time. */
  const becomesQuiet = async (maxMs: number): Promise<boolean> => {
    const endMs = performance.now() + maxMs;
    let seen = arrivedCount;
    for (let checks = 0;;) {
      // While responses are held back, those requests do not end.
      const isQuiet = arrivedCount === seen && (held !== undefined || activeCount === 0);
      seen = arrivedCount;
      checks = isQuiet ? checks + 1 : 0;
      if (checks > quietChecks || performance.now() >= endMs) return checks > quietChecks;
      await new Promise((resolve) => setTimeout(resolve, checkMs));
    }
  };
  return {
    // Counting and timing start with the drain, because every request pays for them.
    pipeline: (request, info) => isDraining ? answerLast(request, info) : answer(request, info),
    run: async ({ drainMs, shutdownMs }) => {
      isDraining = true;
      await endsWithin(Promise.allSettled(sending), shutdownMs);
      if (drainMs === 0 || await becomesQuiet(drainMs)) return;
      held = Promise.withResolvers();
      await becomesQuiet(maxHoldMs);
    },
    release: () => held?.resolve(),
  };
}

export async function endsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<"late">();
  const timer = Number.isFinite(ms) ? setTimeout(() => late.resolve("late"), ms) : undefined;
  try {
    return await Promise.race([work, late.promise]) !== "late";
  } finally {
    clearTimeout(timer);
  }
}

/** Returns a response after which the client closes the connection. */
function withClose(response: Response): Response {
  // An upgrade keeps its connection, and a body that is being read cannot be transferred.
  if (response.status === 101 || response.body?.locked === true) return response;
  const last = new Response(response.body, response);
  last.headers.set("connection", "close");
  return last;
}
