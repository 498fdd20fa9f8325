/** HTTP servers whose responses deviate from the specification. */
import { assertEquals } from "@std/assert";
import { SessionServer } from "./support.ts";

type Message = Readonly<Record<string, unknown>>;

const json = (text: string, type = "application/json"): Response =>
  new Response(text, { headers: { "content-type": type } });
const events = (text: string, type = "text/event-stream"): Response => json(text, type);

const spellings: readonly [name: string, write: (message: Message) => Response][] = [
  ["a text for the id", (message) => json(JSON.stringify({ ...message, id: `${message.id}` }))],
  [
    "a string id, in a stream",
    (message) => events(`data: ${JSON.stringify({ ...message, id: `${message.id}` })}\n\n`),
  ],
  ["null members", (message) => json(JSON.stringify({ ...message, error: null, method: null }))],
  ["a batch", (message) => json(JSON.stringify([message]))],
  ["a batch in a stream", (message) => events(`data: ${JSON.stringify([message])}\n\n`)],
  [
    "a batch that starts with a notification",
    (message) => {
      const told = { jsonrpc: "2.0", method: "notifications/message", params: { data: "x" } };
      return json(JSON.stringify([told, message]));
    },
  ],
  ["a byte order mark", (message) => json(`\ufeff${JSON.stringify(message)}`)],
  ["a BOM in a stream", (message) => events(`\ufeffdata: ${JSON.stringify(message)}\n\n`)],
  ["a BOM in the data", (message) => events(`data: \ufeff${JSON.stringify(message)}\n\n`)],
  ["capitals", (message) => json(JSON.stringify(message), "Application/JSON; Charset=UTF-8")],
  [
    "a stream whose type has capitals",
    (message) => events(`data: ${JSON.stringify(message)}\n\n`, "Text/Event-Stream"),
  ],
];

for (const [name, write] of spellings) {
  Deno.test(`http: reads a response with ${name}`, async () => {
    const server = new SessionServer((method, id) => {
      const result = method === "initialize"
        ? { protocolVersion: "2025-03-26", capabilities: {} }
        : { content: [] };
      return write({ jsonrpc: "2.0", id, result });
    });
    await using client = await server.dial();
    assertEquals((await client.callTool("any")).content, []);
  });
}
