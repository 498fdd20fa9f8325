/**
 * A clock for tests that bound how much work something takes: on a busy machine, time passes in which
 * none is done.
 */

/**
 * The CPU time of this thread in milliseconds, to a few of them; where the system does not tell it, the
 * time that passes. Only differences mean anything.
 */
export function cpuMs(): number {
  if (Deno.build.os !== "linux") return performance.now();
  const [nanoseconds] = Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ");
  return Number(nanoseconds) / 1e6;
}
