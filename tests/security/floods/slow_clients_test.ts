/** Clients that are slow, leave or lie, and work that never ends: under both listeners where both can. */
import type { Ctx } from "../../../mod.ts";
import { type Framework, type HostileRequest, testHostileRequests } from "../hostile.ts";
import { requestText } from "../raw_client.ts";
import {
  get,
  inPatience,
  longTime,
  never,
  newApp,
  statuses,
  type Step,
  talk,
  wait,
} from "./slow_client.ts";

type Row = HostileRequest;

const keepAlive = requestText("GET /", { Connection: "keep-alive" });

const deadlineRows: readonly Row[] = [
  ...(["deno", "node"] as const).map((listener): Row => [
    `a handler that never answers, over a socket of ${listener}`,
    "the handler's deadline",
    "503 closed",
    async (fw) =>
      statuses(await talk(fw, listener, { steps: [requestText("GET /")], handler: never })),
  ]),
  ...(["deno", "node"] as const).map((listener): Row => [
    `a body of which half comes, over a socket of ${listener}`,
    "the body's deadline",
    "408 closed",
    async (fw) =>
      statuses(
        await talk(fw, listener, {
          steps: [requestText("POST /", { "Content-Length": "10" }, "abc")],
          handler: (c) => c.request.text(),
          settings: { timeouts: { readMs: 20, writeMs: 60_000, shutdownMs: 300 } },
          until: "body_timeout",
        }),
      ),
  ]),
  [
    "a body that comes a byte at a time",
    "the body's deadline",
    "408 closed",
    async (fw) =>
      statuses(
        await talk(fw, "deno", {
          steps: [
            requestText("POST /", { "Content-Length": "100" }),
            ...Array.from({ length: 30 }, (_, i): Step => i % 2 ? "x" : 40),
          ],
          handler: (c) => c.request.text(),
          settings: { timeouts: { readMs: 200, writeMs: 60_000, shutdownMs: 300 } },
          until: "body_timeout",
        }),
      ),
  ],
];

const nodeRows: readonly Row[] = [
  [
    "a client that connects and says nothing",
    "the head's deadline",
    "408 closed",
    async (fw) => statuses(await talk(fw, "node", { steps: [] })),
  ],
  [
    "half a request line",
    "the head's deadline",
    "408 closed",
    async (fw) => statuses(await talk(fw, "node", { steps: ["GET / HT"] })),
  ],
  [
    "a head without its end",
    "the head's deadline",
    "408 closed",
    async (fw) => statuses(await talk(fw, "node", { steps: ["GET / HTTP/1.1\r\nHost: a\r\n"] })),
  ],
  [
    "a head that comes a header at a time",
    "the head's deadline",
    "408 closed",
    async (fw) =>
      statuses(
        await talk(fw, "node", {
          steps: [
            "GET / HTTP/1.1\r\nHost: a\r\n",
            ...Array.from({ length: 60 }, (_, i): Step => i % 2 ? `X-${i}: a\r\n` : 40),
          ],
        }),
      ),
  ],
  [
    "a connection that is left idle after its answer",
    "the idle deadline",
    "200 closed",
    async (fw) =>
      statuses(
        await talk(fw, "node", {
          steps: [keepAlive],
          settings: { timeouts: { ...longTime, idleMs: 20, shutdownMs: 300 } },
        }),
      ),
  ],
  [
    "one header over the limit of the head",
    "the head's limit",
    "431 closed",
    async (fw) =>
      statuses(
        await talk(fw, "node", { steps: [requestText("GET /", { "X-Long": "x".repeat(2_000) })] }),
      ),
  ],
  [
    "many small headers over the limit of the head",
    "the head's limit",
    "431 closed",
    async (fw) => {
      const headers = Object.fromEntries(
        Array.from({ length: 100 }, (_, i) => [`X-${i}`, "xxxxxxxxxx"]),
      );
      return statuses(await talk(fw, "node", { steps: [requestText("GET /", headers)] }));
    },
  ],
  [
    "a client that does not read a large answer",
    "the reader's deadline",
    "cut",
    (fw) => unread(fw, (c) => c.text(200, "x".repeat(64_000_000))),
  ],
  [
    "a client that does not read an endless body",
    "the reader's deadline",
    "cut",
    (fw) =>
      unread(fw, () =>
        new Response(
          new ReadableStream(
            { pull: (controller) => controller.enqueue(new Uint8Array(262_144)) },
            { highWaterMark: 0 },
          ),
        )),
  ],
  [
    "a request hidden in a body that nobody reads",
    "an unread body ends the connection",
    "413 closed",
    async (fw) => {
      const head = { Connection: "keep-alive", "Content-Length": "2000000" };
      const steps = [requestText("POST /", head, "GET /admin")];
      const settings = { timeouts: { ...longTime, shutdownMs: 300 } };
      return statuses(await talk(fw, "node", { steps, settings }));
    },
  ],
];

/** Asks and does not read: whether the server gives the client up. */
async function unread(fw: Framework, handler: (c: Ctx) => unknown): Promise<string> {
  const over = Promise.withResolvers<"cut">();
  const { app, log } = newApp(fw, [get((c) => {
    // Under node the signal is the connection's: it aborts when the server cuts it.
    c.request.signal.addEventListener("abort", () => over.resolve("cut"));
    return handler(c);
  })], { listener: "node" });
  const served = app.listenAndServe();
  while (!log().includes("listening")) await wait(1);
  const port = Number(new URL(/"url":"([^"]+)"/.exec(log())?.[1] ?? "").port);
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  try {
    await connection.write(new TextEncoder().encode(requestText("GET /")));
    return await inPatience(over.promise);
  } finally {
    connection.close();
    await app.shutdown();
    await served;
  }
}

testHostileRequests("slow clients", [...deadlineRows, ...nodeRows]);
