/** Servers that send requests faster than they read the responses. */
import { assert, assertEquals } from "@std/assert";
import { HttpLink } from "../../../ai/mcp/client/http.ts";
import type { LinkEvents } from "../../../ai/mcp/mod.ts";
import { asFetch, codeOf, SessionServer } from "./support.ts";
import { until } from "../../until.ts";

function pings(count: number): string {
  return Array.from({ length: count }, (_, number) => {
    const ping = { jsonrpc: "2.0", id: `p${number}`, method: "ping" };
    return `data: ${JSON.stringify(ping)}\n\n`;
  }).join("");
}

/** A server of a revision with sessions that counts the responses it gets. */
class AskingServer extends SessionServer {
  open = 0;
  most = 0;
  readonly ids: unknown[] = [];
  callEvents = "";
  streamEvents = "";
  /** Whether it responds when the client posts a response. */
  takesAnswers = false;

  constructor() {
    super(async (method, id, { signal }) => {
      if (method === "tools/call") {
        const done = JSON.stringify({ jsonrpc: "2.0", id, result: { content: [] } });
        return eventsOf(`${this.callEvents}data: ${done}\n\n`);
      }
      if (method !== undefined) return undefined;
      this.ids.push(id);
      this.most = Math.max(this.most, ++this.open);
      const ended = this.takesAnswers ? Promise.resolve() : new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      await ended.finally(() => this.open--);
      return new Response(null, { status: 202 });
    });
    this.other = ({ method }) => {
      if (method !== "GET" || this.streamEvents === "") return new Response(null, { status: 405 });
      const start = new TextEncoder().encode(this.streamEvents);
      return eventsOf(new ReadableStream({ start: (controller) => controller.enqueue(start) }));
    };
  }
}

function eventsOf(body: BodyInit): Response {
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

const url = "https://mcp.example/mcp";

const rows = [["a call", "callEvents"], ["the session", "streamEvents"]] as const;
for (const [place, member] of rows) {
  Deno.test(`http: limits concurrent responses to the requests in the stream of ${place}`, async () => {
    const server = new AskingServer();
    server[member] = pings(1_000);
    await using client = await server.dial();
    assertEquals((await client.callTool("any")).content, []);
    await until(() => server.open > 0, "the first answer");
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert(server.most <= 64, `${server.most} answers at once`);
  });
}

Deno.test("http: responds to every request of a server that accepts the responses", async () => {
  const server = new AskingServer();
  server.takesAnswers = true;
  server.callEvents = pings(20);
  await using client = await server.dial();
  for (let round = 1; round <= 10; round++) {
    await client.callTool("any");
    await until(() => server.ids.length === round * 20, "the answers");
  }
  assertEquals(new Set(server.ids).size, 20);
});

Deno.test("dial: shows the user at most 32 questions of a server at once", async () => {
  const server = new AskingServer();
  server.takesAnswers = true;
  server.callEvents = pings(40).replaceAll(
    '"ping"',
    '"elicitation/create","params":{"message":"?","requestedSchema":{}}',
  );
  let shown = 0;
  const never = new Promise<never>(() => {});
  const onElicit = () => {
    shown++;
    return never;
  };
  await using client = await server.dial({ onElicit });
  await client.callTool("any");
  await until(() => server.ids.length === 8, "the refusals");
  assertEquals(shown, 32);
});

const events: LinkEvents = {
  onNotification: () => {},
  onRequest: () => Promise.resolve({}),
  onClosed: () => {},
};

Deno.test("http: gives up on time if the server accepts neither a response nor a notification", async () => {
  const server = new AskingServer();
  server.streamEvents = pings(1_000);
  const options = { fetch: asFetch(server.fetch) };
  const link = new HttpLink(new URL(url), { options, events, tellMs: 30 });
  link.revision = "2025-11-25";
  link.listen();
  await until(() => server.open > 0, "the first answer");
  await until(() => server.open === 0, "the end of the answers");
  const count = server.ids.length;
  assert(count <= 64, `${count} answers`);
  // Each request has freed its place.
  server.callEvents = pings(1);
  const call = { method: "tools/call", params: {}, onNotification: () => {} };
  await link.request({ ...call, signal: new AbortController().signal });
  await until(() => server.ids.length > count, "another answer");
  await link.close();
  const fetch = () => new Promise<never>(() => {});
  const silent = new HttpLink(new URL(url), { options: { fetch }, events, tellMs: 30 });
  silent.revision = "2025-11-25";
  assertEquals(await codeOf(silent.notify("notifications/initialized", {})), "mcp_timeout");
});
