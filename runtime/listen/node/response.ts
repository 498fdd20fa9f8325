import type { IncomingMessage, ServerResponse } from "node:http";
import { Deadline, dropDeadline, startDeadline } from "../../body/deadline.ts";

export interface WriteOptions {
  readonly message: IncomingMessage;
  readonly answer: ServerResponse;
  /** Timeout of a client that does not read, in milliseconds. */
  readonly stallMs: number;
}

type Chunk = ReadableStreamReadResult<Uint8Array>;

/** Throws what the body threw, once the connection is cut; nothing for a client that has gone. */
export async function writeMessage(response: Response, options: WriteOptions): Promise<void> {
  const { message, answer } = options;
  writeHead(response, options);
  const { body } = response;
  if (body === null) {
    answer.end();
    return endConnection(message, answer);
  }
  const reader = body.getReader();
  let isGone = false;
  const gone = (): void => {
    isGone = true;
    reader.cancel().catch(() => {});
  };
  if (isClosed(answer)) return gone();
  answer.once("close", gone);
  try {
    await writeBody(reader, options);
  } catch (error) {
    if (isGone || isClosed(answer)) return;
    // The body's source has failed: only a cut connection signals that to the client.
    answer.destroy();
    throw error;
  } finally {
    answer.off("close", gone);
  }
  endConnection(message, answer);
}

function writeHead(response: Response, options: WriteOptions): void {
  const { message, answer } = options;
  answer.statusCode = response.status;
  for (const [name, value] of response.headers) {
    if (name !== "set-cookie") answer.setHeader(name, value);
  }
  const cookies = response.headers.getSetCookie();
  if (cookies.length > 0) answer.setHeader("set-cookie", cookies);
  // A body that was not read to its end would be taken for the next request.
  if (!message.complete && message.method !== "GET") answer.setHeader("connection", "close");
}

async function writeBody(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  options: WriteOptions,
): Promise<void> {
  const { answer } = options;
  let next = reader.read();
  const first = await soon(next);
  // A stream without data yet: send the headers at once.
  if (first === undefined) answer.flushHeaders();
  else if (first.done) return void answer.end();
  else {
    next = reader.read();
    const second = await soon(next);
    // One piece is the whole body: with its length the connection can go on without chunks.
    if (second?.done) answer.setHeader("content-length", first.value.length);
    await write(first.value, options);
  }
  for (let chunk = await next; !chunk.done; chunk = await reader.read()) {
    await write(chunk.value, options);
  }
  answer.end();
  if (!answer.writableFinished && !isClosed(answer)) await until(["finish", "close"], options);
}

/** Returns the chunk if it is available within this turn of the event loop. */
function soon(read: Promise<Chunk>): Promise<Chunk | undefined> {
  return new Promise((resolve, reject) => {
    read.then(resolve, reject);
    setImmediate(() => resolve(undefined));
  });
}

function isClosed(answer: ServerResponse): boolean {
  return answer.closed || answer.destroyed || answer.socket?.destroyed === true;
}

/** The size of one write, so that a large response shows whether the client is reading. */
const sliceBytes = 65_536;

async function write(piece: Uint8Array, options: WriteOptions): Promise<void> {
  const { answer } = options;
  for (let at = 0; at < piece.length; at += sliceBytes) {
    if (isClosed(answer)) throw new Error("the client has gone");
    if (!answer.write(piece.subarray(at, at + sliceBytes))) {
      await until(["drain", "close"], options);
    }
  }
}

/** Waits until the client has taken what waits for it, but not for ever. */
function until(
  events: readonly ("drain" | "finish" | "close")[],
  options: WriteOptions,
): Promise<void> {
  const { answer, stallMs } = options;
  return new Promise((resolve) => {
    const deadline = new Deadline(performance.now() + stallMs, () => void answer.destroy());
    const done = (): void => {
      dropDeadline(deadline);
      for (const event of events) answer.off(event, done);
      resolve();
    };
    for (const event of events) answer.on(event, done);
    if (stallMs !== Infinity) startDeadline(deadline);
  });
}

/** Ends a connection on which the client still sends an unwanted body. */
function endConnection(message: IncomingMessage, answer: ServerResponse): void {
  if (message.complete || message.method === "GET" || message.method === "HEAD") return;
  const destroy = (): void => void message.socket.destroySoon();
  if (answer.writableFinished) destroy();
  else answer.once("finish", destroy);
}
