import { assert, assertEquals, assertMatch } from "@std/assert";
import { urlOf } from "../../../cli/dev/address.ts";
import { ReloadEvents } from "../../../cli/dev/reload_events.ts";
import type { AppState } from "../../../cli/dev/app.ts";
import { serveDev } from "../../../cli/dev/server.ts";
import { messagesIn } from "../../../cli/messages/catalog.ts";
import { until } from "./project.ts";
import { serveLocal } from "../../serve_local.ts";

interface Stage {
  readonly url: string;
  readonly port: number;
  /** The server's view of the application. */
  state: AppState;
}

async function withProxy(
  handler: Deno.ServeHandler,
  run: (stage: Stage) => Promise<void>,
): Promise<void> {
  const upstream = serveLocal(handler);
  const address = { port: upstream.addr.port, token: "secret" };
  const stage = { url: "", port: 0, state: { kind: "serving", address } as AppState };
  const events = new ReloadEvents();
  const server = await serveDev({ hostname: "127.0.0.1", port: 0 }, {
    app: { settled: () => Promise.resolve(stage.state) },
    events,
    pages: { messages: messagesIn("en"), language: "en", reloads: true },
    listedHosts: () => ["a", "app.example"],
    waitMs: 3_000,
  });
  try {
    await run(
      Object.assign(stage, {
        url: urlOf({ hostname: "127.0.0.1", port: server.port }),
        port: server.port,
      }),
    );
  } finally {
    events.close();
    await server.close();
    await upstream.shutdown();
  }
}

async function exchange(port: number, text: string): Promise<string> {
  const connection = await Deno.connect({ hostname: "127.0.0.1", port });
  await connection.write(new TextEncoder().encode(text));
  return await new Response(connection.readable).text();
}

Deno.test("a request arrives unchanged: method, target, Host, repeated fields", async () => {
  const handler = (request: Request): Response =>
    Response.json({ method: request.method, url: request.url, headers: [...request.headers] });
  await withProxy(handler, async ({ port }) => {
    const answer = await exchange(
      port,
      "PATCH /a%2Fb/../c?x=1&x=2 HTTP/1.1\r\nHost: app.example:81\r\nX-A: 1\r\nX-A: 2\r\n" +
        "Connection: close, X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\nProxy-Authorization: a\r\n" +
        "fw-dev-peer: secret 9.9.9.9 9\r\nContent-Length: 2\r\n\r\nhi",
    );
    const { method, url, headers } = JSON.parse(answer.slice(answer.indexOf("{")));
    const fields = new Map<string, string>(headers);
    assertEquals(method, "PATCH");
    assertEquals(url, "http://app.example:81/a%2Fb/../c?x=1&x=2");
    assertEquals(fields.get("x-a"), "1, 2");
    assertEquals(fields.get("content-length"), "2");
    for (const hop of ["x-hop", "te", "proxy-authorization"]) assert(!fields.has(hop), hop);
    assertMatch(fields.get("fw-dev-peer") ?? "", /^secret 127\.0\.0\.1 \d+$/);
  });
});

Deno.test("a response arrives unchanged: status, repeated fields, no added fields", () =>
  withProxy((): Response =>
    new Response("short", {
      status: 418,
      headers: [["set-cookie", "a=1"], ["set-cookie", "b=2"], ["x-one", "1"]],
    }), async ({ url }) => {
    const response = await fetch(url);
    assertEquals(response.status, 418);
    assertEquals(response.headers.getSetCookie(), ["a=1", "b=2"]);
    assertEquals(await response.text(), "short");
    assertEquals(response.headers.get("content-length"), "5");
  }));

const bodiless: readonly { readonly method: string; readonly status: number }[] = [
  { method: "HEAD", status: 200 },
  { method: "GET", status: 204 },
  { method: "GET", status: 304 },
];

for (const { method, status } of bodiless) {
  Deno.test(`${method} ${status} keeps the connection usable`, async () => {
    const handler = (request: Request): Response =>
      new URL(request.url).pathname === "/next"
        ? new Response("next")
        : new Response(status === 200 ? "body" : null, { status });
    await withProxy(handler, async ({ port }) => {
      const answer = await exchange(
        port,
        `${method} / HTTP/1.1\r\nHost: a\r\n\r\nGET /next HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      assertMatch(answer, new RegExp(`^HTTP/1.1 ${status} [^]*\r\n\r\nHTTP/1.1 200 [^]*next$`));
    });
  });
}

const megabytes = 6;

for (const kind of ["known", "unknown"] as const) {
  Deno.test(`a body of ${megabytes} MB and ${kind} length passes both ways`, () =>
    withProxy((request: Request): Response => new Response(request.body), async ({ url }) => {
      const bytes = new Uint8Array(megabytes * 1024 * 1024).map((_, index) => index % 251);
      const body = kind === "known"
        ? bytes
        : ReadableStream.from([bytes.subarray(0, 9), bytes.subarray(9)]);
      const response = await fetch(url, { method: "POST", body });
      assertEquals(new Uint8Array(await response.arrayBuffer()), bytes);
    }));
}

Deno.test("a slow reader slows the application down", async () => {
  let sent = 0;
  let hasEnded = false;
  const handler = (): Response =>
    new Response(
      new ReadableStream({
        pull: (stream) => {
          sent += 65_536;
          stream.enqueue(new Uint8Array(65_536));
        },
        cancel: () => {
          hasEnded = true;
        },
      }),
    );
  await withProxy(handler, async ({ port }) => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    await connection.write(new TextEncoder().encode("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
    let before = -1;
    await until(() => sent, (count) => {
      const isStill = count === before;
      before = count;
      return isStill && count > 0;
    });
    assert(sent < 64 * 1024 * 1024, `${sent} bytes`);
    connection.close();
    await until(() => hasEnded, (ended) => ended);
  });
});

Deno.test("a client that disconnects ends the application's stream", async () => {
  let hasLeft = false;
  const handler = (): Response =>
    new Response(
      new ReadableStream({
        start: (stream) => stream.enqueue(new TextEncoder().encode("data: 1\n\n")),
        cancel: () => {
          hasLeft = true;
        },
      }),
      { headers: { "content-type": "text/event-stream" } },
    );
  await withProxy(handler, async ({ url }) => {
    const response = await fetch(url);
    const reader = response.body?.getReader();
    // The first event arrives immediately, although the stream continues.
    const first = await reader?.read();
    assertEquals(new TextDecoder().decode(first?.value), "data: 1\n\n");
    await reader?.cancel();
    await until(() => hasLeft, (left) => left);
  });
});

Deno.test("the head of a response arrives before its body", () =>
  withProxy((): Response =>
    new Response(new ReadableStream({ start: () => {} }), {
      headers: { "content-type": "text/event-stream" },
    }), async ({ url }) => {
    const response = await fetch(url);
    assertEquals(response.status, 200);
    await response.body?.cancel();
  }));

Deno.test("a WebSocket passes text and bytes in both directions", () =>
  withProxy((request: Request): Response => {
    const { socket, response } = Deno.upgradeWebSocket(request, { protocol: "chat" });
    socket.onmessage = ({ data }) => socket.send(data);
    return response;
  }, async ({ url }) => {
    const socket = new WebSocket(url.replace("http", "ws"), "chat");
    socket.binaryType = "arraybuffer";
    const next = (name: string): Promise<Event> =>
      new Promise((resolve) => socket.addEventListener(name, resolve, { once: true }));
    await next("open");
    assertEquals(socket.protocol, "chat");
    const long = "é".repeat(100_000);
    let message = next("message");
    socket.send(long);
    assertEquals((await message as MessageEvent).data, long);
    message = next("message");
    socket.send(new Uint8Array([0, 255, 7]));
    assertEquals(new Uint8Array((await message as MessageEvent).data), new Uint8Array([0, 255, 7]));
    const closed = next("close");
    socket.close(4001, "bye");
    await closed;
  }));

Deno.test("a refused upgrade returns the application's response", () =>
  withProxy((): Response => new Response("no", { status: 403 }), async ({ port }) => {
    const answer = await exchange(
      port,
      "GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    );
    assertMatch(answer, /^HTTP\/1\.1 403 [^]*\r\n\r\nno$/);
  }));

Deno.test("a client that waits for 100 Continue gets the early response", async () => {
  await withProxy(refuse, async ({ port }) => {
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n" +
      "Expect: 100-continue\r\n\r\n";
    await writeAll(connection, new TextEncoder().encode(head));
    let text = "";
    const giveUp = setTimeout(() => connection.close(), 60_000);
    const decoder = new TextDecoder();
    for (const bytes = new Uint8Array(4096); !text.includes("too big");) {
      const count = await connection.read(bytes).catch(() => null);
      if (count === null) break;
      text += decoder.decode(bytes.subarray(0, count));
    }
    clearTimeout(giveUp);
    assertMatch(text, /^HTTP\/1\.1 (?:100 Continue\r\n\r\nHTTP\/1\.1 )?413 [^]*too big$/);
    connection.close();
  });
});

const refuse = (): Response => new Response("too big", { status: 413 });
const refusals: readonly (readonly [name: string, handler: Deno.ServeHandler])[] = [
  ["unread", refuse],
  ["partially read", async (request) => {
    const reader = request.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    return refuse();
  }],
];

for (const [name, handler] of refusals) {
  Deno.test(`a client that sends 30 MB before it reads gets the early response, ${name}`, () =>
    withProxy(handler, async ({ port }) => {
      const connection = await Deno.connect({ hostname: "127.0.0.1", port });
      const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${30 << 20}\r\n\r\n`;
      await writeAll(connection, new TextEncoder().encode(head));
      const block = new Uint8Array(1 << 20);
      const giveUp = setTimeout(() => connection.close(), 60_000);
      for (let at = 0; at < 30; at++) await writeAll(connection, block);
      // The connection stays usable: no part of the body is read as a request.
      const next = "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
      await writeAll(connection, new TextEncoder().encode(next));
      const answers = await new Response(connection.readable).text();
      clearTimeout(giveUp);
      assertMatch(answers, /^HTTP\/1\.1 413 [^]*too bigHTTP\/1\.1 413 [^]*too big$/);
    }));
}

async function writeAll(connection: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

const starting: AppState = { kind: "starting" };
const ended: AppState = { kind: "serving", address: { port: 1, token: "t" } };
const states = [
  ["an application that does not start in time", "GET", starting, 503, /is starting[^]*3 seconds/],
  ["an application that exits during the request", "POST", ended, 502, /before it responded/],
] as const;

for (const [name, method, state, status, says] of states) {
  Deno.test(`${name} is a ${status}, as a page and as text`, () =>
    withProxy(() => new Response(), async (stage) => {
      stage.state = state;
      const page = await fetch(stage.url, { method, headers: { accept: "text/html" } });
      assertEquals(page.status, status);
      const html = await page.text();
      assertMatch(html, says);
      assertEquals(html.includes('http-equiv="refresh"'), status === 503);
      const other = await fetch(stage.url, { method });
      assertEquals(other.headers.get("content-type"), "text/plain; charset=utf-8");
      assertEquals(other.headers.get("retry-after"), status === 503 ? "1" : null);
      assertEquals([other.status, says.test(await other.text())], [status, true]);
    }));
}

Deno.test("a request on which the application hangs up is not sent again", () =>
  withProxy(() => new Response(), async (stage) => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    let count = 0;
    const ended = (async () => {
      for await (const connection of listener) {
        count++;
        connection.close();
      }
    })();
    stage.state = { kind: "serving", address: { port: listener.addr.port, token: "t" } };
    const response = await fetch(stage.url);
    await response.body?.cancel();
    listener.close();
    await ended;
    assertEquals([response.status, count], [502, 1]);
  }));

Deno.test("the reload endpoints respond in any state of the application", (t) =>
  withProxy(() => new Response("app", { status: 500 }), async (stage) => {
    stage.state = { kind: "starting" };
    await t.step("the script", async () => {
      const response = await fetch(`${stage.url}/_fw/events/reload.js?v=1`);
      assertEquals(response.headers.get("content-type"), "text/javascript; charset=utf-8");
      assertMatch(await response.text(), /EventSource/);
    });
    await t.step("another method", async () => {
      const response = await fetch(`${stage.url}/_fw/events`, { method: "POST", body: "x" });
      assertEquals([response.status, response.headers.get("allow")], [405, "GET"]);
      await response.body?.cancel();
    });
  }));

Deno.test("malformed HTTP is refused, and the server continues", () =>
  withProxy(() => new Response("ok"), async ({ port, url }) => {
    assertMatch(await exchange(port, "\x00\x01 nonsense\r\n\r\n"), /^HTTP\/1\.1 400 /);
    assertEquals(await (await fetch(url)).text(), "ok");
  }));

const rebound: readonly { readonly name: string; readonly head: string }[] = [
  { name: "the application", head: "GET / HTTP/1.1" },
  { name: "an own path", head: "GET /_fw/events/reload.js HTTP/1.1" },
  { name: "an upgrade", head: "GET / HTTP/1.1\r\nUpgrade: websocket" },
];

for (const { name, head } of rebound) {
  for (const kind of ["serving", "starting"] as const) {
    Deno.test(`a host that is not allowed is refused: ${name}, ${kind}`, () =>
      withProxy(() => new Response("app"), async (stage) => {
        if (kind === "starting") stage.state = { kind };
        const connection = head.includes("Upgrade") ? "Upgrade" : "close";
        const answer = await exchange(
          stage.port,
          `${head}\r\nHost: evil.example:81\r\nConnection: ${connection}\r\n\r\n`,
        );
        assertMatch(answer, /^HTTP\/1\.1 400 /);
        const isShown = /evil\.example:81[^]*FW_ALLOWED_HOSTS/.test(answer);
        assertEquals(isShown, connection === "close");
      }));
  }
}
