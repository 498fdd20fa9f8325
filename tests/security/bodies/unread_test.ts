/** Bodies over the limit that the handler does not read: who answers, and what becomes of the connection. */
import { assertEquals } from "@std/assert";
import { App } from "../../../mod.ts";
import { listen, listenSettings } from "../raw_client.ts";

const mib = 1_048_576;

const bodies = {
  announced: { head: `Content-Length: ${2 * mib}`, text: "x".repeat(2 * mib) },
  chunked: {
    head: "Transfer-Encoding: chunked",
    text: `${(65_536).toString(16)}\r\n${"x".repeat(65_536)}\r\n`.repeat(32) + "0\r\n\r\n",
  },
};

const rows: readonly [listener: "deno" | "node", body: keyof typeof bodies, status: number][] = [
  ["deno", "announced", 413],
  ["deno", "chunked", 200],
  ["node", "announced", 413],
  ["node", "chunked", 200],
];

for (const [listener, kind, status] of rows) {
  Deno.test(`an unread body of 2 MiB, ${kind}, ${listener}: ${status}, and the connection goes on or ends`, async () => {
    let ran = 0;
    const lines: string[] = [];
    const app = new App({ ...listenSettings(lines), listener });
    const unread = (): Response => {
      ran++;
      return new Response("unread");
    };
    app.route({ pattern: "/write", methods: { POST: unread, GET: () => new Response("next") } });
    await using server = await listen(app, lines);
    const { head, text } = bodies[kind];
    using connection = await Deno.connect({ hostname: server.hostname, port: server.port });
    const sending = sendAll(
      connection,
      `POST /write HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n${text}` +
        "GET /write HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    );
    const answers = await readStatuses(connection);
    connection.close();
    await sending;
    assertEquals([answers[0], ran], [status, status === 200 ? 1 : 0]);
    // The rest of the body is never taken for a request.
    assertEquals(answers.slice(1).filter((next) => next !== 200), []);
  });
}

async function sendAll(connection: Deno.Conn, text: string): Promise<void> {
  try {
    for (let rest = new TextEncoder().encode(text); rest.length > 0;) {
      rest = rest.subarray(await connection.write(rest));
    }
  } catch {
    // The server may close before all of it was sent.
  }
}

/** Reads to the end, which must come: either server answers the second request or closes. */
async function readStatuses(connection: Deno.Conn): Promise<number[]> {
  let text = "";
  const buffer = new Uint8Array(65_536);
  try {
    for (;;) {
      const size = await connection.read(buffer);
      if (size === null) break;
      text += new TextDecoder().decode(buffer.subarray(0, size));
      // Deno's own listener sends the header and leaves the closing to the client.
      if (text.includes("next")) break;
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.ConnectionReset)) throw error;
  }
  return [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}
