/**
 * One request of a static export. It stands where a server puts the connection, so that no client can
 * pass for one: what clients send is never an object of this process.
 */
export class ExportExchange implements Deno.ServeHandlerInfo {
  /** No address: what asks for one fails closed. */
  readonly remoteAddr: Deno.UnixAddr = { transport: "unix", path: "" };
  /** The answer goes to a file. */
  readonly completed: Promise<void> = Promise.resolve();
  /** The error that was answered with, or `undefined`. */
  error: unknown = undefined;
}
