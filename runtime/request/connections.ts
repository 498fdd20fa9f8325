/**
 * One request of this process itself: of a test, or of a static export. It is passed in place of the server's
 * connection info, so no client can impersonate it: client data is never an object of this process.
 */
export class ProcessConnection implements Deno.ServeHandlerInfo {
  /** The address that the request seems to come from. */
  readonly remoteAddr: Deno.Addr;
  readonly completed: Promise<void> = Promise.resolve();

  constructor(remoteAddr: Deno.Addr) {
    this.remoteAddr = remoteAddr;
  }
}

export class ExportConnection extends ProcessConnection {
  /** The error that produced the response, or `undefined`. */
  error: unknown = undefined;

  constructor() {
    // No address: what asks for one fails closed.
    super({ transport: "unix", path: "" });
  }
}
