/** Serves a handler on a free port of this machine; `await using` stops it. */
export function serveLocal(
  handler: Deno.ServeHandler<Deno.NetAddr>,
): Deno.HttpServer<Deno.NetAddr> & { readonly origin: string } {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  return Object.assign(server, { origin: `http://127.0.0.1:${server.addr.port}` });
}
