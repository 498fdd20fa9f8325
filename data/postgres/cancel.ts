/** Cancels statements by a connection of their own, because all connections of the pool may be in use. */
import { Buffer } from "node:buffer";
import { once } from "node:events";
import { connect, isIP, type Socket } from "node:net";
import { connect as connectTls, type ConnectionOptions } from "node:tls";

export interface Backend {
  readonly host: string;
  readonly port: number;
  /** The TLS settings of the client: `false` for none. */
  readonly ssl: unknown;
  readonly pid: number;
  readonly secret: number;
}

const sslRequest = 80_877_103;
const cancelRequest = 80_877_102;

const idleMs = 1_000;

function message(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * numbers.length);
  [bytes.length, ...numbers].forEach((number, at) => bytes.writeInt32BE(number | 0, 4 * at));
  return bytes;
}

function tlsOptions(host: string, ssl: unknown): ConnectionOptions {
  // The client's words for a connection whose certificate is not checked.
  const rejectUnauthorized = !/^(?:require|allow|prefer)$/.test(String(ssl));
  const name = isIP(host) === 0 ? { servername: host } : {};
  // `npm:pg` hides the key from enumeration.
  const key = Object(ssl).key === undefined ? {} : { key: Object(ssl).key };
  return { rejectUnauthorized, host, ...name, ...typeof ssl === "object" ? ssl : {}, ...key };
}

/** Asks a server to stop the statement of a process. Resolves when the server has done so, or cannot. */
async function sendCancel({ host, port, ssl, pid, secret }: Backend): Promise<void> {
  const plain = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  const sockets: Socket[] = [plain];
  const watch = (socket: Socket): Promise<void> =>
    new Promise((resolve) => {
      socket.setTimeout(idleMs, () => sockets.forEach((each) => each.destroy()));
      socket.once("error", () => sockets.forEach((each) => each.destroy()));
      socket.once("close", () => resolve());
    });
  const closed = watch(plain);
  const end = (socket: Socket): void => {
    // Without a reader, the end of the connection would go unnoticed.
    socket.resume().end(message(cancelRequest, pid, secret));
  };
  if (ssl === false || ssl === undefined) end(plain);
  else {
    plain.write(message(sslRequest));
    const [answer] = await Promise.race([once(plain, "data"), closed.then(() => [])]);
    const isSecure = Object(answer)[0] === "S".charCodeAt(0);
    if (isSecure) {
      const socket = connectTls({ ...tlsOptions(host, ssl), socket: plain });
      sockets.push(socket);
      void watch(socket);
      socket.once("secureConnect", () => end(socket));
    } else if (ssl === "prefer") end(plain);
    else plain.destroy();
  }
  await closed;
}

/** The pause before a cancellation is repeated, in milliseconds. */
const againMs = 100;

export class Stoppable {
  #running = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#running++;
    try {
      return await work();
    } finally {
      this.#running--;
      clearTimeout(this.#timer);
      // A late request must not reach the next statement.
      if (this.#sending !== undefined) await this.#sending;
    }
  }

  /** Stops the running statement, whose server process is one of the targets. */
  stop(targets: readonly Backend[]): void {
    if (this.#running === 0) return;
    this.#sending = Promise.allSettled(targets.map(sendCancel)).then(() => {
      // A request that arrives before its statement has no effect.
      if (this.#running > 0) this.#timer = setTimeout(() => this.stop(targets), againMs);
    });
  }
}
