import { assertEquals } from "@std/assert";
import { App } from "../../../mod.ts";
import { converse, handshakeHeaders, parseAnswer, serve } from "../../security/raw_client.ts";
import { listen, listenSettings } from "../../security/raw_client.ts";
import type { Listening, RawAnswer } from "../../security/raw_client.ts";
import { routeOf } from "../../routes.ts";
import { until } from "../../until.ts";

const limits = { client: 4 };

function handshake(path: string, headers: Readonly<Record<string, string>> = {}): string {
  const all = { Host: "localhost", ...handshakeHeaders, ...headers };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === "" ? [] : [`${name}: ${value}`]
  );
  return [`GET ${path} HTTP/1.1`, ...lines, "\r\n"].join("\r\n");
}

async function firstAnswer(server: Listening, request: string): Promise<RawAnswer> {
  return parseAnswer(await converse(server, [request], "\r\n\r\n"));
}

async function abortHandshake(server: Listening, path: string): Promise<void> {
  using connection = await Deno.connect(server);
  await connection.write(new TextEncoder().encode(handshake(path)));
}

// The platform never finishes its operation for an aborted handshake.
Deno.test("c.upgrade frees the place of an aborted handshake", { sanitizeOps: false }, async () => {
  const wait = () => new Promise((resolve) => setTimeout(resolve, 50));
  let upgrades = 0;
  await using server = await serve([
    routeOf("GET", "/before", async (c) => {
      await wait();
      const { response } = c.upgrade({ limits });
      upgrades++;
      return response;
    }),
    routeOf("GET", "/after", async (c) => {
      const { response } = c.upgrade({ limits });
      upgrades++;
      await wait();
      return response;
    }),
  ], { timeouts: { drainMs: 0, shutdownMs: 100 } });
  for (const path of ["/before", "/before", "/after", "/after"]) {
    await abortHandshake(server, path);
  }
  await until(() => upgrades === limits.client);
  const ask = async (): Promise<number> => (await firstAnswer(server, handshake("/after"))).status;
  assertEquals(await ask(), 429);
  await until(async () => await ask() === 101);
});

const key = handshakeHeaders["Sec-WebSocket-Key"];

/**
 * Handshakes that change a valid one: the status, and the subprotocol or the header of the
 * response.
 */
const handshakes: readonly [
  name: string,
  headers: Readonly<Record<string, string>>,
  status: number,
  answer?: readonly [header: string, value: string | null],
][] = [
  ["as a browser sends it", {}, 101, ["sec-websocket-protocol", null]],
  ["no Upgrade", { Upgrade: "" }, 426, ["upgrade", "websocket"]],
  ["another protocol", { Upgrade: "h2c" }, 426, ["upgrade", "websocket"]],
  ["a protocol with a version", { Upgrade: "websocket/13" }, 426],
  ["a list of protocols", { Upgrade: "h2c, WebSocket" }, 101],
  ["no Connection", { Connection: "" }, 426, ["connection", "upgrade"]],
  ["another Connection", { Connection: "keep-alive" }, 426],
  ["a list in Connection", { Connection: "keep-alive,UPGRADE" }, 101],
  ["no version", { "Sec-WebSocket-Version": "" }, 426, ["sec-websocket-version", "13"]],
  ["version 8", { "Sec-WebSocket-Version": "8" }, 426, ["sec-websocket-version", "13"]],
  ["no key", { "Sec-WebSocket-Key": "" }, 400],
  ["a short key", { "Sec-WebSocket-Key": "YQ==" }, 400],
  ["a key that is not Base64", { "Sec-WebSocket-Key": "!".repeat(22) + "==" }, 400],
  ["two keys", { "Sec-WebSocket-Key": `${key}, ${key}` }, 400],
  ["the preferred one", { "Sec-WebSocket-Protocol": "b, a" }, 101, ["sec-websocket-protocol", "a"]],
  ["no blanks", { "Sec-WebSocket-Protocol": "x,b" }, 101, ["sec-websocket-protocol", "b"]],
  ["no common one", { "Sec-WebSocket-Protocol": "x" }, 101, ["sec-websocket-protocol", null]],
  ["a subprotocol that is not a token", { "Sec-WebSocket-Protocol": "a, b c" }, 400],
  ["a quoted subprotocol", { "Sec-WebSocket-Protocol": '"a"' }, 400],
  ["an extension with parameters", {
    "Sec-WebSocket-Extensions": 'permessage-deflate; client_max_window_bits, x; a="b\\"c" ;d=1',
  }, 101],
  ["an extension without a name", { "Sec-WebSocket-Extensions": ";;" }, 400],
  ["an extension with an unterminated quote", { "Sec-WebSocket-Extensions": 'x; a="b' }, 400],
  ["Expect", { Expect: "100-continue" }, 101],
  ["one in other case", { "Sec-WebSocket-Protocol": "A" }, 101, ["sec-websocket-protocol", null]],
];

Deno.test("c.upgrade responds to every handshake, and none is a server failure", async (t) => {
  const lines: string[] = [];
  const app = new App({ ...listenSettings(lines), timeouts: { drainMs: 0, shutdownMs: 100 } });
  const close = (socket: WebSocket): void => socket.addEventListener("open", () => socket.close());
  app.route(routeOf("GET", "/ws", (c) => {
    const { socket, response, protocol } = c.upgrade({ protocol: ["a", "b"] });
    close(socket);
    assertEquals(protocol ?? null, response.headers.get("sec-websocket-protocol"));
    return response;
  }));
  await using server = await listen(app, lines);
  for (const [name, headers, status, [header = "x-none", value = null] = []] of handshakes) {
    await t.step(name, async () => {
      const answer = await firstAnswer(server, handshake("/ws", headers));
      assertEquals([answer.status, answer.headers.get(header)], [status, value], answer.text);
    });
  }
  assertEquals(lines.filter((line) => /"panic"|"level":"error"/.test(line)), []);
});
