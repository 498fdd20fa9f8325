import { App, createLogger, type Route, type Settings } from "../../mod.ts";
import { patienceMs } from "../until.ts";

/** The address of a server. */
export interface Place {
  readonly hostname: string;
  readonly port: number;
}

export interface Listening extends Place {
  readonly log: () => string;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

/** Returns settings for {@link listen}: a free loopback port, and a log that is kept. */
export function listenSettings(lines: string[]): Settings {
  const logger = createLogger({ level: "debug", write: (text) => void lines.push(text) });
  return { addr: "127.0.0.1:0", timeouts: { drainMs: 0 }, logger };
}

/** Serves until the end of the block; `lines` receives the application's log. */
export async function listen(app: App, lines: readonly string[]): Promise<Listening> {
  const served = app.listenAndServe();
  const { hostname, port } = new URL(await Promise.race([findUrl(lines), failed(served)]));
  return {
    hostname,
    port: Number(port),
    log: () => lines.join(""),
    [Symbol.asyncDispose]: async () => {
      await app.shutdown();
      await served;
    },
  };
}

/** Serves these routes until the end of the block. */
export async function serve(routes: readonly Route[], settings: Settings = {}): Promise<Listening> {
  const lines: string[] = [];
  const app = new App({ ...listenSettings(lines), ...settings });
  for (const route of routes) app.route(route);
  return await listen(app, lines);
}

async function findUrl(lines: readonly string[]): Promise<string> {
  for (;;) {
    const [, url] = /"msg":"listening","url":"([^"]+)"/.exec(lines.join("")) ?? [];
    if (url !== undefined) return url;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

function failed(served: Promise<void>): Promise<never> {
  return new Promise((_, reject) => void served.catch(reject));
}

export const handshakeHeaders = {
  Upgrade: "websocket",
  Connection: "Upgrade",
  "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version": "13",
};

export interface RawAnswer {
  /** The status; 0 if the server closed without a response. */
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly text: string;
}

/** Sends bytes unchanged and reads until the server closes: send `connection: close`. */
export async function sendRaw(server: Place, text: string | Uint8Array): Promise<RawAnswer> {
  return parseAnswer(await converse(server, [text]));
}

/** Sends texts and pauses; returns the received text until the server closes, or until a mark. */
export async function converse(
  server: Place,
  steps: readonly (string | Uint8Array | number)[],
  until?: string,
): Promise<string> {
  using connection = await Deno.connect(server);
  const received = readToEnd(connection, until);
  try {
    for (const step of steps) {
      if (typeof step === "number") await new Promise((resolve) => setTimeout(resolve, step));
      else await writeAll(connection, step);
    }
  } catch {
    // A server that refuses a request may close before all of it is sent.
  }
  return await received;
}

async function writeAll(connection: Deno.Conn, text: string | Uint8Array): Promise<void> {
  // One byte per character: a request line may contain bytes that are not UTF-8.
  const bytes = typeof text === "string"
    ? Uint8Array.from(text, (character) => character.charCodeAt(0))
    : text;
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

async function readToEnd(connection: Deno.Conn, until?: string): Promise<string> {
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(65_536);
  let text = "";
  const read = async (): Promise<string> => {
    try {
      while (until === undefined || !text.includes(until)) {
        const size = await connection.read(buffer);
        if (size === null) break;
        text += decoder.decode(buffer.subarray(0, size), { stream: true });
      }
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
    }
    return text;
  };
  return await inTime(read(), () => `no end within ${patienceMs} ms: ${text}`);
}

/** Rejects with a message if the work is not done in time. */
export async function inTime<T>(work: Promise<T>, message: () => string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(message())), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

export function parseAnswer(text: string): RawAnswer {
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [start = "", ...lines] = head.split("\r\n");
  const headers = new Headers();
  for (const line of lines) {
    const colon = line.indexOf(":");
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim());
  }
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(start)?.[1] ?? 0);
  return { status, headers, body: rest.join("\r\n\r\n"), text };
}

export function requestText(
  start: string,
  headers: Readonly<Record<string, string>> = {},
  body = "",
): string {
  const lines = Object.entries({ Host: "localhost", Connection: "close", ...headers });
  return `${start} HTTP/1.1\r\n${lines.map(([n, v]) => `${n}: ${v}\r\n`).join("")}\r\n${body}`;
}
