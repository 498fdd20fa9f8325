/** A client that sends a body over HTTP/2 in frames of its choice, which no library lets it do. */

export interface FrameFlood {
  readonly path: string;
  readonly type: string;
  /** The size of each frame's content, in bytes; 0 for frames without content. */
  readonly size: number;
  readonly count: number;
}

const data = 0;
const headers = 1;
const resetStream = 3;
const settings = 4;
const goAway = 7;
const windowUpdate = 8;
const endOfHeaders = 4;
const acknowledged = 1;
const endOfStream = 1;

/** How much a client may send before it is granted more (RFC 9113, section 6.9.2). */
const firstWindow = 65_535;

function frame(type: number, flags: number, stream: number, content: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(9 + content.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, content.length >> 16);
  view.setUint16(1, content.length & 0xffff);
  view.setUint8(3, type);
  view.setUint8(4, flags);
  view.setUint32(5, stream);
  bytes.set(content, 9);
  return bytes;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function join(parts: readonly (Uint8Array | readonly number[])[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(parts.flatMap((part) => [...part]));
}

/** The head of a POST, without Huffman codes (RFC 7541, appendix A). */
function headOf({ path, type }: FrameFlood): Uint8Array {
  const text = (prefix: readonly number[], value: string): Uint8Array =>
    join([prefix, [value.length], encode(value)]);
  return join([
    [0x83, 0x86],
    text([0x04], path),
    text([0x01], "localhost"),
    text([0x0f, 0x10], type),
  ]);
}

/** The statuses that a server of these tests sends, by the first bytes of its head. */
function statusOf(block: Uint8Array): number {
  if (block[0] === 0x88) return 200;
  if (block[0] === 0x8c) return 400;
  // "413", as Huffman codes or as text.
  const value = block.subarray(2, 5).join();
  return value === "104,44,255" || value === "52,49,51" ? 413 : 0;
}

class Peer {
  readonly #connection: Deno.Conn;
  #held: Uint8Array = new Uint8Array();
  #connectionWindow = firstWindow;
  #streamWindow = firstWindow;
  #wake = (): void => {};
  isOver = false;

  constructor(connection: Deno.Conn) {
    this.#connection = connection;
  }

  /** Waits until a frame of this size may be sent; false once the server wants no more. */
  async claim(size: number): Promise<boolean> {
    while (!this.isOver && Math.min(this.#connectionWindow, this.#streamWindow) < size) {
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
    this.#connectionWindow -= size;
    this.#streamWindow -= size;
    return !this.isOver;
  }

  /** Reads until the response's head; `undefined` where the server ends the stream or the connection. */
  async readStatus(): Promise<number | undefined> {
    const buffer = new Uint8Array(65_536);
    try {
      for (;;) {
        const size = await this.#connection.read(buffer);
        if (size === null) return undefined;
        this.#held = join([this.#held, buffer.subarray(0, size)]);
        for (let next = this.#take(); next !== undefined; next = this.#take()) {
          if (next.type === headers) return statusOf(next.content);
          if (next.type === resetStream || next.type === goAway) return undefined;
          await this.#note(next);
        }
      }
    } catch {
      return undefined;
    } finally {
      this.isOver = true;
      this.#wake();
    }
  }

  #take(): {
    readonly type: number;
    readonly flags: number;
    readonly stream: number;
    readonly content: Uint8Array;
  } | undefined {
    const held = this.#held;
    if (held.length < 9) return undefined;
    const view = new DataView(held.buffer, held.byteOffset);
    const end = 9 + (view.getUint8(0) << 16) + view.getUint16(1);
    if (held.length < end) return undefined;
    this.#held = held.subarray(end);
    return {
      type: view.getUint8(3),
      flags: view.getUint8(4),
      stream: view.getUint32(5),
      content: held.subarray(9, end),
    };
  }

  async #note(
    { type, flags, stream, content }: {
      readonly type: number;
      readonly flags: number;
      readonly stream: number;
      readonly content: Uint8Array;
    },
  ): Promise<void> {
    const view = new DataView(content.buffer, content.byteOffset, content.length);
    if (type === settings && flags !== acknowledged) {
      for (let at = 0; at < content.length; at += 6) {
        // SETTINGS_INITIAL_WINDOW_SIZE
        if (view.getUint16(at) === 4) this.#streamWindow += view.getUint32(at + 2) - firstWindow;
      }
      await this.#connection.write(frame(settings, acknowledged, 0, new Uint8Array()));
    }
    if (type === windowUpdate) {
      if (stream === 0) this.#connectionWindow += view.getUint32(0);
      else this.#streamWindow += view.getUint32(0);
    }
    this.#wake();
  }
}

/**
 * Sends the body and returns the status; it stops where the server grants no more.
 *
 * @returns `undefined` where the server ended the stream or the connection without a response.
 */
export async function floodFrames(port: number, sent: FrameFlood): Promise<number | undefined> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  const peer = new Peer(connection);
  await connection.write(join([
    encode("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    frame(settings, 0, 0, new Uint8Array()),
    frame(headers, endOfHeaders, 1, headOf(sent)),
  ]));
  const answered = peer.readStatus();
  const content = encode("1".repeat(sent.size));
  const one = frame(data, 0, 1, content);
  const sending = (async () => {
    for (let left = sent.count; left > 0;) {
      const batch = Math.min(left, 500);
      if (!await peer.claim(batch * sent.size)) return;
      const block = new Uint8Array(one.length * batch);
      for (let index = 0; index < batch; index++) block.set(one, index * one.length);
      for (let rest = block; rest.length > 0;) {
        rest = rest.subarray(await connection.write(rest));
      }
      left -= batch;
    }
    await connection.write(frame(data, endOfStream, 1, new Uint8Array()));
  })();
  // The server may cut a flood off.
  sending.catch(() => {});
  const status = await answered;
  // What comes in after the response costs something, too.
  await new Promise((resolve) => setTimeout(resolve, 100));
  return status;
}
