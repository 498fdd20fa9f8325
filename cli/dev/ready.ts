/**
 * Receives the reports of processes that they are listening.
 *
 * @module
 */
import { randomToken } from "@fw/fw/addon";

/** One process that will report. */
export interface ReadyTicket {
  /** The value of {@link devReadyVariable} for the process. */
  readonly variable: string;
  /** The secret of this process. */
  readonly token: string;
  /** The port on which it listens; never settles if the process does not report. */
  readonly port: Promise<number>;
  /** Closes the connection, upon which the process ends itself. */
  close(): void;
}

/** The listener for all processes of one development server. */
export interface ReadyListener {
  issue(): ReadyTicket;
  /** Closes the listener and every connection. */
  close(): void;
}

const maxLineBytes = 256;

/** Listens on a free loopback port. */
export function listenForReady(): ReadyListener {
  return new LoopbackListener();
}

class LoopbackListener implements ReadyListener {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #expected = new Map<string, (port: number, connection: Deno.Conn) => void>();
  readonly #connections = new Set<Deno.Conn>();

  constructor() {
    this.#acceptAll();
  }

  issue(): ReadyTicket {
    const token = randomToken();
    let connection: Deno.Conn | undefined;
    const port = new Promise<number>((resolve) => {
      this.#expected.set(token, (number, taken) => {
        connection = taken;
        resolve(number);
      });
    });
    return {
      variable: `127.0.0.1:${this.#listener.addr.port}/${token}`,
      token,
      port,
      close: () => {
        this.#expected.delete(token);
        if (connection !== undefined) this.#end(connection);
      },
    };
  }

  close(): void {
    this.#listener.close();
    for (const connection of [...this.#connections]) this.#end(connection);
  }

  async #acceptAll(): Promise<void> {
    for await (const connection of this.#listener) this.#receive(connection);
  }

  async #receive(connection: Deno.Conn): Promise<void> {
    this.#connections.add(connection);
    try {
      const [token = "", port = ""] = (await readLine(connection)).split(" ");
      const take = this.#expected.get(token);
      if (take === undefined || !/^\d{1,5}$/.test(port)) return this.#end(connection);
      this.#expected.delete(token);
      take(Number(port), connection);
      // No more data is expected: this waits for the end of the process.
      while (await connection.read(new Uint8Array(64)) !== null);
    } catch {
      // The process was killed, or the ticket was closed.
    }
    this.#end(connection);
  }

  #end(connection: Deno.Conn): void {
    if (!this.#connections.delete(connection)) return;
    try {
      connection.close();
    } catch {
      // Closed by its ticket.
    }
  }
}

async function readLine(connection: Deno.Conn): Promise<string> {
  const bytes = new Uint8Array(maxLineBytes);
  let length = 0;
  while (length < maxLineBytes) {
    const count = await connection.read(bytes.subarray(length));
    if (count === null) break;
    length += count;
    const end = bytes.subarray(0, length).indexOf(0x0a);
    if (end !== -1) return new TextDecoder().decode(bytes.subarray(0, end));
  }
  return "";
}
