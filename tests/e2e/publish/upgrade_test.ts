import { assertEquals } from "@std/assert";
import { App, type CorsPolicy, type Ctx, type Logger, type Result } from "../../../mod.ts";
import { listen, listenSettings, requestText } from "../../security/raw_client.ts";

/** What a handler does after it took the connection over, instead of returning the answer. */
const rows: readonly [name: string, after: (c: Ctx) => Result][] = [
  ["throws", () => {
    throw new Error("after the upgrade");
  }],
  ["gives another answer", (c) => c.text(200, "no socket")],
  ["gives nothing", () => undefined],
];

for (const [name, after] of rows) {
  Deno.test(`c.upgrade: a handler that ${name} closes the socket, and the server goes on`, async () => {
    const app = new App({ addr: "127.0.0.1:0", logger: silent, env: "dev" });
    app.route({
      pattern: "/socket",
      methods: {
        GET: (c) => {
          c.upgrade();
          return after(c);
        },
      },
    });
    app.route({ pattern: "/", methods: { GET: (c) => c.text(200, "alive") } });
    const server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen: () => undefined },
      app.fetch,
    );
    const { port } = server.addr;
    const closed = Promise.withResolvers<number>();
    const socket = new WebSocket(`ws://127.0.0.1:${port}/socket`);
    socket.addEventListener("close", (event) => closed.resolve(event.code));
    assertEquals(await closed.promise, 1011);
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    assertEquals(await answer.text(), "alive");
    await server.shutdown();
    await app.shutdown();
  });
}

/** Which other site may open a WebSocket, by the policies of the application and of the route. */
const policyRows: readonly {
  readonly name: string;
  readonly app?: CorsPolicy;
  readonly route?: CorsPolicy;
  /** The scheme that a trusted proxy reports. */
  readonly proxied?: "http" | "https";
  readonly origin: string;
  readonly want: number;
}[] = [
  { name: "no policy", origin: "https://a.example", want: 403 },
  { name: "the application's", app: only("a"), origin: "https://a.example", want: 101 },
  { name: "the application's, another", app: only("a"), origin: "https://b.example", want: 403 },
  { name: "the route's", route: only("a"), origin: "https://a.example", want: 101 },
  { name: "the route's, another", route: only("a"), origin: "https://b.example", want: 403 },
  {
    name: "the route's instead of the application's",
    app: only("a"),
    route: only("b"),
    origin: "https://b.example",
    want: 101,
  },
  {
    name: "the application's where the route has one",
    app: only("a"),
    route: only("b"),
    origin: "https://a.example",
    want: 403,
  },
  {
    name: "a route that closes itself",
    app: only("a"),
    route: {},
    origin: "https://a.example",
    want: 403,
  },
  {
    name: "the application open, the route not",
    app: { origins: ["*"] },
    route: only("b"),
    origin: "https://a.example",
    want: 403,
  },
  // A policy for every origin shares what is public; a WebSocket carries cookies.
  { name: "the route open", route: { origins: ["*"] }, origin: "https://a.example", want: 403 },
  { name: "the route open to an opaque one", route: { origins: ["*"] }, origin: "null", want: 403 },
  { name: "the route open, a star", route: { origins: ["*"] }, origin: "*", want: 403 },
  { name: "the application open", app: { origins: ["*"] }, origin: "https://a.example", want: 403 },
  {
    name: "the application open to an opaque one",
    app: { origins: ["*"] },
    origin: "null",
    want: 403,
  },
  {
    name: "the application open, the host itself",
    app: { origins: ["*"] },
    origin: "http://HOST",
    want: 101,
  },
  { name: "the host itself, beside a policy", route: only("b"), origin: "http://HOST", want: 101 },
  { name: "the host itself, another scheme", origin: "https://HOST", want: 403 },
  { name: "the host itself, another port", origin: "http://127.0.0.1:1", want: 403 },
  { name: "the host as a user name", origin: "http://HOST@evil.example", want: 403 },
  { name: "the host as a prefix", origin: "http://HOST.evil.example", want: 403 },
  { name: "no origin: no browser", origin: "", want: 101 },
  { name: "behind TLS, the host itself", proxied: "https", origin: "https://HOST", want: 101 },
  { name: "behind TLS, a page without", proxied: "https", origin: "http://HOST", want: 403 },
  { name: "behind a proxy without TLS", proxied: "http", origin: "http://HOST", want: 101 },
  {
    name: "behind a proxy without TLS, a page with it",
    proxied: "http",
    origin: "https://HOST",
    want: 403,
  },
];

function only(site: string): CorsPolicy {
  return { origins: [`https://${site}.example`] };
}

for (const { name, app: appPolicy, route, proxied, origin, want } of policyRows) {
  Deno.test(`c.upgrade, Origin and CORS: ${name}: ${want}`, async () => {
    const lines: string[] = [];
    const app = new App({
      ...listenSettings(lines),
      cors: appPolicy ?? {},
      trustedProxies: proxied === undefined ? [] : ["127.0.0.1"],
    });
    app.route({
      pattern: "/socket",
      ...(route === undefined ? {} : { cors: route }),
      methods: {
        GET: (c) => {
          const { socket, response } = c.upgrade();
          // The client of this test leaves without a word.
          socket.onerror = (event) => event.preventDefault();
          return response;
        },
      },
    });
    await using server = await listen(app, lines);
    const host = `${server.hostname}:${server.port}`;
    const request = requestText("GET /socket", {
      Host: host,
      ...(origin === "" ? {} : { Origin: origin.replace("HOST", host) }),
      ...(proxied === undefined ? {} : {
        "X-Forwarded-For": "203.0.113.7",
        "X-Forwarded-Proto": proxied,
      }),
      Connection: "Upgrade",
      Upgrade: "websocket",
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    });
    using connection = await Deno.connect({ hostname: server.hostname, port: server.port });
    await connection.write(new TextEncoder().encode(request));
    const head = new Uint8Array(12);
    await connection.read(head);
    const status = Number(new TextDecoder().decode(head).slice(9));
    assertEquals(status, want);
  });
}

const silent: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silent,
};
