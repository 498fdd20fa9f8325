/** How long the server waits, in milliseconds; {@link NoTimeout} waits for ever. */
export interface Timeouts {
  /** How long requests in flight may go on after SIGINT or SIGTERM. @default 5000 */
  shutdownMs: number;
  /**
   * How long the body of a request may take from the first read to its end; with `listener: "node"` also
   * its head.
   *
   * @default 60000
   */
  readMs: number;
  /**
   * How long a handler may take to answer, the time in which the body is read aside; then the client
   * gets 503. What a stream sends after its head is not bounded by it. With `listener: "node"` it is also
   * how long a client may take nothing of its answer.
   *
   * @default 60000
   */
  writeMs: number;
  /** How long a connection without a request stays open; with `listener: "node"` only. @default 60000 */
  idleMs: number;
  /**
   * The most bytes of a request's head: of its target, checked on every request; of the whole head, with
   * `listener: "node"`. Deno's own listener takes 64 KiB whatever is set here. Both take 128 headers.
   *
   * @default 16384
   */
  maxHeaderBytes: number;
}
