/** Returns the connection of a client with an address, for `app.fetch`. */
export function peer(hostname: string): Deno.ServeHandlerInfo {
  return { remoteAddr: { transport: "tcp", hostname, port: 1 }, completed: Promise.resolve() };
}
