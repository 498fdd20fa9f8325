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
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const expected = new Map<string, (port: number, connection: Deno.Conn) => void>();
  const connections = new Set<Deno.Conn>();
  acceptAll();
  return { issue, close };

  async function acceptAll(): Promise<void> {
    for await (const connection of listener) receive(connection);
  }

  async function receive(connection: Deno.Conn): Promise<void> {
    connections.add(connection);
    try {
      const [token = "", port = ""] = (await readLine(connection)).split(" ");
      const take = expected.get(token);
      if (take === undefined || !/^\d{1,5}$/.test(port)) return end(connection);
      expected.delete(token);
      take(Number(port), connection);
      // No more data is expected: this waits for the end of the process.
      while (await connection.read(new Uint8Array(64)) !== null);
    } catch {
      // The process was killed, or the ticket was closed.
    }
    end(connection);
  }

  function end(connection: Deno.Conn): void {
    if (!connections.delete(connection)) return;
    try {
      connection.close();
    } catch {
      // Closed by its ticket.
    }
  }

  function issue(): ReadyTicket {
    const token = randomToken();
    let connection: Deno.Conn | undefined;
    const port = new Promise<number>((resolve) => {
      expected.set(token, (number, taken) => {
        connection = taken;
        resolve(number);
      });
    });
    return {
      variable: `127.0.0.1:${listener.addr.port}/${token}`,
      token,
      port,
      close: () => {
        expected.delete(token);
        if (connection !== undefined) end(connection);
      },
    };
  }

  function close(): void {
    listener.close();
    for (const connection of [...connections]) end(connection);
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
