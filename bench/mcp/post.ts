/** A request that is posted repeatedly. */
export interface Posts {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly requests: number;
  readonly connections: number;
  /** The text that every response must contain. */
  readonly expected: string;
}

/** Posts over keep-alive connections and reads each complete response. */
export async function post(port: number, posts: Posts): Promise<void> {
  const share = Math.ceil(posts.requests / posts.connections);
  await Promise.all(
    Array.from({ length: posts.connections }, () => drive(port, { ...posts, requests: share })),
  );
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

async function drive(port: number, posts: Posts): Promise<void> {
  using connection = await Deno.connect({ hostname: "127.0.0.1", port });
  connection.setNoDelay();
  const headers = { ...posts.headers, host: `127.0.0.1:${port}`, "user-agent": "bench" };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const bytes = encoder.encode(posts.body).length;
  const request = encoder.encode(
    `POST ${posts.path} HTTP/1.1\r\n${lines.join("")}content-length: ${bytes}\r\n\r\n${posts.body}`,
  );
  const buffer = new Uint8Array(65_536);
  for (let sent = 0; sent < posts.requests; sent++) {
    await connection.write(request);
    const text = await readResponse(connection, buffer);
    if (!text.includes(posts.expected)) throw new Error(`Cannot measure: the server said ${text}`);
  }
}

async function readResponse(connection: Deno.Conn, buffer: Uint8Array): Promise<string> {
  let size = 0;
  for (;;) {
    const read = await connection.read(buffer.subarray(size));
    if (read === null) throw new Error("Cannot measure: the server closed the connection");
    size += read;
    const text = decoder.decode(buffer.subarray(0, size));
    const end = text.indexOf("\r\n\r\n");
    if (end < 0) continue;
    const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end));
    // Without a length, the last chunk is the end.
    if (length === null ? text.endsWith("\r\n0\r\n\r\n") : size >= end + 4 + Number(length[1])) {
      return text;
    }
  }
}
