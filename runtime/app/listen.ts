import { devPeerHeader, devReadyVariable } from "../base/conventions.ts";
import { type ListenAddress, parseAddress, readVariable } from "../base/env.ts";
import { flushLines } from "../base/log_sink.ts";
import type { Application } from "../base/types.ts";
import type { Pipeline } from "./pipeline.ts";

/** A server that listens. */
export interface Serving {
  /**
   * Takes no more requests and waits for those in flight, `timeouts.shutdownMs` at most.
   *
   * @param beforeEnd Runs when the time is up, before what is left is cut off.
   */
  stop(beforeEnd: () => void): Promise<void>;
}

/** What {@link serveUntilStopped} needs of the application beside its public members. */
export interface ServeOptions {
  /** Answers a request. */
  readonly pipeline: Pipeline;
  /** Takes the server once it listens. */
  readonly onServing: (serving: Serving) => void;
  /** Stops the application; called on a signal. */
  readonly shutdown: () => Promise<void>;
}

/** Listens, serves, and comes back when the application was shut down. */
export async function serveUntilStopped(app: Application, options: ServeOptions): Promise<void> {
  const ready = readVariable(devReadyVariable);
  const supervisor = ready === undefined ? undefined : parseReady(ready);
  const address = supervisor === undefined
    ? parseAddress(app.config.addr)
    : { hostname: "127.0.0.1", port: 0 };
  const pipeline = supervisor === undefined
    ? options.pipeline
    : takePeer(options.pipeline, supervisor.token);
  const server = listen(app, { address, pipeline, isQuiet: supervisor !== undefined });
  options.onServing({ stop: (beforeEnd) => stopServer(app, { server, beforeEnd }) });
  const unhook = onStopSignals(() => {
    options.shutdown().catch((error) => {
      app.log.error("shutdown failed", { error });
      flushLines();
      Deno.exit(1);
    });
  });
  if (supervisor !== undefined) await reportReady(supervisor, server.addr.port);
  try {
    await server.finished;
    // `finished` comes before the application's own Shutdown has run.
    await options.shutdown();
  } finally {
    unhook();
    flushLines();
  }
}

function listen(
  app: Application,
  options: {
    readonly address: ListenAddress;
    readonly pipeline: Pipeline;
    readonly isQuiet: boolean;
  },
): Deno.HttpServer<Deno.NetAddr> {
  const { address, pipeline, isQuiet } = options;
  try {
    return Deno.serve({
      hostname: address.hostname,
      port: address.port,
      onListen: ({ hostname, port }) => {
        if (!isQuiet) app.log.info("listening", { url: urlOf({ hostname, port }), env: app.env });
      },
      onError: (error) => {
        // Nothing gets here: the pipeline answers every error itself. Should it, say so.
        app.log.error("the server failed to answer", { error });
        return new Response("Internal Server Error", { status: 500 });
      },
    }, pipeline);
  } catch (error) {
    throw explainListenError(error, app.config.addr);
  }
}

function urlOf(address: ListenAddress): string {
  const { hostname, port } = address;
  const host = hostname === "0.0.0.0" || hostname === "::" ? "localhost" : hostname;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/`;
}

function explainListenError(error: unknown, addr: string): unknown {
  if (error instanceof Deno.errors.AddrInUse) {
    return new Error(
      `Cannot listen on "${addr}": another program uses that port. Stop it, or set PORT or ADDR to a free one.`,
      { cause: error },
    );
  }
  if (error instanceof Deno.errors.AddrNotAvailable) {
    return new Error(
      `Cannot listen on "${addr}": this machine has no such address. Set ADDR, for example to ":3000".`,
      { cause: error },
    );
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return new Error(
      `Cannot listen on "${addr}": the system does not allow it. Ports below 1024 need more rights; set PORT.`,
      { cause: error },
    );
  }
  if (error instanceof Deno.errors.NotCapable) {
    return new Error(
      `Cannot listen on "${addr}": Deno was not allowed to. Add --allow-net=${
        parseAddress(addr).hostname
      }.`,
      { cause: error },
    );
  }
  return error;
}

async function stopServer(
  app: Application,
  options: { readonly server: Deno.HttpServer; readonly beforeEnd: () => void },
): Promise<void> {
  const { server, beforeEnd } = options;
  const { shutdownMs } = app.config.timeouts;
  const stopped = server.shutdown();
  if (!Number.isFinite(shutdownMs)) return await stopped;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), shutdownMs);
  });
  const outcome = await Promise.race([stopped, late]);
  clearTimeout(timer);
  if (outcome !== "late") return;
  beforeEnd();
  app.log.warn("requests were cut off at shutdown", { waited_ms: shutdownMs });
}

/** Calls back on the signals that ask a server to stop; a second one ends the process at once. */
function onStopSignals(stop: () => void): () => void {
  const signals: Deno.Signal[] = Deno.build.os === "windows"
    ? ["SIGINT", "SIGBREAK"]
    : ["SIGINT", "SIGTERM"];
  let isStopping = false;
  const listener = (): void => {
    if (isStopping) {
      flushLines();
      Deno.exit(130);
    }
    isStopping = true;
    stop();
  };
  for (const signal of signals) Deno.addSignalListener(signal, listener);
  return () => {
    for (const signal of signals) Deno.removeSignalListener(signal, listener);
  };
}

/** The development server that started this process. */
interface Supervisor {
  readonly port: number;
  readonly token: string;
}

function parseReady(text: string): Supervisor {
  const match = /^127\.0\.0\.1:(\d{1,5})\/([A-Za-z0-9_-]+)$/.exec(text);
  if (match === null) {
    throw new TypeError(`Cannot report to "${text}": ${devReadyVariable} is for the dev command.`);
  }
  return { port: Number(match[1]), token: match[2] ?? "" };
}

/** Tells the development server the port, and ends with it: nothing may be left running. */
async function reportReady(supervisor: Supervisor, port: number): Promise<void> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: supervisor.port });
  await connection.write(new TextEncoder().encode(`${supervisor.token} ${port}\n`));
  const ended = connection.read(new Uint8Array(1));
  ended.catch(() => null).then(() => {
    flushLines();
    Deno.exit(0);
  });
}

/** Puts the browser's address, which the development server hands over, where the socket's was. */
function takePeer(pipeline: Pipeline, token: string): Pipeline {
  return (request, info) => {
    const [given, hostname, port] = request.headers.get(devPeerHeader)?.split(" ") ?? [];
    if (given !== token || hostname === undefined || info === undefined) {
      return pipeline(request, info);
    }
    const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname, port: Number(port) };
    return pipeline(request, { remoteAddr, completed: info.completed });
  };
}
