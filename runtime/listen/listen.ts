import { defaultConfig } from "../base/config/config.ts";
import { type ListenAddress, parseAddress, readVariable } from "../base/env.ts";
import { batchLines, flushLines } from "../telemetry/log_sink.ts";
import { permissionFix, showThrown } from "../base/diagnose/error_text.ts";
import type { Application } from "../base/ctx/application.ts";
import {
  createDrain,
  endsWithin,
  type HttpListener,
  listenDeno,
  maxNodeHeaderBytes,
} from "./listener.ts";
import { keepSweeping } from "../body/deadline.ts";
import type { Pipeline } from "../pipeline/pipeline.ts";
import { devPeerHeader, devReadyVariable } from "../base/conventions.ts";
import { equalSecrets } from "../base/crypto.ts";
import { nodeCrypto } from "../base/node.ts";
import { onStopSignals } from "../base/stop_signals.ts";

export interface Serving {
  /** Drains clients for `timeouts.drainMs` at most; requests are served until {@link Serving.stop}. */
  drain(): Promise<void>;
  /** Stops accepting requests and waits for those in flight, `timeouts.shutdownMs` at most. */
  stop(beforeEnd: () => void): Promise<void>;
}

export async function serveUntilStopped(
  app: Application,
  served: Pipeline,
  onServing: (serving: Serving) => void,
): Promise<void> {
  const parent = await findDevParent();
  const address = parent === undefined
    ? parseAddress(app.config.addr)
    : { hostname: "127.0.0.1", port: 0 };
  const drain = createDrain(parent?.takePeer(served) ?? served);
  const { pipeline } = drain;
  const server = await listen(app, address, pipeline);
  const stopped = Promise.withResolvers<void>();
  let isCutOff = false;
  let isSignalled = false;
  serving++;
  onServing({
    // Skipped in development: there is no balancer, and each change restarts the process.
    drain: () => app.env === "dev" ? Promise.resolve() : drain.run(app.config.timeouts),
    stop: async (beforeEnd) => {
      const closed = server.shutdown();
      // The port is now closed, so later requests go elsewhere.
      drain.release();
      isCutOff = await stopServer(app, closed, beforeEnd);
      stopped.resolve();
    },
  });
  const unhookSignals = onStopSignals((signal) => {
    isSignalled = true;
    if (app.env === "prod") app.log.info("shutting down", { signal });
    // Otherwise a handler that never returns would keep the process alive.
    shutDown(app, () => isCutOff);
  }, (signal, code) => {
    app.log.warn("a second signal ended the process before the shutdown was over", { signal });
    exit(code);
  });
  const unhookFailures = onStrayFailures(app);
  // After the signal handlers, because a program that waits for the line may then send a signal.
  if (parent === undefined) logListening(app, server);
  warnOfHeaderLimit(app);
  const stopSweeping = keepSweeping();
  // An application with a secret signs cookies. Neither its first response nor its first sign-in should wait
  // for the module.
  const idle = AbortSignal.timeout(2_000);
  if (app.config.secret !== undefined) idle.addEventListener("abort", nodeCrypto);
  // Not in development, so that lines are in order with the application's own output.
  const stopBatching = app.env === "prod" ? batchLines() : undefined;
  await parent?.report(server.port);
  try {
    // `finished` never settles if a request was cut off.
    const ended = Promise.race([server.finished, stopped.promise]).catch((error) => {
      throw explainListenError(error, app.config.addr);
    });
    // Either settles before the application's own `Shutdown` has run.
    await ended.finally(() => app.shutdown());
  } finally {
    unhookSignals();
    unhookFailures();
    stopSweeping();
    // Otherwise the signal keeps the process running.
    idle.removeEventListener("abort", nodeCrypto);
    parent?.leave();
    stopBatching?.();
    flushLines();
    serving--;
  }
  // Another application of this process may still wait for its requests.
  if (isSignalled && serving === 0) endSoon(app);
}

function shutDown(app: Application, mustExit: () => boolean): void {
  const startMs = performance.now();
  app.shutdown().then(
    () => {
      const durationMs = Math.round(performance.now() - startMs);
      // In development every change restarts the process.
      if (app.env === "prod") app.log.info("shut down", { duration_ms: durationMs });
      if (mustExit()) exit(0);
    },
    (error) => {
      app.log.error("shutdown failed", { error });
      exit(1);
    },
  );
}

function exit(code?: number): never {
  flushLines();
  Deno.exit(code);
}

let serving = 0;
const lingerMs = 2_000;

/** Ends the process if a resource of the application, such as a timer, would keep it alive. */
function endSoon(app: Application): void {
  const timer = setTimeout(() => {
    if (app.env === "prod") {
      app.log.warn(
        "something was still open after the shutdown, such as a timer: end it in Shutdown of app/setup.ts",
        { waited_ms: lingerMs },
      );
    }
    exit();
  }, lingerMs);
  Deno.unrefTimer(timer);
}

async function listen(
  app: Application,
  address: ListenAddress,
  pipeline: Pipeline,
): Promise<HttpListener> {
  try {
    if (app.config.listener !== "node") return listenDeno(app, address, pipeline);
    // Loaded on use: `node:http` adds 50 ms to a start (`bench/start`).
    const { listenNode } = await import("./node.ts");
    return await listenNode(app, address, pipeline);
  } catch (error) {
    throw explainListenError(error, app.config.addr);
  }
}

function logListening(app: Application, { hostname, port }: HttpListener): void {
  const isEvery = hostname === "0.0.0.0" || hostname === "::";
  const path = app.config.basePath || "/";
  const url = `http://${host(isEvery ? "localhost" : hostname)}:${port}${path}`;
  const addr = `${host(hostname)}:${port}`;
  app.log.info("listening", { url, addr, env: app.env });
}

function warnOfHeaderLimit({ config, log }: Application): void {
  const { listener, timeouts: { maxHeaderBytes } } = config;
  if (listener !== "node" && maxHeaderBytes !== defaultConfig().timeouts.maxHeaderBytes) {
    log.warn(
      "config.timeouts.maxHeaderBytes bounds only the target of a request: Deno's listener accepts heads of up to 64 KiB",
      { fix: 'set config.listener to "node", or the limit in the proxy' },
    );
  }
  if (listener === "node" && maxHeaderBytes > maxNodeHeaderBytes) {
    log.warn(`config.timeouts.maxHeaderBytes has no effect above ${maxNodeHeaderBytes}`, {
      fix: "lower it",
    });
  }
}

function host(hostname: string): string {
  return hostname.includes(":") ? `[${hostname}]` : hostname;
}

function explainListenError(error: unknown, addr: string): unknown {
  // `node:http` has codes where Deno has classes.
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  // Deno reports a failed lookup of a name as a plain error.
  const isFailedLookup = error instanceof Error && /^failed to lookup address/.test(error.message);
  const { AddrInUse, AddrNotAvailable, PermissionDenied, NotCapable } = Deno.errors;
  const reason = error instanceof AddrInUse || code === "EADDRINUSE"
    ? "another program uses that port. Stop it, or set PORT or ADDR to a free one."
    : error instanceof AddrNotAvailable || code === "EADDRNOTAVAIL"
    ? 'this machine has no such address. Set ADDR, for example to ":3000".'
    : error instanceof PermissionDenied || code === "EACCES"
    ? "the system does not allow it. Ports below 1024 need more rights; set PORT."
    : error instanceof NotCapable
    ? `Deno was not allowed to. Add --allow-net=${
      host(parseAddress(addr).hostname)
    } to the start task in deno.json.`
    : code === "ENOTFOUND" || code === "EAI_AGAIN" || isFailedLookup
    ? `no host has the name "${parseAddress(addr).hostname}". Set ADDR, for example to ":3000".`
    : undefined;
  if (reason === undefined) return error;
  return new Error(`Cannot listen on "${addr}": ${reason}`, { cause: error });
}

/** The time that handlers have to end after their signal aborts, in milliseconds. */
const lastWordsMs = 250;

async function stopServer(
  app: Application,
  stopped: Promise<void>,
  beforeEnd: () => void,
): Promise<boolean> {
  const { shutdownMs } = app.config.timeouts;
  if (await endsWithin(stopped, shutdownMs)) return false;
  app.log.warn("requests were cut off at shutdown", { waited_ms: shutdownMs });
  beforeEnd();
  return !(await endsWithin(stopped, lastWordsMs));
}

/** Logs rejections of promises that a handler did not await, so that they do not end the process. */
function onStrayFailures(app: Application): () => void {
  const log = (event: Event, error: unknown): void => {
    event.preventDefault();
    app.log.error("an error occurred outside of any request", {
      error: error instanceof Error ? error : new Error(`thrown: ${showThrown(error)}`),
      fix: permissionFix(error),
    });
  };
  const onRejection = (event: PromiseRejectionEvent): void => log(event, event.reason);
  const onError = (event: ErrorEvent): void => log(event, event.error);
  globalThis.addEventListener("unhandledrejection", onRejection);
  globalThis.addEventListener("error", onError);
  return () => {
    globalThis.removeEventListener("unhandledrejection", onRejection);
    globalThis.removeEventListener("error", onError);
  };
}

interface DevParent {
  report(port: number): Promise<void>;
  /** Refuses requests that bypass the dev server, because only that server blocks other sites and hosts. */
  takePeer(pipeline: Pipeline): Pipeline;
  /** Disconnects, so that this process can end by itself. */
  leave(): void;
}

// A process has one parent, however many applications it creates.
let parent: Promise<DevParent> | undefined;

/**
 * Finds the development server that started this process, and ends the process when that server is gone.
 * `boot` calls it first, so that it also covers a `Setup` that hangs. Throws if the variable was set by hand.
 */
export function findDevParent(): Promise<DevParent> | undefined {
  const ready = readVariable(devReadyVariable);
  if (ready === undefined) return undefined;
  return parent ??= connectParent(ready);
}

async function connectParent(ready: string): Promise<DevParent> {
  const match = /^127\.0\.0\.1:(\d{1,5})\/([A-Za-z0-9_-]+)$/.exec(ready);
  if (match === null) {
    throw new TypeError(`Cannot report to "${ready}": ${devReadyVariable} is for the dev command.`);
  }
  const token = match[2] ?? "";
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(match[1]) });
  let hasLeft = false;
  connection.read(new Uint8Array(1)).catch(() => null).then(() => {
    if (hasLeft) return;
    flushLines();
    Deno.exit(0);
  });
  return {
    report: async (port) => {
      await connection.write(new TextEncoder().encode(`${token} ${port}\n`));
    },
    takePeer: (pipeline) => (request, info) => {
      const [given = "", hostname, port] = request.headers.get(devPeerHeader)?.split(" ") ?? [];
      if (!equalSecrets(given, token) || hostname === undefined || port === undefined) {
        const text = "This port is for the dev command: open the address that it prints.\n";
        const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
        return new Response(text, { status: 403, headers });
      }
      const remoteAddr: Deno.NetAddr = { transport: "tcp", hostname, port: Number(port) };
      const completed = info?.completed ?? Promise.resolve();
      return pipeline(request, { remoteAddr, completed });
    },
    leave: () => {
      hasLeft = true;
      connection.close();
    },
  };
}
