/**
 * Bodies over the limit that the handler does not read: the response, and the state of the
 * connection.
 */
import { assertEquals } from "@std/assert";
import { App } from "../../../mod.ts";
import { converse, listen, listenSettings, requestText } from "../raw_client.ts";

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
  Deno.test(`an unread body of 2 MiB, ${kind}, ${listener}: ${status}, then the connection continues or closes`, async () => {
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
    const write = `POST /write HTTP/1.1\r\nHost: localhost\r\n${head}\r\n\r\n${text}`;
    // Deno's own listener sends the header and lets the client close the connection.
    const received = await converse(server, [write + requestText("GET /write")], "next");
    const answers = [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, each]) => Number(each));
    assertEquals([answers[0], ran], [status, status === 200 ? 1 : 0]);
    // The rest of the body is never read as a request.
    assertEquals(answers.slice(1).filter((next) => next !== 200), []);
  });
}
