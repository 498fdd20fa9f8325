/** Streams and late parts that are abused: by what is sent, by whoever reads, by whoever leaves. */
import * as h from "../../../html/mod.ts";
import type { Ctx } from "../../../mod.ts";
import { type Framework, type HostileRequest, testHostileRequests } from "../hostile.ts";
import { requestText } from "../raw_client.ts";
import {
  ask,
  get,
  inPatience,
  letGo,
  longTime,
  never,
  newApp,
  quiet,
  talk,
  wait,
} from "./slow_client.ts";

type Row = HostileRequest;

const streamed = (
  fw: Framework,
  handler: (s: Parameters<Parameters<Ctx["stream"]>[0]>[0]) => void | Promise<void>,
): Promise<string> => ask(fw, (c) => c.stream(handler));

const injected = 'x\n\nevent: admin\ndata: {"role":"root"}\n\n';

const streamRows: readonly Row[] = [
  ...["a\ndata: x", "a\rdata: x", "a\r\n\r\ndata: x", "a\0"].map((
    name,
  ): Row => [
    `an event's name with ${JSON.stringify(name)}`,
    "one line a field",
    "200 ",
    (fw) => streamed(fw, (s) => s.send(name, "d")),
  ]),
  ...["1\ndata: x", "1\r\ndata: x"].map((
    id,
  ): Row => [
    `an event's id with ${JSON.stringify(id)}`,
    "one line a field",
    "200 ",
    (fw) => streamed(fw, (s) => s.send("e", "d", { id })),
  ]),
  [
    "data that ends its event and starts another",
    "a field a line",
    false,
    async (fw) => /^event: admin/m.test(await streamed(fw, (s) => s.send("", injected))),
  ],
  [
    "data with a carriage return",
    "a field a line",
    false,
    async (fw) =>
      /[\r\n]event: admin/.test(await streamed(fw, (s) => s.send("", "x\revent: admin"))),
  ],
  [
    "a comment that becomes an event",
    "a field a line",
    false,
    async (fw) => /^data: x/m.test(await streamed(fw, (s) => s.comment("hi\ndata: x"))),
  ],
  ["a client that reads nothing while events come in", "the stream's buffer", true, async (fw) => {
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
  }],
  [
    "a client that reads nothing while the handler waits for it",
    "sending waits",
    true,
    async (fw) => {
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
  ],
  ["a client that leaves an endless loop behind", "the end stops the loop", true, async (fw) => {
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
  }],
  [
    "HEAD on a stream that never ends",
    "HEAD starts no stream",
    "200 ",
    (fw) => ask(fw, (c) => c.stream(never), { init: { method: "HEAD" } }),
  ],
  [
    "a stream that does not hear that the server stops",
    "shutdown closes streams",
    "stopped",
    async (fw) => {
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
  ],
];

const later = async <T>(value: T): Promise<T> => {
  await wait(2);
  return value;
};

const deferRows: readonly Row[] = [
  [
    "a part that never comes",
    "the parts' deadline",
    true,
    async (fw) =>
      (await ask(fw, (c) => h.main(c.defer(never(), "soon")))).includes("could not be loaded"),
  ],
  [
    "a part that never comes, on the whole page",
    "the parts' deadline",
    true,
    async (fw) =>
      (await ask(fw, (c) => h.main(c.defer(never(), "soon")), { path: "/?fw_late=wait" })).includes(
        "could not be loaded",
      ),
  ],
  ["a part that is rejected", "the error slot", true, async (fw) =>
    (await ask(
      fw,
      (c) => h.main(c.defer(later(0).then(() => Promise.reject(new Error("db"))), "soon")),
      { settings: { timeouts: longTime } },
    )).includes("could not be loaded")],
  [
    "a part that closes its template",
    "parts are escaped",
    false,
    async (fw) =>
      (await ask(fw, (c) => h.main(c.defer(later("</template><script>alert(1)</script>"), "soon"))))
        .includes(
          "<script>alert",
        ),
  ],
  ["a query that leaves the link", "the link is escaped", false, async (fw) => {
    const text = await talk(fw, "deno", {
      steps: [requestText('GET /?"><script>alert(1)</script>')],
      handler: (c) => h.main(c.defer(later("x"), "soon")),
    });
    return text.includes("<script>alert");
  }],
  [
    "a page that fails after it deferred a part that never comes",
    "an error page has no parts",
    true,
    async (fw) => {
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
  ],
  [
    "HEAD on a page with a part that never comes",
    "HEAD waits for no part",
    "200 ",
    (fw) =>
      ask(fw, (c) => h.main(c.defer(never(), "soon")), {
        init: { method: "HEAD" },
        settings: { timeouts: { ...longTime, writeMs: 2_200 } },
      }),
  ],
];

const upgradeRows: readonly Row[] = [
  "https://evil.example",
  "null",
  "http://localhost.evil.example",
].map((
  origin,
): Row => [
  `a WebSocket that a page of ${origin} opens`,
  "foreign origins",
  "HTTP/1.1 403",
  async (fw) =>
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
]);

testHostileRequests("streams", [...streamRows, ...deferRows, ...upgradeRows]);
