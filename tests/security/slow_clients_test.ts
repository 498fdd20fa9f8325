/** Clients that are slow, leave or lie, and work that never ends: under both listeners where both can. */
import * as h from "../../html/mod.ts";
import type { Ctx } from "../../mod.ts";
import type { Route, Settings } from "../../runtime/base/types.ts";
import {
  type Framework,
  type Guard,
  type HostileRequest,
  testHostileRequests,
} from "./mutant_app.ts";
import { requestText } from "./raw_client.ts";

const guards = {
  "the handler's deadline": {
    path: "runtime/guard/deadlines.ts",
    edits: [["if (limitMs === Infinity) return work;", "if (limitMs > 0) return work;"]],
  },
  "the body's deadline": {
    path: "runtime/request/body_deadline.ts",
    edits: [["if (deadline.dueMs > now) continue;", "if (now > 0) continue;"]],
  },
  "late answers are given up": {
    path: "runtime/guard/deadlines.ts",
    edits: [["response.body?.cancel().catch(() => {});", ";"]],
  },
  "the head's deadline": {
    path: "runtime/app/listen_node.ts",
    edits: [["headersTimeout: finite(timeouts.readMs),", "headersTimeout: 0,"]],
  },
  "the idle deadline": {
    path: "runtime/app/listen_node.ts",
    edits: [["keepAliveTimeout: finite(timeouts.idleMs),", "keepAliveTimeout: 0,"]],
  },
  "the head's limit": {
    path: "runtime/app/listen_node.ts",
    edits: [[
      "maxHeaderSize: Math.min(timeouts.maxHeaderBytes, maxNodeHeaderBytes),",
      "maxHeaderSize: maxNodeHeaderBytes,",
    ]],
  },
  "the reader's deadline": {
    path: "runtime/app/listen_node_response.ts",
    edits: [["if (stallMs !== Infinity) startDeadline(deadline);", ""]],
  },
  "an unread body ends the connection": {
    path: "runtime/app/listen_node_response.ts",
    edits: [
      [
        'if (!message.complete && message.method !== "GET") answer.setHeader("connection", "close");',
        "",
      ],
      [
        'if (message.complete || message.method === "GET" || message.method === "HEAD") return;',
        "if (answer) return;",
      ],
    ],
  },
  "the target as it was sent": {
    path: "runtime/app/listen_node_request.ts",
    edits: [["    url: { value: raw },\n", ""]],
  },
  "the target's limit": {
    path: "runtime/app/pipeline.ts",
    edits: [["if (url.length > maxChars) return undefined;", ""]],
  },
  "one line a field": {
    path: "runtime/request/sse_frame.ts",
    edits: [["!/[\\r\\n\\0]/.test(text)", "true"]],
  },
  "a field a line": {
    path: "runtime/request/sse_frame.ts",
    edits: [["if (!/[\\r\\n]/.test(text)) return", "if (text !== undefined) return"]],
  },
  "the stream's buffer": {
    path: "runtime/request/sse.ts",
    edits: [["if (this.#waitingBytes > maxBufferedBytes) {", "if (this.#waitingBytes < 0) {"]],
  },
  "sending waits": {
    path: "runtime/request/sse.ts",
    edits: [[
      "if (this.#waitingBytes <= highWaterBytes) return",
      "if (this.#waitingBytes >= 0) return",
    ]],
  },
  "the end stops the loop": {
    path: "runtime/request/sse.ts",
    edits: [[
      "if (this.#ended !== undefined) return quietRejection(this.#ended);\n    try {",
      "if (this.#ended !== undefined) return Promise.resolve();\n    try {",
    ]],
  },
  "HEAD starts no stream": {
    path: "runtime/request/ctx.ts",
    edits: [["return openStream(this, handler,", "return this.made = openStream(this, handler,"]],
  },
  "HEAD waits for no part": {
    path: "runtime/render/defer.ts",
    edits: [["  c.made = undefined;\n", ""]],
  },
  "shutdown closes streams": {
    path: "runtime/request/sse_registry.ts",
    edits: [["for (const stream of [...this.#open]) stream.close();", ""]],
  },
  "the parts' deadline": {
    path: "runtime/render/defer_parts.ts",
    edits: [["    startDeadline(this.#deadline);\n", ""]],
  },
  "the error slot": {
    path: "runtime/render/defer_parts.ts",
    edits: [["html: this.#slot(waiting.options, error) });", 'html: "" });']],
  },
  "parts are escaped": {
    path: "runtime/render/defer_parts.ts",
    edits: [[
      "(child) => this.#arrive(id, () => childHtml(child)),",
      "(child) => this.#arrive(id, () => String(child)),",
    ]],
  },
  "the link is escaped": {
    path: "runtime/render/defer.ts",
    edits: [['<a href="${escape(href)}">', '<a href="${href}">']],
  },
  "an error page has no parts": {
    path: "runtime/render/defer.ts",
    edits: [[
      "  parts.keep((id, early) => html.includes(openMark(id)) || early.includes(openMark(id)));\n",
      "",
    ]],
  },
  "foreign origins": {
    path: "runtime/app/upgrade.ts",
    edits: [[
      '  refuseForeignOrigin(c, { origin: headers.get("origin"), origins: cors.origins });\n',
      "",
    ]],
  },
} satisfies Record<string, Guard>;

type Row = HostileRequest<keyof typeof guards>;

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** How long a row waits for what should come. */
const patienceMs = 1_700;

async function inPatience<T>(work: Promise<T>): Promise<T | "hangs"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"hangs">((resolve) => {
    timer = setTimeout(() => resolve("hangs"), patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function newApp(
  fw: Framework,
  routes: readonly Route[],
  settings: Settings = {},
): { app: InstanceType<Framework["App"]>; log: () => string } {
  let log = "";
  const app = new fw.App({
    addr: "127.0.0.1:0",
    logger: fw.createLogger({ write: (text) => void (log += text) }),
    timeouts: { writeMs: 20, readMs: 20, idleMs: 20, shutdownMs: 300, maxHeaderBytes: 1_024 },
    ...settings,
  });
  for (const route of routes) app.route(route);
  return { app, log: () => log };
}

const quiet = (fw: Framework): ReturnType<Framework["createLogger"]> =>
  fw.createLogger({ write: () => {} });

const get = (handler: (c: Ctx) => unknown): Route => ({
  pattern: "/",
  methods: {
    GET: handler as NonNullable<Route["page"]>,
    POST: handler as NonNullable<Route["page"]>,
  },
  csrf: false,
});

/** Asks the application without a socket; the status, the text, or that nothing comes. */
async function ask(
  fw: Framework,
  handler: (c: Ctx) => unknown,
  options: { readonly path?: string; readonly init?: RequestInit; readonly settings?: Settings } =
    {},
): Promise<string> {
  const { app } = newApp(fw, [get(handler)], options.settings);
  const request = new Request(`http://localhost${options.path ?? "/"}`, options.init);
  const answered = (async (): Promise<string> => {
    const response = await app.fetch(request);
    return `${response.status} ${await response.text()}`;
  })();
  const outcome = await inPatience(answered);
  letGo();
  await answered;
  return outcome;
}

/** What a raw client does on one connection. */
type Step = string | number;

/**
 * Sends texts and pauses; gives what came back until the server closed, or until it did not.
 */
async function talk(
  fw: Framework,
  listener: "deno" | "node",
  options: {
    readonly steps: readonly Step[];
    readonly handler?: (c: Ctx) => unknown;
    readonly settings?: Settings;
    /** Ends the talk once it is in what came back. */
    readonly until?: string;
  },
): Promise<string> {
  const handler = options.handler ?? ((c: Ctx): Response => c.text(200, "ok"));
  const { app, log } = newApp(fw, [get(handler), {
    pattern: "/admin",
    methods: { GET: handler as NonNullable<Route["page"]> },
  }], {
    listener,
    ...options.settings,
  });
  const served = app.listenAndServe();
  let url: string | undefined;
  while (url === undefined) {
    await wait(1);
    url = /"msg":"listening","url":"([^"]+)"/.exec(log())?.[1];
  }
  const connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(new URL(url).port) });
  try {
    return await inPatience(converse(connection, options));
  } finally {
    letGo();
    connection.close();
    await app.shutdown();
    await served;
  }
}

async function converse(
  connection: Deno.Conn,
  options: { readonly steps: readonly Step[]; readonly until?: string },
): Promise<string> {
  let text = "";
  const send = async (): Promise<void> => {
    for (const step of options.steps) {
      if (typeof step === "number") await wait(step);
      else await connection.write(new TextEncoder().encode(step));
    }
  };
  const sending = send().catch(() => {});
  const buffer = new Uint8Array(65_536);
  try {
    for (;;) {
      const size = await connection.read(buffer);
      if (size === null) break;
      text += new TextDecoder().decode(buffer.subarray(0, size));
      if (options.until !== undefined && text.includes(options.until)) break;
    }
  } catch {
    text += "(reset)";
  }
  await sending;
  return text;
}

/** The statuses in what came back, and whether the server closed. */
const statuses = (text: string): string =>
  text === "hangs"
    ? text
    : [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, s]) => s).join(",") + " closed";

/** What rows hold up, let go when they are over: without its guard a row must end as well. */
const held: (() => void)[] = [];
const never = (): Promise<undefined> =>
  new Promise((resolve) => held.push(() => resolve(undefined)));
const letGo = (): void => held.splice(0).forEach((release) => release());
const stuckBody = (): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      await never();
      controller.close();
    },
  });
const keepAlive = requestText("GET /", { Connection: "keep-alive" });
const longTime = { writeMs: 60_000, readMs: 60_000, idleMs: 60_000 };

const deadlineRows: readonly Row[] = [
  {
    name: "a handler that never answers",
    guard: "the handler's deadline",
    run: async (fw) => (await ask(fw, never)).slice(0, 3),
    want: "503",
  },
  {
    name: "a handler that waits for a body that it never reads",
    guard: "the handler's deadline",
    run: async (fw) =>
      (await ask(fw, never, { init: { method: "POST", body: stuckBody() } })).slice(0, 3),
    want: "503",
  },
  {
    name: "a handler that waits for its own signal only",
    guard: "the handler's deadline",
    run: async (fw) =>
      (await ask(fw, (c) => new Promise((_, reject) => c.signal.addEventListener("abort", reject))))
        .slice(0, 3),
    want: "503",
  },
  ...(["deno", "node"] as const).map((listener): Row => ({
    name: `a handler that never answers, over a socket of ${listener}`,
    guard: "the handler's deadline",
    run: async (fw) =>
      statuses(await talk(fw, listener, { steps: [requestText("GET /")], handler: never })),
    want: "503 closed",
  })),
  {
    name: "a handler that answers after its deadline with an endless body",
    guard: "late answers are given up",
    run: async (fw) => {
      let isCancelled = false;
      await ask(fw, async () => {
        await wait(400);
        return new Response(new ReadableStream({ cancel: () => void (isCancelled = true) }));
      });
      await wait(500);
      return isCancelled;
    },
    want: true,
  },
  {
    name: "a body that stops in the middle, read as text",
    guard: "the body's deadline",
    run: async (fw) =>
      (await ask(fw, (c) => c.request.text(), { init: { method: "POST", body: stuckBody() } }))
        .slice(0, 3),
    want: "408",
  },
  {
    name: "a form that stops in the middle",
    guard: "the body's deadline",
    run: async (fw) =>
      (await ask(fw, (c) => c.form("a"), {
        init: {
          method: "POST",
          body: stuckBody(),
          headers: { "content-type": "application/x-www-form-urlencoded" },
        },
      })).slice(0, 3),
    want: "408",
  },
  ...(["deno", "node"] as const).map((listener): Row => ({
    name: `a body of which half comes, over a socket of ${listener}`,
    guard: "the body's deadline",
    run: async (fw) =>
      statuses(
        await talk(fw, listener, {
          steps: [requestText("POST /", { "Content-Length": "10" }, "abc")],
          handler: (c) => c.request.text(),
          settings: { timeouts: { readMs: 20, writeMs: 60_000, shutdownMs: 300 } },
          until: "body_timeout",
        }),
      ),
    want: "408 closed",
  })),
  {
    name: "a body that comes a byte at a time",
    guard: "the body's deadline",
    run: async (fw) =>
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
    want: "408 closed",
  },
];

const nodeRows: readonly Row[] = [
  {
    name: "a client that connects and says nothing",
    guard: "the head's deadline",
    run: async (fw) => statuses(await talk(fw, "node", { steps: [] })),
    want: "408 closed",
  },
  {
    name: "half a request line",
    guard: "the head's deadline",
    run: async (fw) => statuses(await talk(fw, "node", { steps: ["GET / HT"] })),
    want: "408 closed",
  },
  {
    name: "a head without its end",
    guard: "the head's deadline",
    run: async (fw) =>
      statuses(await talk(fw, "node", { steps: ["GET / HTTP/1.1\r\nHost: a\r\n"] })),
    want: "408 closed",
  },
  {
    name: "a head that comes a header at a time",
    guard: "the head's deadline",
    run: async (fw) =>
      statuses(
        await talk(fw, "node", {
          steps: [
            "GET / HTTP/1.1\r\nHost: a\r\n",
            ...Array.from({ length: 60 }, (_, i): Step => i % 2 ? `X-${i}: a\r\n` : 40),
          ],
        }),
      ),
    want: "408 closed",
  },
  {
    name: "a connection that is left idle after its answer",
    guard: "the idle deadline",
    run: async (fw) =>
      statuses(
        await talk(fw, "node", {
          steps: [keepAlive],
          settings: { timeouts: { ...longTime, idleMs: 20, shutdownMs: 300 } },
        }),
      ),
    want: "200 closed",
  },
  {
    name: "one header over the limit of the head",
    guard: "the head's limit",
    run: async (fw) =>
      statuses(
        await talk(fw, "node", { steps: [requestText("GET /", { "X-Long": "x".repeat(2_000) })] }),
      ),
    want: "431 closed",
  },
  {
    name: "many small headers over the limit of the head",
    guard: "the head's limit",
    run: async (fw) => {
      const headers = Object.fromEntries(
        Array.from({ length: 100 }, (_, i) => [`X-${i}`, "xxxxxxxxxx"]),
      );
      return statuses(await talk(fw, "node", { steps: [requestText("GET /", headers)] }));
    },
    want: "431 closed",
  },
  {
    name: "a client that does not read a large answer",
    guard: "the reader's deadline",
    run: (fw) => unread(fw, (c) => c.text(200, "x".repeat(64_000_000))),
    want: "cut",
  },
  {
    name: "a client that does not read an endless body",
    guard: "the reader's deadline",
    run: (fw) =>
      unread(fw, () =>
        new Response(
          new ReadableStream(
            { pull: (controller) => controller.enqueue(new Uint8Array(262_144)) },
            {
              highWaterMark: 0,
            },
          ),
        )),
    want: "cut",
  },
  {
    name: "a request hidden in a body that nobody reads",
    guard: "an unread body ends the connection",
    run: async (fw) =>
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
    want: "413 closed",
  },
  ...["/a/../admin", "/./admin", "/x/%2e%2e/admin"].map((path): Row => ({
    name: `the climbing target ${path} under node`,
    guard: "the target as it was sent",
    run: async (fw) =>
      statuses(
        await talk(fw, "node", {
          steps: [requestText(`GET ${path}`)],
          handler: (c) => c.text(200, ""),
        }),
      ),
    want: "400 closed",
  })),
  {
    name: "a URL over the limit of the head",
    guard: "the target's limit",
    run: async (fw) =>
      (await ask(fw, (c) => c.text(200, ""), { path: `/?${"x".repeat(2_000)}` })).slice(0, 3),
    want: "414",
  },
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

/** Runs a stream and gives what the client saw. */
const streamed = (
  fw: Framework,
  handler: (s: Parameters<Parameters<Ctx["stream"]>[0]>[0]) => void | Promise<void>,
): Promise<string> => ask(fw, (c) => c.stream(handler));

const injected = 'x\n\nevent: admin\ndata: {"role":"root"}\n\n';

const streamRows: readonly Row[] = [
  ...["a\ndata: x", "a\rdata: x", "a\r\n\r\ndata: x", "a\0"].map((name): Row => ({
    name: `an event's name with ${JSON.stringify(name)}`,
    guard: "one line a field",
    run: (fw) => streamed(fw, (s) => s.send(name, "d")),
    want: "200 ",
  })),
  ...["1\ndata: x", "1\r\ndata: x"].map((id): Row => ({
    name: `an event's id with ${JSON.stringify(id)}`,
    guard: "one line a field",
    run: (fw) => streamed(fw, (s) => s.send("e", "d", { id })),
    want: "200 ",
  })),
  {
    name: "data that ends its event and starts another",
    guard: "a field a line",
    run: async (fw) => /^event: admin/m.test(await streamed(fw, (s) => s.send("", injected))),
    want: false,
  },
  {
    name: "data with a carriage return",
    guard: "a field a line",
    run: async (fw) =>
      /[\r\n]event: admin/.test(await streamed(fw, (s) => s.send("", "x\revent: admin"))),
    want: false,
  },
  {
    name: "a comment that becomes an event",
    guard: "a field a line",
    run: async (fw) => /^data: x/m.test(await streamed(fw, (s) => s.comment("hi\ndata: x"))),
    want: false,
  },
  {
    name: "a client that reads nothing while events come in",
    guard: "the stream's buffer",
    run: async (fw) => {
      let isOver = false;
      const { app } = newApp(fw, [get((c) =>
        c.stream(async (s) => {
          for (let sent = 0; sent < 3_000; sent++) s.send("", "x".repeat(1_024));
          isOver = s.signal.aborted;
          await never();
        })
      )]);
      const response = await app.fetch(new Request("http://localhost/"));
      const reader = response.body?.getReader();
      await reader?.read();
      await wait(5);
      await reader?.cancel();
      return isOver;
    },
    want: true,
  },
  {
    name: "a client that reads nothing while the handler waits for it",
    guard: "sending waits",
    run: async (fw) => {
      let sent = 0;
      const { app } = newApp(fw, [get((c) =>
        c.stream(async (s) => {
          for (; sent < 500; sent++) await s.send("", "x".repeat(1_024));
        })
      )]);
      const response = await app.fetch(new Request("http://localhost/"));
      const reader = response.body?.getReader();
      await reader?.read();
      await wait(20);
      await reader?.cancel();
      return sent < 100;
    },
    want: true,
  },
  {
    name: "a client that leaves an endless loop behind",
    guard: "the end stops the loop",
    run: async (fw) => {
      let rounds = 0;
      const { app } = newApp(fw, [get((c) =>
        c.stream(async (s) => {
          for (; rounds < 500; rounds++) {
            await s.send("", "x");
            await wait(1);
          }
        })
      )]);
      const response = await app.fetch(new Request("http://localhost/"));
      const reader = response.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await wait(50);
      const before = rounds;
      await wait(50);
      // So that a loop without its guard ends as well.
      const isStopped = rounds === before;
      rounds = 500;
      await wait(5);
      return isStopped;
    },
    want: true,
  },
  {
    name: "HEAD on a stream that never ends",
    guard: "HEAD starts no stream",
    run: (fw) => ask(fw, (c) => c.stream(never), { init: { method: "HEAD" } }),
    want: "200 ",
  },
  {
    name: "a stream that does not hear that the server stops",
    guard: "shutdown closes streams",
    run: async (fw) => {
      const release = Promise.withResolvers<void>();
      const { app } = newApp(fw, [get((c) => c.stream(() => release.promise))]);
      const response = await app.fetch(new Request("http://localhost/"));
      const text = response.text();
      await wait(5);
      const stopped = app.shutdown().then(() => "stopped");
      const outcome = await inPatience(stopped);
      release.resolve();
      await Promise.all([stopped, text]);
      return outcome;
    },
    want: "stopped",
  },
];

const later = async <T>(value: T): Promise<T> => {
  await wait(2);
  return value;
};

const deferRows: readonly Row[] = [
  {
    name: "a part that never comes",
    guard: "the parts' deadline",
    run: async (fw) =>
      (await ask(fw, (c) => h.main(c.defer(never(), "soon")))).includes("could not be loaded"),
    want: true,
  },
  {
    name: "a part that never comes, on the whole page",
    guard: "the parts' deadline",
    run: async (fw) =>
      (await ask(fw, (c) => h.main(c.defer(never(), "soon")), { path: "/?fw_late=wait" })).includes(
        "could not be loaded",
      ),
    want: true,
  },
  {
    name: "a part that is rejected",
    guard: "the error slot",
    run: async (fw) =>
      (await ask(
        fw,
        (c) => h.main(c.defer(later(0).then(() => Promise.reject(new Error("db"))), "soon")),
        {
          settings: { timeouts: longTime },
        },
      )).includes("could not be loaded"),
    want: true,
  },
  {
    name: "a part that closes its template",
    guard: "parts are escaped",
    run: async (fw) =>
      (await ask(fw, (c) => h.main(c.defer(later("</template><script>alert(1)</script>"), "soon"))))
        .includes(
          "<script>alert",
        ),
    want: false,
  },
  {
    name: "a query that leaves the link",
    guard: "the link is escaped",
    run: async (fw) => {
      const text = await talk(fw, "deno", {
        steps: [requestText('GET /?"><script>alert(1)</script>')],
        handler: (c) => h.main(c.defer(later("x"), "soon")),
      });
      return text.includes("<script>alert");
    },
    want: false,
  },
  {
    name: "a page that fails after it deferred a part that never comes",
    guard: "an error page has no parts",
    run: async (fw) => {
      const app = new fw.App({ logRequest: () => false, timeouts: longTime, logger: quiet(fw) }, {
        error: () => h.p("the error page"),
      });
      app.route({
        pattern: "/",
        page: (c) => {
          c.defer(never(), "soon");
          throw new Error("early");
        },
      });
      const answered = app.fetch(new Request("http://localhost/")).then((answer) => answer.text());
      const outcome = await inPatience(answered);
      letGo();
      await answered;
      return outcome.includes("the error page");
    },
    want: true,
  },
  {
    name: "HEAD on a page with a part that never comes",
    guard: "HEAD waits for no part",
    run: (fw) =>
      ask(fw, (c) => h.main(c.defer(never(), "soon")), {
        init: { method: "HEAD" },
        settings: { timeouts: { ...longTime, writeMs: 2_200 } },
      }),
    want: "200 ",
  },
];

const upgradeRows: readonly Row[] = [
  "https://evil.example",
  "null",
  "http://localhost.evil.example",
].map((
  origin,
): Row => ({
  name: `a WebSocket that a page of ${origin} opens`,
  guard: "foreign origins",
  run: async (fw) =>
    (await talk(fw, "deno", {
      steps: [
        requestText("GET /", {
          Connection: "Upgrade",
          Upgrade: "websocket",
          "Sec-WebSocket-Version": "13",
          "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
          Origin: origin,
        }),
      ],
      handler: (c) => c.upgrade().response,
      until: "\r\n\r\n",
    })).slice(0, 12),
  want: "HTTP/1.1 403",
}));

testHostileRequests("slow clients", {
  guards,
  rows: [...deadlineRows, ...nodeRows, ...streamRows, ...deferRows, ...upgradeRows],
});
