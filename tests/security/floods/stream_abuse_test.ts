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
        { settings: { timeouts: longTime } },
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

testHostileRequests("streams", [...streamRows, ...deferRows, ...upgradeRows]);
