import { assertEquals, assertStringIncludes } from "@std/assert";
import type { CorsPolicy } from "../../../mod.ts";
import { converse, serve } from "../../security/raw_client.ts";
import { handshakeHeaders, parseAnswer, requestText } from "../../security/raw_client.ts";
import { routeOf } from "../../routes.ts";

/** Sites that may open a WebSocket, by the policies of the application and of the route. */
interface Policies {
  readonly app?: CorsPolicy;
  readonly route?: CorsPolicy;
  /** The scheme that a trusted proxy reports. */
  readonly proxied?: "http" | "https";
}

const any = { origins: ["*"] };
const [a, b] = ["https://a.example", "https://b.example"];

const policyRows: readonly [name: string, origin: string, want: number, Policies?][] = [
  ["no policy", a, 403],
  ["the application's", a, 101, { app: only("a") }],
  ["the application's list, another origin", b, 403, { app: only("a") }],
  ["the route's", a, 101, { route: only("a") }],
  ["the route's, another", b, 403, { route: only("a") }],
  ["the route's list overrides the application's", b, 101, { app: only("a"), route: only("b") }],
  ["the application's origin if the route has a list", a, 403, {
    app: only("a"),
    route: only("b"),
  }],
  ["a route that allows no origin", a, 403, { app: only("a"), route: {} }],
  ["an open application with a restricted route", a, 403, { app: any, route: only("b") }],
  // A policy for every origin exposes public data only, but a WebSocket carries cookies.
  ["the route open", a, 403, { route: any }],
  ["an open route with an opaque origin", "null", 403, { route: any }],
  ["an open route, a star as the origin", "*", 403, { route: any }],
  ["an open application", a, 403, { app: any }],
  ["an open application with an opaque origin", "null", 403, { app: any }],
  ["an open application, the same host", "http://HOST", 101, { app: any }],
  ["the same host, beside a policy", "http://HOST", 101, { route: only("b") }],
  ["the same host, another scheme", "https://HOST", 403],
  ["the same host, another port", "http://127.0.0.1:1", 403],
  ["the host as a user name", "http://HOST@evil.example", 403],
  ["the host as a prefix", "http://HOST.evil.example", 403],
  ["no origin: a program", "", 101],
  ["behind TLS, the same host", "https://HOST", 101, { proxied: "https" }],
  ["behind TLS, a page without TLS", "http://HOST", 403, { proxied: "https" }],
  ["behind a proxy without TLS", "http://HOST", 101, { proxied: "http" }],
  ["behind a proxy without TLS, a page with TLS", "https://HOST", 403, { proxied: "http" }],
];

function only(site: string): CorsPolicy {
  return { origins: [`https://${site}.example`] };
}

for (const [name, origin, want, policies = {}] of policyRows) {
  const { app: appPolicy, route, proxied } = policies;
  Deno.test(`c.upgrade, Origin and CORS: ${name}: ${want}`, async () => {
    let handed = 0;
    await using server = await serve([{
      pattern: "/socket",
      ...(route === undefined ? {} : { cors: route }),
      methods: {
        GET: (c) => {
          const { socket, response } = c.upgrade();
          handed++;
          // The client of this test disconnects without a close frame.
          socket.onerror = (event) => event.preventDefault();
          return response;
        },
      },
    }], { cors: appPolicy ?? {}, trustedProxies: proxied === undefined ? [] : ["127.0.0.1"] });
    const host = `${server.hostname}:${server.port}`;
    const request = requestText("GET /socket", {
      Host: host,
      ...(origin === "" ? {} : { Origin: origin.replace("HOST", host) }),
      ...(proxied === undefined ? {} : {
        "X-Forwarded-For": "203.0.113.7",
        "X-Forwarded-Proto": proxied,
      }),
      ...handshakeHeaders,
    });
    const { status } = parseAnswer(await converse(server, [request], "\r\n\r\n"));
    assertEquals([status, handed], [want, want === 101 ? 1 : 0]);
    assertStringIncludes(server.log(), `"route":"/socket","status":${want}`);
  });
}

Deno.test("c.upgrade: idleTimeoutSeconds closes a connection that does not respond", async () => {
  const ended = Promise.withResolvers<string>();
  await using server = await serve([routeOf("GET", "/socket", (c) => {
    const { socket, response } = c.upgrade({ idleTimeoutSeconds: 1 });
    socket.onerror = (event) => {
      event.preventDefault();
      ended.resolve(event instanceof ErrorEvent ? event.message : "");
    };
    return response;
  })]);
  using connection = await Deno.connect(server);
  const headers = { Host: `${server.hostname}:${server.port}`, ...handshakeHeaders };
  await connection.write(new TextEncoder().encode(requestText("GET /socket", headers)));
  assertEquals(await ended.promise, "No response from ping frame.");
});

Deno.test("c.upgrade: a listener still reads the headers of the request", async () => {
  const read = Promise.withResolvers<readonly unknown[]>();
  await using server = await serve([routeOf("GET", "/socket", (c) => {
    const { socket, response } = c.upgrade();
    socket.onerror = (event) => event.preventDefault();
    const see = () => [c.language, c.cookie("seat"), c.request.headers.get("x-a"), c.query("q")];
    socket.onopen = () => read.resolve(Promise.try(see));
    return response;
  })], { languages: ["en", "pt"] });
  const host = `${server.hostname}:${server.port}`;
  const own = { Host: host, "Accept-Language": "pt", Cookie: "seat=B12", "X-A": "1" };
  const request = requestText("GET /socket?q=2", { ...own, ...handshakeHeaders });
  await converse(server, [request], "\r\n\r\n");
  assertEquals(await read.promise, ["pt", "B12", "1", "2"]);
});
