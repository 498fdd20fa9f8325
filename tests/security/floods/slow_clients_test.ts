/** Clients that are slow, leave or lie, and work that never ends: under both listeners where both can. */
import type { Ctx } from "../../../mod.ts";
import { type Framework, type HostileRequest, testHostileRequests } from "../hostile.ts";
import { requestText } from "../raw_client.ts";
import {
  ask,
  get,
  inPatience,
  longTime,
  never,
  newApp,
  statuses,
  type Step,
  stuckBody,
  talk,
  wait,
} from "./slow_client.ts";

type Row = HostileRequest;

const keepAlive = requestText("GET /", { Connection: "keep-alive" });

const deadlineRows: readonly Row[] = [
  [
    "a handler that never answers",
    "the handler's deadline",
    "503",
    async (fw) => (await ask(fw, never)).slice(0, 3),
  ],
  [
    "a handler that waits for a body that it never reads",
    "the handler's deadline",
    "503",
    async (fw) =>
      (await ask(fw, never, { init: { method: "POST", body: stuckBody() } })).slice(0, 3),
  ],
  [
    "a handler that waits for its own signal only",
    "the handler's deadline",
    "503",
    async (fw) =>
      (await ask(fw, (c) => {
        const aborted = new Promise((_, reject) => c.signal.addEventListener("abort", reject));
        return Promise.race([aborted, never()]);
      })).slice(0, 3),
  ],
  ...(["deno", "node"] as const).map((
    listener,
  ): Row => [
    `a handler that never answers, over a socket of ${listener}`,
    "the handler's deadline",
    "503 closed",
    async (fw) =>
      statuses(await talk(fw, listener, { steps: [requestText("GET /")], handler: never })),
  ]),
  [
    "a handler that answers after its deadline with an endless body",
    "late answers are given up",
    true,
    async (fw) => {
      let isCancelled = false;
      await ask(fw, async () => {
        await wait(400);
        return new Response(new ReadableStream({ cancel: () => void (isCancelled = true) }));
      });
      await wait(500);
      return isCancelled;
    },
  ],
  [
    "a body that stops in the middle, read as text",
    "the body's deadline",
    "408",
    async (fw) =>
      (await ask(fw, (c) => c.request.text(), { init: { method: "POST", body: stuckBody() } }))
        .slice(0, 3),
  ],
  [
    "a form that stops in the middle",
    "the body's deadline",
    "408",
    async (fw) =>
      (await ask(fw, (c) => c.form("a"), {
        init: {
          method: "POST",
          body: stuckBody(),
          headers: { "content-type": "application/x-www-form-urlencoded" },
        },
      })).slice(0, 3),
  ],
  ...(["deno", "node"] as const).map((
    listener,
  ): Row => [
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
  // Proxies append what they know of the client, so that what is dropped at the end is what counts.
  ...[128, 1_000, 5_000].map((
    count,
  ): Row => [
    `${count} headers before those that a proxy adds`,
    "the count of headers",
    "431 closed",
    async (fw) => statuses(await talk(fw, "node", behindProxy(count))),
  ]),
  [
    "headers over their count and a body",
    "the count of headers",
    "431 closed",
    async (fw) => statuses(await talk(fw, "node", behindProxy(128, "POST"))),
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
    async (fw) =>
      statuses(
        await talk(fw, "node", {
          steps: [
            requestText(
              "POST /",
              { Connection: "keep-alive", "Content-Length": "2000000" },
              "GET /admin",
            ),
          ],
          settings: { timeouts: { ...longTime, shutdownMs: 300 } },
        }),
      ),
  ],
  ...["/a/../admin", "/./admin", "/x/%2e%2e/admin"].map((
    path,
  ): Row => [
    `the climbing target ${path} under node`,
    "the target as it was sent",
    "400 closed",
    async (fw) =>
      statuses(
        await talk(fw, "node", {
          steps: [requestText(`GET ${path}`)],
          handler: (c) => c.text(200, ""),
        }),
      ),
  ]),
  [
    "a URL over the limit of the head",
    "the target's limit",
    "414",
    async (fw) =>
      (await ask(fw, (c) => c.text(200, ""), { path: `/?${"x".repeat(2_000)}` })).slice(0, 3),
  ],
];

/** A request to which a proxy has added the client's address, behind `count` headers of the client. */
function behindProxy(count: number, method: "GET" | "POST" = "GET"): Parameters<typeof talk>[2] {
  const body = method === "POST" ? "Content-Length: 100000\r\n" : "";
  const head = `${method} / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${body}`;
  return {
    steps: [`${head}${"a:\r\n".repeat(count)}X-Forwarded-For: 203.0.113.9\r\n\r\n`],
    handler: (c) => c.text(200, c.clientIp ?? "none"),
    settings: {
      trustedProxies: ["127.0.0.1"],
      timeouts: { ...longTime, shutdownMs: 300, maxHeaderBytes: 65_536 },
    },
  };
}

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
