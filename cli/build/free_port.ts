/**
 * Finds a port on which nothing listens.
 *
 * @param hostname The address on which it must be free.
 */
export function freePort(hostname: string): number {
  using listener = Deno.listen({ hostname, port: 0 });
  return listener.addr.port;
}
