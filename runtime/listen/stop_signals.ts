/** The signals that ask a server to stop, with their numbers. */
const stopSignals: ReadonlyMap<Deno.Signal, number> = new Map(
  Deno.build.os === "windows"
    ? [["SIGINT", 2], ["SIGBREAK", 21]] as const
    : [["SIGINT", 2], ["SIGTERM", 15]] as const,
);

/**
 * Time for which a repeat of the first signal counts as the same request to stop, in milliseconds. Ctrl-C and
 * systemd signal every process of a group, and `deno task` also forwards the signal to its command, which so
 * gets it twice.
 */
const sameSignalMs = 1_000;

interface StopCalls {
  /** Shuts down; called once, on the first signal. */
  readonly stop: (signal: Deno.Signal) => void;
  /** Ends the process at once with an exit code; called on a further signal. */
  readonly end: (signal: Deno.Signal, code: number) => void;
}

/**
 * Listens for the signals that ask a server to stop. A further signal ends the process at once, unless it
 * repeats the first one within {@link sameSignalMs}.
 */
export function onStopSignals({ stop, end }: StopCalls): () => void {
  let first: { readonly signal: Deno.Signal; readonly atMs: number } | undefined;
  const listeners = [...stopSignals].map(([signal, number]) => ({
    signal,
    listener: (): void => {
      if (first === undefined) {
        first = { signal, atMs: performance.now() };
        stop(signal);
      } else if (signal !== first.signal || performance.now() - first.atMs > sameSignalMs) {
        end(signal, 128 + number);
      }
    },
  }));
  for (const { signal, listener } of listeners) Deno.addSignalListener(signal, listener);
  const remove = (): void => {
    for (const { signal, listener } of listeners) Deno.removeSignalListener(signal, listener);
  };
  return () => {
    const leftMs = first === undefined ? 0 : first.atMs + sameSignalMs - performance.now();
    // After a quick shutdown, the repeat would kill the process, which then would not end with 0.
    if (leftMs > 0) Deno.unrefTimer(setTimeout(remove, leftMs));
    else remove();
  };
}
