import { assert, assertEquals } from "@std/assert";
import { App, channel, follow, type Handler, Off, publish } from "../../../mod.ts";
import { Sockets } from "../../../runtime/pipeline/upgrade.ts";
import {
  converse,
  handshakeHeaders,
  listen,
  listenSettings,
  requestText,
  sendRaw,
  serve,
} from "../../security/raw_client.ts";
import { routeOf } from "./support.ts";
import { newFolder } from "../../new_folder.ts";
import { serveLocal } from "../../serve_local.ts";

const Changed = channel("changed");

const upgrade: Handler = (c) => {
  c.header("x-staged", "1");
  const { socket, response } = Deno.upgradeWebSocket(c.request);
  socket.onmessage = (event) => socket.send(`echo ${event.data}`);
  return response;
};

Deno.test("a 101 is sent unchanged despite staged headers and is logged as 101", async () => {
  await using server = await serve([{ pattern: "/ws", methods: { GET: upgrade } }]);
  const socket = new WebSocket(`ws://${server.hostname}:${server.port}/ws`);
  const opened = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<unknown>();
  const closed = Promise.withResolvers<void>();
  socket.onopen = () => opened.resolve();
  socket.onerror = () => opened.reject(new Error("no upgrade"));
  socket.onmessage = (event) => answered.resolve(event.data);
  socket.onclose = () => closed.resolve();
  await opened.promise;
  socket.send("hi");
  assertEquals(await answered.promise, "echo hi");
  socket.close();
  await closed.promise;
  assert(server.log().includes('"status":101'), server.log());
  const head = await converse(server, [requestText("GET /ws", handshakeHeaders)], "\r\n\r\n");
  assert(head.startsWith("HTTP/1.1 101") && !head.includes("x-staged"), head);
});

Deno.test("c.signal of a socket aborts when it is closed, not before", async () => {
  const lines: string[] = [];
  const app = new App(listenSettings(lines));
  const ended = Promise.withResolvers<number>();
  let count = 0;
  app.route(routeOf("GET", "/ws", (c) => {
    const { socket, response } = c.upgrade();
    socket.onopen = async () => {
      for await (const _ of follow(c, Changed, { signal: c.signal })) {
        socket.send(String(++count));
      }
      ended.resolve(count);
    };
    return response;
  }));
  await using server = await listen(app, lines);
  const socket = new WebSocket(`ws://${server.hostname}:${server.port}/ws`);
  const closed = new Promise((resolve) => socket.onclose = resolve);
  socket.onmessage = ({ data }) => data === "2" ? socket.close() : void publish(app, Changed);
  assertEquals(await ended.promise, 2);
  await closed;
});

Deno.test("a socket that is not open after five seconds frees its place until it opens", () => {
  let now = 0;
  const sockets = new Sockets(() => now);
  const socket = new EventTarget() as WebSocket;
  const reached = (ip = "192.0.2.1") => sockets.reached(ip, { client: 1, site: 1, all: 1 });
  sockets.add(socket, "192.0.2.1");
  now = 4_999;
  assertEquals(reached(), "client");
  now = 5_000;
  assertEquals(reached(), undefined);
  socket.dispatchEvent(new Event("open"));
  assertEquals([reached(), reached("198.51.100.1")], ["client", "all"]);
  socket.dispatchEvent(new Event("close"));
  assertEquals(reached(), undefined);
  sockets.add(socket, "192.0.2.1");
  socket.dispatchEvent(new Event("open"));
  now = 600_000;
  assertEquals(reached(), "client");
});

Deno.test("app.shutdown closes the sockets of an application inside a host with 1001", async () => {
  const app = new App({ logRequest: Off });
  app.route({ pattern: "/ws", methods: { GET: (c) => c.upgrade().response } });
  await using server = serveLocal(app.handler());
  const socket = new WebSocket(`ws://127.0.0.1:${server.addr.port}/ws`);
  await new Promise((resolve) => socket.onopen = resolve);
  const closed = new Promise((resolve) => socket.onclose = ({ code }) => resolve(code));
  await app.shutdown();
  assertEquals(await closed, 1001);
});

Deno.test("HEAD over a socket sends the length of GET, for handlers and for files", async () => {
  await using folder = await newFolder();
  const dir = folder.path;
  await Deno.writeTextFile(`${dir}/a.txt`, "a file");
  await using server = await serve([
    { pattern: "/json", methods: { GET: (c) => c.json(200, { a: "é" }) } },
    { pattern: "/foreign", methods: { GET: () => new Response("foreign") } },
  ], { public: dir });
  for (const path of ["/json", "/a.txt", "/nothing"]) {
    const get = await sendRaw(server, requestText(`GET ${path}`));
    const head = await sendRaw(server, requestText(`HEAD ${path}`));
    assertEquals([head.status, head.body], [get.status, ""]);
    assertEquals(head.headers.get("content-length"), get.headers.get("content-length"), path);
  }
  const foreign = await sendRaw(server, requestText("HEAD /foreign"));
  assertEquals([foreign.status, foreign.headers.get("content-length")], [200, null]);
});

const bodies: readonly (readonly [name: string, make: () => Response])[] = [
  ["text", () => new Response("hello")],
  ["bytes", () => new Response(new Uint8Array(300_000))],
  ["JSON", () => Response.json({ a: 1 })],
  [
    "a stream with its length",
    () =>
      new Response(ReadableStream.from([new Uint8Array(3)]), {
        headers: { "content-length": "3" },
      }),
  ],
];

for (const [name, make] of bodies) {
  Deno.test(`a Response of ${name} keeps its length when a header is staged`, async () => {
    await using server = await serve([routeOf("GET", "/", (c) => {
      c.header("x-staged", "1");
      return make();
    })]);
    const { headers } = await sendRaw(server, requestText("GET /"));
    const { byteLength } = await make().arrayBuffer();
    const found = [headers.get("content-length"), headers.get("x-staged")];
    assertEquals(found, [String(byteLength), "1"]);
  });
}
