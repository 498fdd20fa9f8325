/**
 * Requests of every kind over raw sockets: most in pipelined batches, some by clients that
 * disconnect.
 */
import { assert, assertEquals } from "@std/assert";

/** A request of a batch, and the expected status. */
type Kind = readonly [request: string, status: number];

const token = "A".repeat(43);

const get = (path: string, ...headers: string[]): string => write("GET", path, headers);

function post(path: string, type: string, body: string): string {
  const cookie = `Cookie: fw_csrf=${token}`;
  const headers = [cookie, `Content-Type: ${type}`, `Content-Length: ${body.length}`];
  return write("POST", path, headers) + body;
}

function write(method: string, path: string, headers: readonly string[]): string {
  return [`${method} ${path} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
}

const form = "application/x-www-form-urlencoded";
const multipart = [
  ...[["_csrf", token], ["title", "Soak"]].map(([name, value]) =>
    `--soak\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  ),
  "--soak--\r\n",
].join("");

const json: Kind = [get("/json/7?page=2", "Origin: https://app.example"), 200];
const page: Kind = [get("/page", "Accept: text/html", "User-Agent: soak"), 200];
const file: Kind = [get("/site.css", "Accept-Encoding: gzip"), 200];

/** The requests of one write. The body of the last response marks the end. */
const batch: readonly Kind[] = [
  ...Array<Kind>(10).fill(json),
  ...Array<Kind>(6).fill(page),
  ...Array<Kind>(6).fill(file),
  [get("/site.css", "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT"), 304],
  [get("/site.css", "Range: bytes=0-9"), 206],
  [get("/lost", "Accept: text/html"), 404],
  [get("/nowhere"), 404],
  [get("/page/"), 301],
  [get("/%zz"), 400],
  [write("DELETE", "/page", []), 405],
  [post("/page", form, `_csrf=${token}&title=Soak`), 200],
  [post("/page", form, `_csrf=${"B".repeat(43)}&title=Soak`), 403],
  [post("/page", form, `_csrf=${token}&title=${"x".repeat(600)}`), 413],
  [post("/page", form, `_csrf=${token}&title=${"x".repeat(60)}`), 422],
  [post("/page", "multipart/form-data; boundary=soak", multipart), 200],
  [post("/json/7", "application/json", '{"title":"Soak"}'), 200],
  [post("/json/7", "application/json", '{"title":'), 400],
  [get("/late"), 200],
  [get("/json/the-end"), 200],
];
const endMark = '{"id":"the-end"}';
const batchText = batch.map(([request]) => request).join("");
const wantedStatuses = batch.map(([, status]) => status);

/** Clients that disconnect: before the response, within a body or a head, from a stream. */
const leavers: readonly { readonly text: string; readonly waitsFor?: string }[] = [
  { text: get("/slow") },
  { text: post("/page", form, "title=").replace("Content-Length: 6", "Content-Length: 200") },
  { text: get("/events"), waitsFor: "data: 0\n\n" },
  { text: get("/page").slice(0, -4) },
];

/** The number of batches of a connection between two such clients. */
const batchesPerLeaver = 4;

const encoder = new TextEncoder();
const decoder = new TextDecoder("latin1");

export interface Load {
  readonly requests: number;
  /** The number of concurrent connections. @default 32 */
  readonly connections?: number;
  readonly signal: AbortSignal;
}

/**
 * Sends requests of every kind and checks the status of each.
 *
 * @returns How many were sent.
 * @throws {Error} when an answer has another status, or the signal aborts.
 */
export async function sendLoad(port: number, load: Load): Promise<number> {
  const { requests, connections = 32, signal } = load;
  const bytes = encoder.encode(batchText);
  let left = Math.ceil(requests / batch.length);
  let count = 0;
  const drive = async (): Promise<void> => {
    using connection = await connect(port, signal);
    for (let round = 0; left > 0; round++) {
      left--;
      await writeAll(connection.socket, bytes);
      const text = await readUntil(connection.socket, endMark);
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
      assertEquals(statuses, wantedStatuses);
      count += batch.length;
      if (round % batchesPerLeaver > 0) continue;
      await leave(port, { index: round / batchesPerLeaver, signal });
      count++;
    }
  };
  try {
    await Promise.all(Array.from({ length: connections }, drive));
  } catch (error) {
    throw signal.aborted ? new Error(`${signal.reason}; ${count} of ${requests} were sent`) : error;
  }
  return count;
}

async function leave(
  port: number,
  { index, signal }: { readonly index: number; readonly signal: AbortSignal },
): Promise<void> {
  const leaver = leavers[index % leavers.length];
  assert(leaver);
  using connection = await connect(port, signal);
  await writeAll(connection.socket, encoder.encode(leaver.text));
  if (leaver.waitsFor !== undefined) await readUntil(connection.socket, leaver.waitsFor);
}

/** Connects until the end of the block, or until the signal aborts. */
async function connect(
  port: number,
  signal: AbortSignal,
): Promise<Disposable & { readonly socket: Deno.Conn }> {
  const socket = await Deno.connect({ hostname: "127.0.0.1", port });
  const close = (): void => {
    signal.removeEventListener("abort", close);
    try {
      socket.close();
    } catch {
      // It is already closed.
    }
  };
  signal.addEventListener("abort", close);
  return { socket, [Symbol.dispose]: close };
}

async function writeAll(socket: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await socket.write(bytes.subarray(at));
}

async function readUntil(socket: Deno.Conn, mark: string): Promise<string> {
  const buffer = new Uint8Array(65_536);
  let text = "";
  while (!text.includes(mark)) {
    const size = await socket.read(buffer);
    assert(size !== null, `the server closed after: ${text.slice(-300)}`);
    text += decoder.decode(buffer.subarray(0, size));
  }
  return text;
}
