/**
 * Clients that are slow, disconnect or lie, and endless work, with both listeners if both support
 * it.
 */
import { assert, assertEquals } from "@std/assert";
import { App, type Handler, type Settings } from "../../../mod.ts";
import { converse, inTime, listen, listenSettings, requestText } from "../raw_client.ts";

type Listener = "deno" | "node";
type Step = string | number;

interface Talk {
  readonly steps: readonly Step[];
  readonly handler?: Handler;
  readonly timeouts?: NonNullable<Settings["timeouts"]>;
  /** Ends the reading if the server leaves the connection open. */
  readonly until?: string;
}

/** Deadlines that no work exceeds. */
const long = { writeMs: 60_000, readMs: 60_000, idleMs: 60_000, shutdownMs: 300 };
const shortWrites = { ...long, writeMs: 20 };
const shortReads = { ...long, readMs: 20 };
const smallHeads = { ...long, maxHeaderBytes: 1_024 };

function newApp(
  lines: string[],
  { listener, timeouts = long, handler }: {
    readonly listener: Listener;
    readonly timeouts?: NonNullable<Settings["timeouts"]>;
    readonly handler: Handler;
  },
): App {
  const settings = { ...listenSettings(lines), listener };
  const app = new App({ ...settings, timeouts: { drainMs: 0, ...timeouts } });
  for (const pattern of ["/", "/admin"]) {
    app.route({ pattern, csrf: false, methods: { GET: handler, POST: handler } });
  }
  return app;
}

/** Sends pieces with 40 ms before each. */
const slowly = (count: number, piece: (index: number) => string): Step[] =>
  Array.from({ length: count }, (_, index): Step => index % 2 ? piece(index) : 40);

const half: Omit<Talk, "steps"> = {
  handler: (c) => c.request.text().then((text) => c.text(200, text)),
  timeouts: shortReads,
  until: "body_timeout",
};
const headers = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`X-${i}`, "xxxxxxxxxx"]));
const hidden = { Connection: "keep-alive", "Content-Length": "2000000" };
const both: readonly Listener[] = ["deno", "node"];

const talks: readonly [name: string, listeners: readonly Listener[], talk: Talk, want: number][] = [
  ["a handler that never responds", both, {
    steps: [requestText("GET /")],
    handler: () => new Promise<never>(() => {}),
    timeouts: shortWrites,
  }, 503],
  ["a body that stops halfway", both, {
    steps: [requestText("POST /", { "Content-Length": "10" }, "abc")],
    ...half,
  }, 408],
  ["a body that stops halfway, read from a clone", both, {
    steps: [requestText("POST /", { "Content-Length": "10" }, "abc")],
    ...half,
    handler: (c) => c.request.clone().text().then((text) => c.text(200, text)),
  }, 408],
  ["a body that stops halfway, read from an assigned request", both, {
    steps: [requestText("POST /", { "Content-Length": "10" }, "abc")],
    ...half,
    handler: (c) => {
      c.request = new Request(c.request, { headers: {} });
      return c.request.text().then((text) => c.text(200, text));
    },
  }, 408],
  ["a body that arrives one byte at a time", ["deno"], {
    steps: [requestText("POST /", { "Content-Length": "100" }), ...slowly(30, () => "x")],
    ...half,
    timeouts: { ...long, readMs: 200 },
  }, 408],
  ["a client that connects and sends nothing", ["node"], { steps: [], timeouts: shortReads }, 408],
  ["half a request line", ["node"], { steps: ["GET / HT"], timeouts: shortReads }, 408],
  ["a head without its end", ["node"], {
    steps: ["GET / HTTP/1.1\r\nHost: a\r\n"],
    timeouts: shortReads,
  }, 408],
  ["a head that arrives one header at a time", ["node"], {
    steps: ["GET / HTTP/1.1\r\nHost: a\r\n", ...slowly(60, (i) => `X-${i}: a\r\n`)],
    timeouts: shortReads,
  }, 408],
  ["an idle connection after its response", ["node"], {
    steps: [requestText("GET /", { Connection: "keep-alive" })],
    timeouts: { ...long, idleMs: 20 },
  }, 200],
  ["one header over the header limit", ["node"], {
    steps: [requestText("GET /", { "X-Long": "x".repeat(2_000) })],
    timeouts: smallHeads,
  }, 431],
  ["many small headers over the limit", ["node"], {
    steps: [requestText("GET /", headers)],
    timeouts: smallHeads,
  }, 431],
  ["a request hidden in a body that no handler reads", ["node"], {
    steps: [requestText("POST /", hidden, "GET /admin")],
  }, 413],
];

for (const [name, listeners, { steps, until, ...served }, want] of talks) {
  for (const listener of listeners) {
    Deno.test(`slow clients, ${listener}: ${name} gets ${want}, and the connection closes`, async () => {
      const lines: string[] = [];
      const app = newApp(lines, { listener, handler: (c) => c.text(200, "ok"), ...served });
      await using server = await listen(app, lines);
      const text = await converse(server, steps, until);
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) =>
        Number(status)
      );
      assertEquals(statuses, [want]);
    });
  }
}

const bodies: readonly [name: string, handler: Handler][] = [
  ["a large answer", (c) => c.text(200, "x".repeat(64_000_000))],
  ["an endless body", () =>
    new Response(
      new ReadableStream(
        { pull: (controller) => controller.enqueue(new Uint8Array(262_144)) },
        { highWaterMark: 0 },
      ),
    )],
];

for (const [name, handler] of bodies) {
  Deno.test(`slow clients, node: a client that does not read ${name} is disconnected`, async () => {
    const over = Promise.withResolvers<void>();
    const lines: string[] = [];
    const app = newApp(lines, {
      listener: "node",
      timeouts: shortWrites,
      handler: (c) => {
        // Under node the signal belongs to the connection: it aborts when the server closes it.
        c.request.signal.addEventListener("abort", () => over.resolve());
        return handler(c);
      },
    });
    await using server = await listen(app, lines);
    using connection = await Deno.connect(server);
    await connection.write(new TextEncoder().encode(requestText("GET /")));
    await inTime(over.promise, () => "the client was not cut off");
  });
}

Deno.test("slow clients, node: of requests sent ahead without reading, only the first runs", async () => {
  const over = Promise.withResolvers<void>();
  const lines: string[] = [];
  let calls = 0;
  const handler: Handler = (c) => {
    calls++;
    c.request.signal.addEventListener("abort", () => over.resolve());
    return c.text(200, "x".repeat(64_000_000));
  };
  {
    const app = newApp(lines, { listener: "node", timeouts: shortWrites, handler });
    await using server = await listen(app, lines);
    using connection = await Deno.connect(server);
    const start = requestText("GET /", { Connection: "keep-alive" });
    await connection.write(new TextEncoder().encode(start.repeat(20)));
    await inTime(over.promise, () => "the client was not cut off");
  }
  assertEquals(calls, 1);
});

Deno.test("slow clients, node: over 100 requests sent ahead end the connection", async () => {
  const lines: string[] = [];
  const handler: Handler = (c) => c.text(200, "x");
  const app = newApp(lines, { listener: "node", handler });
  await using server = await listen(app, lines);
  using connection = await Deno.connect(server);
  const pieces = connection.readable.pipeThrough(new TextDecoderStream()).values();
  let text = "";
  for (const [sent, all] of [[100, 100], [100, 200], [101, 200]] as const) {
    const ahead = requestText("GET /", { Connection: "keep-alive" }).repeat(sent);
    await connection.write(new TextEncoder().encode(ahead));
    while ((text.match(/HTTP\/1\.1 200/g)?.length ?? 0) < all) {
      const { done, value } = await pieces.next();
      assert(!done);
      text += value;
    }
  }
  const end = await pieces.next().catch(() => ({ done: true }));
  assert(end.done);
});

Deno.test("slow clients, node: a client cannot keep the connection of a refused CONNECT", async () => {
  const lines: string[] = [];
  const handler: Handler = (c) => c.text(200, "x");
  await using server = await listen(newApp(lines, { listener: "node", handler }), lines);
  using connection = await Deno.connect(server);
  const send = async (): Promise<never> => {
    for (;;) await connection.write(new TextEncoder().encode(requestText("CONNECT a:80")));
  };
  const sent = send().catch(({ name }) => name);
  const name = await inTime(sent, () => "the connection stays open");
  assert(/^(?:BrokenPipe|ConnectionReset)$/.test(name), name);
});
