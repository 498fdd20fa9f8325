/** The same requests with both listeners, over real sockets; differences are marked in the row. */
import { App, type Ctx, type Handler, type Settings } from "../../../mod.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import * as h from "../../../html/mod.ts";
import {
  converse,
  listen,
  listenSettings,
  parseAnswer,
  requestText,
  sendRaw,
} from "../../security/raw_client.ts";
import type { Listening, RawAnswer } from "../../security/raw_client.ts";

type Kind = "deno" | "node";
const kinds: readonly Kind[] = ["deno", "node"];

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Seen {
  readonly notes: string[];
}

function serverApp(settings: Settings, seen: Seen): App {
  const app = new App(settings);
  const get = (pattern: string, GET: Handler): void => app.route({ pattern, methods: { GET } });
  const echo = async (c: Ctx): Promise<Response> =>
    c.text(200, `${c.method} ${await c.request.text()}`);
  const GET: Handler = (c) => c.text(200, "root");
  app.route({ pattern: "/", methods: { GET, POST: echo, PUT: echo, DELETE: echo } });
  get("/url", (c) => c.text(200, c.url.href));
  get("/big", (c) => c.text(200, "x".repeat(300_000)));
  get("/empty", (c) => c.noContent());
  get("/old", (c) => c.redirect("/url", 301));
  get("/tag", (c) => c.etag("v1") ? undefined : c.text(200, "whole"));
  get("/cookies", (c) => {
    c.setCookie({ name: "a", value: "1" });
    c.setCookie({ name: "b", value: "2" });
    return c.text(200, c.cookie("in") ?? "none");
  });
  get("/three", (c) => c.text(200, ["a", "b", "c"].map((name) => c.cookie(name)).join()));
  get("/peer", (c) => c.text(200, String(c.request.headers.get("x-two"))));
  get("/ip", (c) => c.text(200, c.clientIp ?? "none"));
  get("/stream", (c) =>
    c.stream(async (s) => {
      s.signal.addEventListener("abort", () => seen.notes.push("stream over"));
      await s.send("first", "1");
      if (c.query("go") === "on") {
        for (;;) await s.send("", "x".repeat(1_024)).then(() => wait(1));
      }
    }));
  app.route({
    pattern: "/late",
    page: (c) => h.main(c.defer(wait(5).then(() => h.b("late")), "soon")),
  });
  get("/broken", () => {
    throw new Error("broken");
  });
  get("/cut", () =>
    new Response(
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("part")),
        pull: async (controller) => {
          await wait(5);
          controller.error(new Error("mid"));
        },
      }),
    ));
  get("/endless", () =>
    new Response(
      new ReadableStream({
        pull: async (controller) => {
          await wait(1);
          controller.enqueue(new Uint8Array(1_024));
        },
        cancel: () => void seen.notes.push("body over"),
      }),
    ));
  get("/stuck", () => new Promise<never>(() => {}));
  get("/slow", async (c) => {
    seen.notes.push("slow began");
    await wait(200);
    return c.text(200, "slow");
  });
  return app;
}

async function withServer(
  listener: Kind,
  test: (server: Listening, seen: Seen, app: App) => Promise<void>,
  settings: Settings = {},
): Promise<void> {
  const lines: string[] = [];
  const seen: Seen = { notes: [] };
  const app = serverApp({ ...listenSettings(lines), listener, ...settings }, seen);
  await using server = await listen(app, lines);
  await test(server, seen, app);
}

/**
 * Expected responses of both listeners: a status, the status and the body, or a function that
 * checks them.
 */
type Want = number | [status: number, body: string] | ((answer: RawAnswer) => void);
type Row = [name: string, request: string, want: Want];

const has = (name: string, want: unknown[]): Want => (a) =>
  assertEquals([a.status, a.body, a.headers.get(name)], want);

function verify(answer: RawAnswer, want: Want): void {
  if (typeof want === "number") assertEquals(answer.status, want);
  else if (typeof want === "function") want(answer);
  else assertEquals([answer.status, answer.body], want);
}

const get = (path: string, headers: Record<string, string> = {}): string =>
  requestText(`GET ${path}`, headers);

const rows: readonly Row[] = [
  ["GET", get("/"), has("content-length", [200, "root", "4"])],
  ["HEAD", requestText("HEAD /"), has("content-length", [200, "", "4"])],
  ["a length", requestText("POST /", { "content-length": "5" }, "hello"), [200, "POST hello"]],
  [
    "POST in chunks",
    requestText("POST /", { "transfer-encoding": "chunked" }, "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"),
    [200, "POST abcde"],
  ],
  [
    "a malformed chunk is refused at once",
    requestText("POST /", { "transfer-encoding": "chunked" }, "3\r\nabc\r\nzz\r\n"),
    // Deno's listener closes the connection.
    (a) => assert(a.status === 400 || a.text === "", a.text),
  ],
  ["POST without a body", requestText("POST /", { "content-length": "0" }), [200, "POST "]],
  ["PUT", requestText("PUT /", { "content-length": "1" }, "x"), [200, "PUT x"]],
  [
    "an unknown method",
    requestText("PATCH /", { "content-length": "0" }),
    (a) => assertEquals([a.status, a.headers.get("allow")], [405, "GET, HEAD, POST, PUT, DELETE"]),
  ],
  ["TRACE", requestText("TRACE /"), 405],
  ...["CONNECT a:80", "CONNECT /url"].map((
    line,
  ): Row => [`${line} is refused`, requestText(line), 400]),
  [
    "an Upgrade to a protocol that it does not speak is ignored (RFC 9110, section 7.8)",
    get("/url", { Upgrade: "h2c", Connection: "upgrade, close" }),
    200,
  ],
  [
    "a request after such an Upgrade is answered, or the connection closes",
    requestText("GET /url", { Upgrade: "h2c", Connection: "upgrade" }) + get("/url"),
    (a) => {
      const isClosing = a.headers.get("connection") === "close";
      assertEquals(a.text.match(/ 200 OK/g)?.length, isClosing ? 1 : 2);
    },
  ],
  ["a URL with a query", get("/url?a=b%20c&d"), [200, "http://localhost/url?a=b%20c&d"]],
  ["nothing there", get("/none"), 404],
  ["a failure", get("/broken"), 500],
  ["a large answer", get("/big"), (a) => assert((a.text.match(/x/g)?.length ?? 0) >= 300_000)],
  ["204", get("/empty"), has("content-type", [204, "", null])],
  ["moved", get("/old"), (a) => assertEquals([a.status, a.headers.get("location")], [301, "/url"])],
  ["304", get("/tag", { "if-none-match": '"v1"' }), has("etag", [304, "", '"v1"'])],
  ["cookies both ways", get("/cookies", { cookie: "in=7" }), (a) => {
    assertEquals(a.body, "7");
    assertEquals(a.headers.getSetCookie().map((text) => text.split(";")[0]), ["a=1", "b=2"]);
  }],
  [
    "a header sent twice",
    "GET /peer HTTP/1.1\r\nHost: localhost\r\nX-Two: a\r\nX-Two: b\r\nConnection: close\r\n\r\n",
    [200, "a, b"],
  ],
  [
    "cookies on several lines are read as one list",
    "GET /three HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" +
    "Cookie: a=1\r\nCookie: b=2; x=0\r\ncookie: c=3\r\n\r\n",
    [200, "1,2,3"],
  ],
  // Both may follow in one packet, while the first request is still handled.
  ...["GET / HTTP/1.1\r\nHost: a\r\n\r\n", "no request\r\n\r\n"].map((rest): Row => [
    `the response to a request is sent before ${rest.slice(0, 5)} is refused`,
    requestText("POST /", { "content-length": "2" }, `ab${rest}`),
    [200, "POST ab"],
  ]),
  [
    "an absolute target without a path",
    requestText("GET http://localhost", {}),
    [200, "root"],
  ],
  ["a stream", get("/stream"), (a) => {
    assertEquals(a.headers.get("content-type"), "text/event-stream");
    assertStringIncludes(a.text, "event: first\ndata: 1\n\n");
  }],
  ["a late part", get("/late"), (a) => assertStringIncludes(a.text, '-1"><b>late</b></template>')],
  [
    "a late part whose link repeats a raw query",
    get('/late?"><script>alert(1)</script>'),
    (a) => assert(!a.text.includes("<script>alert")),
  ],
  [
    "a body that fails midway is truncated, not completed",
    get("/cut"),
    (a) => assert(!a.text.includes("\r\n0\r\n")),
  ],
  ...["a/../admin", "a b", "evil@localhost", "a?b"].map((host): Row => [
    `the host ${host} is refused`,
    `GET /url HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    400,
  ]),
  ...([
    ["GET", "*", "localhost/url?"],
    ["OPTIONS", "*foo", "localhost/url?"],
    ["GET", "?x", "localhost/url"],
    ["GET", "url", "localhost/"],
    ["GET", ":80/url", "localhost"],
    ["GET", "@evil.example/url", "localhost"],
  ] as const).map(([method, target, host]): Row => [
    `the host ${host} finds no path for ${method} ${target}`,
    `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
    400,
  ]),
  ...["GET /url", "GET /url HTTP/0.9", "GET /url HTTP/1.2", "GET /url HTTP/2.0"].map((
    line,
  ): Row => [
    `a version that it does not speak is refused: ${line}`,
    `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    (a) => {
      assert([0, 400].includes(a.status), a.text);
      assert(!a.body.includes("/url"), a.text);
    },
  ]),
  [
    "HTTP/1.0 with Transfer-Encoding is refused, and its body is not a second request",
    "POST / HTTP/1.0\r\nHost: localhost\r\nConnection: keep-alive\r\n" +
    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + get("/url"),
    (a) => {
      assertEquals(a.status, 400);
      assert(!a.text.includes("200 OK"), a.text);
    },
  ],
  ["an absolute target on another host is refused", get("http://evil.example/url"), 400],
  [
    "two hosts are refused",
    "GET /url HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\nConnection: close\r\n\r\n",
    400,
  ],
  [
    "a body over the limit gets 413",
    requestText("POST /", { "content-length": "1100000" }, "x".repeat(1_100_000)),
    413,
  ],
];

for (const listener of kinds) {
  for (const [name, request, want] of rows) {
    Deno.test(`listener "${listener}": ${name}`, () =>
      withServer(listener, async (server) => {
        verify(await sendRaw(server, request), want);
        assertEquals((await sendRaw(server, get("/"))).status, 200);
      }));
  }

  Deno.test(`listener "${listener}": several requests on one connection, HEAD included`, () =>
    withServer(listener, async (server) => {
      const kept = { Connection: "keep-alive" };
      const first = requestText("POST /", { ...kept, "Content-Length": "2" }, "ab");
      const { text } = await sendRaw(server, first + requestText("HEAD /", kept) + get("/"));
      assertEquals(text.match(/HTTP\/1\.1 200/g)?.length, 3);
      assertEquals(text.match(/POST ab|root/g), ["POST ab", "root"]);
      assert(text.endsWith("root"));
    }));

  Deno.test(`listener "${listener}": the client's address reaches the security log`, () =>
    withServer(listener, async (server) => {
      await sendRaw(server, get("/broken"));
      assertStringIncludes(server.log(), '"ip":"127.0.0.1"');
    }));

  Deno.test(`listener "${listener}": a body that fails midway is logged`, () =>
    withServer(listener, async (server) => {
      await sendRaw(server, get("/cut"));
      for (let tries = 0; tries < 6_000 && !server.log().includes("mid"); tries++) await wait(5);
      assertMatch(server.log(), /"level":"error","msg":"the server failed to respond".*"mid"/);
    }));

  for (
    const [path, note] of [["/endless", "body over"], ["/stream?go=on", "stream over"]] as const
  ) {
    Deno.test(`listener "${listener}": a client that disconnects from ${path} ends it without a failure`, () =>
      withServer(listener, async (server, seen) => {
        const connection = await Deno.connect(server);
        await connection.write(new TextEncoder().encode(get(path)));
        await connection.read(new Uint8Array(1_024));
        connection.close();
        while (seen.notes.length === 0) await wait(5);
        assertEquals(seen.notes, [note]);
        await wait(20);
        assert(!server.log().includes('"level":"error"'));
      }));
  }

  Deno.test(`listener "${listener}": shutdown lets a request in flight finish`, () =>
    withServer(listener, async (server, seen, app) => {
      const answer = sendRaw(server, get("/slow"));
      while (seen.notes.length === 0) await wait(5);
      await app.shutdown();
      assertEquals((await answer).body, "slow");
      await assertRejects(() => sendRaw(server, get("/")), Deno.errors.ConnectionRefused);
    }));

  for (const [name, sent] of [["nothing", ""], ["half a head", "GET / HT"]] as const) {
    Deno.test(`listener "${listener}": shutdown does not wait for a connection that sent ${name}`, () =>
      withServer(listener, async (server, _seen, app) => {
        using connection = await Deno.connect(server);
        await connection.write(new TextEncoder().encode(sent));
        // Its response shows that the server has accepted the connection before it.
        await sendRaw(server, get("/"));
        await app.shutdown();
        assert(!server.log().includes("requests were cut off"), server.log());
      }));
  }
}

const counts: readonly (readonly [listener: Kind, sent: number, status: number])[] = [
  ["deno", 128, 200],
  ["deno", 129, 400],
  ["node", 128, 200],
  ["node", 129, 431],
];

for (const [listener, sent, status] of counts) {
  Deno.test(`listener "${listener}": ${sent} headers get ${status}`, async () => {
    const settings = { trustedProxies: ["127.0.0.1"] };
    await withServer(listener, async (server) => {
      const own = "A: 1\r\n".repeat(sent - 3);
      const answer = await sendRaw(
        server,
        `GET /ip HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${own}X-Forwarded-For: 203.0.113.9\r\n\r\n`,
      );
      assertEquals([answer.status, answer.body], [status, status === 200 ? "203.0.113.9" : ""]);
    }, settings);
  });
}

Deno.test('listener "node": a response to an unread body closes the connection and says so', () =>
  withServer("node", async (server) => {
    const request = requestText("POST /none", {
      Connection: "keep-alive",
      "content-length": "1000000",
    });
    const answer = parseAnswer(await converse(server, [request]));
    assertEquals([answer.status, answer.headers.get("connection")], [404, "close"]);
  }));

Deno.test('listener "node": c.upgrade throws naming the setting', async () => {
  const lines: string[] = [];
  const app = new App({ ...listenSettings(lines), listener: "node" });
  app.route({ pattern: "/", methods: { GET: (c) => c.upgrade().response } });
  await using server = await listen(app, lines);
  assertEquals((await sendRaw(server, get("/"))).status, 500);
  assertStringIncludes(server.log(), 'config.listener is \\"node\\"');
});

Deno.test("config.reusePort: needs --unstable-net, with which applications on one port share its connections", async () => {
  const script = new URL("./reuse_port_process.ts", import.meta.url).href;
  const run = async (...flags: string[]): Promise<string> => {
    const args = ["run", "-A", "--no-check", ...flags, script];
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), { args }).output();
    return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  };
  assertStringIncludes(await run(), "Cannot share the port: run Deno with --unstable-net");
  // Only Linux spreads connections.
  if (Deno.build.os === "linux") assertEquals(await run("--unstable-net"), "one two\n");
});
