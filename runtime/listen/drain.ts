import type { Pipeline } from "../pipeline/pipeline.ts";

/** Without a request for this long, in milliseconds, the clients are taken to be gone. */
const quietMs = 200;

/** A server without a request for this long, in milliseconds, has nothing to drain. */
const idleMs = 1_000;

/** How long responses are held back at most while the listener closes, in milliseconds. */
const maxHoldMs = 1_000;

/** How often it is checked whether the clients are gone, in milliseconds. */
const checkMs = 20;

/** Sends the clients of a server elsewhere before it closes. */
export interface Drain {
  /** Handles requests, and asks clients to connect again while the drain lasts. */
  readonly pipeline: Pipeline;
  /**
   * Answers with `Connection: close` until no request comes any more, or until the time is up. Then responses
   * are held back, so that no client connects at the moment at which the listener closes: what waits to be
   * accepted then is lost.
   *
   * @param maxMs How long it lasts at most, without the moment at its end.
   */
  run(maxMs: number): Promise<void>;
  /** Sends what was held back. */
  release(): void;
}

/** Creates the drain of a server that is about to listen. */
export function createDrain(pipeline: Pipeline): Drain {
  let isDraining = false;
  let activeCount = 0;
  let lastMs = -Infinity;
  let held: PromiseWithResolvers<void> | undefined;
  const leave = (): void => {
    activeCount--;
    if (isDraining) lastMs = performance.now();
  };
  const answerLast: Pipeline = async (request, info) => {
    activeCount++;
    try {
      const response = await pipeline(request, info);
      await held?.promise;
      return withClose(response);
    } finally {
      leave();
    }
  };
  const isQuiet = (): boolean => activeCount === 0 && performance.now() - lastMs >= quietMs;
  return {
    pipeline: (request, info) => {
      lastMs = performance.now();
      if (isDraining) return answerLast(request, info);
      const response = pipeline(request, info);
      if (response instanceof Promise) {
        activeCount++;
        response.then(leave, leave);
      }
      return response;
    },
    run: async (maxMs) => {
      isDraining = true;
      const isIdle = activeCount === 0 && performance.now() - lastMs >= idleMs;
      if (isIdle || maxMs === 0 || await becomes(isQuiet, maxMs)) return;
      held = Promise.withResolvers();
      await becomes(() => performance.now() - lastMs >= quietMs, maxHoldMs);
    },
    release: () => held?.resolve(),
  };
}

/** Waits until a condition holds; returns whether it did in time. */
async function becomes(condition: () => boolean, maxMs: number): Promise<boolean> {
  const endMs = performance.now() + maxMs;
  while (!condition()) {
    if (performance.now() >= endMs) return false;
    await new Promise((resolve) => setTimeout(resolve, checkMs));
  }
  return true;
}

/** Returns a response after which the client closes the connection. */
function withClose(response: Response): Response {
  // An upgrade keeps its connection, and a body that is being read cannot be moved.
  if (response.status === 101 || response.body?.locked === true) return response;
  const last = new Response(response.body, response);
  last.headers.set("connection", "close");
  return last;
}
