const stopSignals: ReadonlyMap<Deno.Signal, number> = new Map(
  Deno.build.os === "windows"
    ? [["SIGINT", 2], ["SIGBREAK", 21]] as const
    : [["SIGINT", 2], ["SIGTERM", 15]] as const,
);

/**
 * How long a repeat of the first signal counts as the same request to stop, in milliseconds: Ctrl-C and
 * systemd signal every process of a group, and `deno task` also forwards the signal to its command.
 */
const sameSignalMs = 1_000;

/** Calls `stop` at the first signal and `end` at another, unless it is a repeat ({@link sameSignalMs}). */
export function onStopSignals(
  stop: (signal: Deno.Signal) => void,
  end: (signal: Deno.Signal, code: number) => void,
): () => void {
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
    // Kept after a quick shutdown: the repeated signal would kill the process, which would not exit with 0.
    if (leftMs > 0) Deno.unrefTimer(setTimeout(remove, leftMs));
    else remove();
  };
}
