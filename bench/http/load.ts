/** The requests that are sent to a server. */
export interface Load {
  /** The path of every request. */
  readonly path: string;
  /** The posted form; without one, requests are `GET`. */
  readonly form?: PostedForm;
  /** Additional headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The `Cookie` headers of the connections, each of which is a separate browser. */
  readonly cookies?: readonly string[];
  /** Total number of requests. */
  readonly requests: number;
  /** Number of connections. */
  readonly connections: number;
}

/** A form as posted by a browser. */
export interface PostedForm {
  /** The urlencoded body. */
  readonly body: string;
  /** The `Cookie` header. */
  readonly cookie: string;
}

/** Sends a fixed number of requests over keep-alive connections and reads the responses. */
export async function load(port: number, options: Load): Promise<void> {
  const share = Math.ceil(options.requests / options.connections);
  const workers = Array.from(
    { length: options.connections },
    (_, at) => {
      const cookie = options.cookies?.[at % options.cookies.length];
      const headers = cookie === undefined ? options.headers : { ...options.headers, cookie };
      return drive(port, {
        ...options,
        requests: share,
        ...(headers === undefined ? {} : { headers }),
      });
    },
  );
  await Promise.all(workers);
}

async function drive(port: number, options: Load): Promise<void> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  connection.setNoDelay();
  // The minimum headers of a browser or a reverse proxy, so that servers handle realistic requests.
  const more = Object.entries(options.headers ?? {}).map(([name, value]) =>
    `${name}: ${value}\r\n`
  );
  const head = `Host: 127.0.0.1:${port}\r\nUser-Agent: bench\r\nAccept: */*\r\n${more.join("")}`;
  const { form } = options;
  const request = new TextEncoder().encode(
    form === undefined
      ? `GET ${options.path} HTTP/1.1\r\n${head}\r\n`
      : `POST ${options.path} HTTP/1.1\r\n${head}Cookie: ${form.cookie}\r\n` +
        "Content-Type: application/x-www-form-urlencoded\r\n" +
        `Content-Length: ${form.body.length}\r\n\r\n${form.body}`,
  );
  const buffer = new Uint8Array(256 * 1_024);
  for (let sent = 0; sent < options.requests; sent++) {
    await connection.write(request);
    await readAnswer(connection, buffer);
  }
}

const decoder = new TextDecoder("latin1");

/** Reads one complete response, whose status must be 200. */
export async function readAnswer(connection: Deno.Conn, buffer: Uint8Array): Promise<void> {
  let size = await connection.read(buffer) ?? fail("the server closed the connection");
  let end = -1;
  while (end < 0) {
    end = decoder.decode(buffer.subarray(0, Math.min(size, 8_192))).indexOf("\r\n\r\n");
    if (end < 0) size += await connection.read(buffer.subarray(size)) ?? fail("the head was cut");
  }
  const head = decoder.decode(buffer.subarray(0, end));
  if (!head.startsWith("HTTP/1.1 200")) fail(`the server answered ${head.split("\r\n")[0]}`);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head);
  if (length === null) return await readChunked(connection, { buffer, size });
  const total = end + 4 + Number(length[1]);
  // The body is discarded, because it may be larger than the buffer.
  while (size < total) size += await connection.read(buffer) ?? fail("the body was cut");
}

async function readChunked(
  connection: Deno.Conn,
  state: { readonly buffer: Uint8Array; readonly size: number },
): Promise<void> {
  const { buffer } = state;
  let { size } = state;
  const end = "\r\n0\r\n\r\n";
  while (!decoder.decode(buffer.subarray(Math.max(0, size - end.length), size)).endsWith(end)) {
    // Only the end of a body larger than the buffer matters.
    if (size > buffer.length / 2) {
      buffer.copyWithin(0, size - end.length, size);
      size = end.length;
    }
    size += await connection.read(buffer.subarray(size)) ?? fail("the body was cut");
  }
}

function fail(reason: string): never {
  throw new Error(`Cannot measure: ${reason}`);
}
