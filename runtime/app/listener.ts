/** What listens on an address, whichever way. */
export interface HttpListener {
  /** The address it listens on. */
  readonly hostname: string;
  /** The port it listens on. */
  readonly port: number;
  /** Settles when everything has ended. */
  readonly finished: Promise<void>;
  /** Takes no more connections and waits for the requests in flight, however long they take. */
  shutdown(): Promise<void>;
}
