/**
 * A clock for tests that limit the work of something: on a busy machine, time also passes without
 * any work.
 */

/**
 * Returns the CPU time of this thread in milliseconds, precise to a few; or the elapsed time if the
 * system does not report it. Only differences are meaningful.
 */
export function cpuMs(): number {
  if (Deno.build.os !== "linux") return performance.now();
  const [nanoseconds] = Deno.readTextFileSync("/proc/thread-self/schedstat").split(" ");
  return Number(nanoseconds) / 1e6;
}
